// Names of a folder's GPU files without their values: enough to find one, at a fraction of the cost of
// reading all.
#pragma once

#include "gpu/gpu_file.h"

#include <filesystem>
#include <vector>

namespace forewarp::gpu {

/// Identity lines (name, aliases, ...) of every *.toml, bases included, sorted by path; `values` stay empty.
/// Errors: not_found (no such folder, no file in it), bad_input (a file that is not TOML).
Result<std::vector<GpuFile>> read_index(const std::filesystem::path& directory);

/// Paths of the folder's GPU files, sorted.
Result<std::vector<std::filesystem::path>> gpu_paths(const std::filesystem::path& directory);

} // namespace forewarp::gpu
