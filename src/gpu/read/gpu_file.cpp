#include "gpu/gpu_file.h"

#include "gpu/read/extends.h"
#include "gpu/read/raw_file.h"

namespace forewarp::gpu {

Result<GpuFile> parse_gpu_text(std::string_view text, const std::string& path,
                               const std::filesystem::path& directory) {
  BaseCache bases;
  return complete(parse_raw(text, path), directory, bases);
}

Result<GpuFile> read_gpu_file(const std::filesystem::path& path, const std::filesystem::path& directory) {
  BaseCache bases;
  return complete(read_raw(path), directory, bases);
}

} // namespace forewarp::gpu
