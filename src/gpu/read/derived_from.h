// The field `derived_from` of a value, of a rule or of a suite's board.
#pragma once

#include "gpu/provenance.h"

#include "support/toml.h"
#include <string>
#include <vector>

namespace forewarp::gpu {

/// `node` is the list behind `derived_from`, `what` the thing that has it (for errors, which say file, line
/// and column). Errors (bad_input): no list of tables, no suite or one that nobody knows (the nearest is
/// named), a field that is none of suite, kernels and gpus.
Result<std::vector<MeasuredRows>> read_derived_from(const toml::node& node, const std::string& what,
                                                    const std::string& path);

} // namespace forewarp::gpu
