#include "gpu/provenance.h"

#include "gpu/read/extends.h"

namespace forewarp::gpu {
namespace {

Result<Provenance> with_bases(Result<RawFile> raw, const std::filesystem::path& directory) {
  FOREWARP_TRY(raw);
  BaseCache bases;
  auto merged = resolve_extends(*raw, directory, bases);
  FOREWARP_TRY(merged);
  return std::move(merged->provenance);
}

} // namespace

Result<Provenance> read_provenance(const std::filesystem::path& path,
                                   const std::filesystem::path& directory) {
  return with_bases(read_raw(path), directory);
}

Result<Provenance> parse_provenance(std::string_view text, const std::string& path,
                                    const std::filesystem::path& directory) {
  return with_bases(parse_raw(text, path), directory);
}

} // namespace forewarp::gpu
