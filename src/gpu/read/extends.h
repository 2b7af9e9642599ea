// `extends`: a file takes everything that it does not say itself from another.
#pragma once

#include "gpu/read/raw_file.h"

#include <filesystem>
#include <map>

namespace forewarp::gpu {

/// Base files that were read already: a family is the base of many GPUs.
using BaseCache = std::map<std::string, RawFile>;

/// `raw` with its bases folded in. Bases are `<extends>.toml` in the file's own folder or in `directory`.
/// Errors (bad_input): no such base, a circle, a chain longer than 16.
Result<RawFile> resolve_extends(const RawFile& raw, const std::filesystem::path& directory, BaseCache& bases);

/// `parse_raw`/`read_raw` and `resolve_extends`, and a check that the file says what a GPU file must.
Result<GpuFile> complete(Result<RawFile> raw, const std::filesystem::path& directory, BaseCache& bases);

} // namespace forewarp::gpu
