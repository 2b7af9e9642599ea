#include "support/memory_file.h"

#include <filesystem>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace forewarp {

Result<MemoryFile> MemoryFile::write(const std::string& bytes, const std::string& name) {
  MemoryFile file(::memfd_create(name.c_str(), MFD_CLOEXEC));
  if (file.descriptor_ < 0)
    return fail(ErrorCode::not_found, "the system gives no file in memory", name,
                "raise the limit of open files");
  FOREWARP_TRY(file.rewrite(bytes));
  return file;
}

Result<void> MemoryFile::rewrite(const std::string& bytes) const {
  bool good = ::ftruncate(descriptor_, 0) == 0;
  for (std::size_t done = 0; good && done < bytes.size();) {
    const ssize_t written =
        ::pwrite(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    good = written > 0;
    done += good ? static_cast<std::size_t>(written) : 0;
  }
  if (!good)
    return fail(ErrorCode::not_found, "a file in memory cannot be written", path(), "is there memory left?");
  return {};
}

std::string MemoryFile::name_of(const std::string& path) {
  constexpr std::string_view where = "/proc/self/fd/", before = "/memfd:", behind = " (deleted)";
  if (!path.starts_with(where))
    return {};
  std::error_code error;
  const std::string target = std::filesystem::read_symlink(path, error).string();
  if (!target.starts_with(before) || !target.ends_with(behind))
    return {};
  return target.substr(before.size(), target.size() - before.size() - behind.size());
}

MemoryFile::~MemoryFile() {
  if (descriptor_ >= 0)
    ::close(descriptor_);
}

} // namespace forewarp
