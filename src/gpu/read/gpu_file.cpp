#include "gpu/gpu_file.h"

#include "gpu/read/extends.h"
#include "gpu/read/raw_file.h"

#include <fmt/format.h>

namespace forewarp::gpu {
namespace {

Result<GpuFile> finish(Result<RawFile> raw, const std::filesystem::path& directory) {
  FOREWARP_TRY(raw);
  auto file = resolve_extends(std::move(*raw), directory);
  FOREWARP_TRY(file);
  if (file->abstract)
    return file;
  for (const auto& [key, text] : {std::pair{"name", &file->name},
                                  {"vendor", &file->vendor},
                                  {"target", &file->target},
                                  {"generation", &file->generation}})
    if (text->empty())
      return fail(ErrorCode::bad_input, fmt::format("the GPU file has no '{}'", key), file->path,
                  fmt::format("write {} = \"...\" or extend a file that has it", key));
  return file;
}

} // namespace

Result<GpuFile> parse_gpu_text(std::string_view text, const std::string& path,
                               const std::filesystem::path& directory) {
  return finish(parse_raw(text, path), directory);
}

Result<GpuFile> read_gpu_file(const std::filesystem::path& path, const std::filesystem::path& directory) {
  return finish(read_raw(path), directory);
}

} // namespace forewarp::gpu
