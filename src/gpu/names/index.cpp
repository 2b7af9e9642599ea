#include "gpu/names/index.h"

#include "gpu/read/raw_file.h"
#include "support/text_file.h"

#include <algorithm>

namespace forewarp::gpu {
namespace {

namespace fs = std::filesystem;

/// The part of a file before its first value or table.
std::string_view head_of(std::string_view text) {
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = text.substr(start, end - start);
    if (line.starts_with('[') || line.find("= {") != std::string_view::npos)
      return text.substr(0, start);
    start = end + 1;
  }
  return text;
}

Result<GpuFile> read_head(const fs::path& path) {
  auto text = read_file(path.string(), "GPU file", max_gpu_file_bytes);
  FOREWARP_TRY(text);
  if (auto head = parse_raw(head_of(*text), path.string()))
    return std::move(head->file);
  // Identity lines may stand anywhere; then, and to word an error, the whole file is read.
  auto whole = parse_raw(*text, path.string());
  FOREWARP_TRY(whole);
  return std::move(whole->file);
}

} // namespace

Result<std::vector<fs::path>> gpu_paths(const fs::path& directory) {
  std::error_code error;
  std::vector<fs::path> paths;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".toml")
      paths.push_back(it->path());
  const char* hint = "set FOREWARP_DATA to the data folder";
  if (error)
    return fail(ErrorCode::not_found, "cannot read the GPU catalogue: " + error.message(), directory.string(),
                hint);
  if (paths.empty())
    return fail(ErrorCode::not_found, "there is no GPU file in this folder", directory.string(), hint);
  std::sort(paths.begin(), paths.end());
  return paths;
}

Result<std::vector<GpuFile>> read_index(const fs::path& directory) {
  auto paths = gpu_paths(directory);
  FOREWARP_TRY(paths);
  std::vector<GpuFile> index;
  for (const fs::path& path : *paths) {
    auto head = read_head(path);
    FOREWARP_TRY(head);
    index.push_back(std::move(*head));
  }
  return index;
}

} // namespace forewarp::gpu
