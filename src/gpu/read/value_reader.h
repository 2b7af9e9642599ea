// One value of a GPU file: { value = 1530, unit = "MHz", source = "datasheet", ref = "..." }.
#pragma once

#include "gpu/gpu_file.h"
#include "gpu/provenance.h"

#include "support/toml.h"
#include <string>
#include <string_view>

namespace forewarp::gpu {

/// "path:line:column" of a node.
std::string place(const toml::node& node, const std::string& path);

/// Reads and checks a value. `free_form`: in a value set, keys that the schema does not know are allowed.
Result<Value> read_value(const toml::node& node, const std::string& key, const std::string& path,
                         bool free_form);

/// The measured rows behind the value (its field `derived_from`); none where it has no such field.
Result<std::vector<MeasuredRows>> read_rows_behind(const toml::node& value, const std::string& key,
                                                   const std::string& path);

} // namespace forewarp::gpu
