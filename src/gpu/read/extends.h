// `extends`: a file takes everything that it does not say itself from another.
#pragma once

#include "gpu/read/raw_file.h"

#include <filesystem>

namespace forewarp::gpu {

/// `raw` with its bases folded in. Bases are `<extends>.toml` in the file's own folder or in `directory`.
/// Errors (bad_input): no such base, a circle, a chain longer than 16.
Result<GpuFile> resolve_extends(RawFile raw, const std::filesystem::path& directory);

} // namespace forewarp::gpu
