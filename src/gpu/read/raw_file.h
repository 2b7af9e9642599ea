// One TOML file as it stands, before `extends`.
#pragma once

#include "gpu/gpu_file.h"
#include "gpu/provenance.h"

#include <optional>
#include <string>
#include <string_view>

namespace forewarp::gpu {

struct RawFile {
  GpuFile file;          ///< only what this file says itself
  Provenance provenance; ///< of the main values that this file says itself
  std::optional<std::string> extends;
  std::string extends_where; ///< "file:line:column" of the `extends` line
  bool says_default_for = false, says_aliases = false;
};

/// Parses and checks against the schema. Errors (bad_input) carry file:line:column.
Result<RawFile> parse_raw(std::string_view text, const std::string& path);

/// `parse_raw` of a file on disk.
Result<RawFile> read_raw(const std::filesystem::path& path);

} // namespace forewarp::gpu
