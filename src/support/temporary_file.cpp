#include "support/temporary_file.h"

#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace forewarp {

Result<TemporaryFile> TemporaryFile::write(const std::string& text, const std::string& suffix) {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  std::string path = (folder / ("forewarp-XXXXXX" + suffix)).string();
  const int file = error ? -1 : mkstemps(path.data(), static_cast<int>(suffix.size()));
  if (file < 0)
    return fail(ErrorCode::not_found, "no temporary file can be written", folder.string(), "set TMPDIR");
  TemporaryFile result(path);
  const ssize_t written = ::write(file, text.data(), text.size());
  ::close(file);
  if (written != static_cast<ssize_t>(text.size()))
    return fail(ErrorCode::not_found, "the temporary file cannot be written", path, "is the disk full?");
  return result;
}

TemporaryFile::~TemporaryFile() {
  std::error_code ignored;
  if (!path_.empty())
    std::filesystem::remove(path_, ignored);
}

} // namespace forewarp
