// The facts file: ModelFacts as JSON, written by --facts-out, edited by people, read by --facts.
#pragma once

#include "facts/model_facts.h"
#include "support/result.h"

#include <string>

namespace forewarp::models {

inline constexpr int facts_schema_version = 1;

/// Two-space indented JSON; one instruction of a graph and one row of the mix a line.
std::string facts_to_json(const facts::ModelFacts& facts);

/// `name` is the file's name for messages. Errors (bad_input, with file and the JSON pointer of the place):
/// syntax, a missing or unknown key, a wrong type, a negative or non-finite number, an index out of range, a
/// dependence that does not point backwards (a cycle), a barrier that some warps of a group do not reach.
Result<facts::ModelFacts> facts_from_json(const std::string& text, const std::string& name);

/// The checks of `facts_from_json` that are not about JSON, for facts made elsewhere. `where` as in the
/// errors above.
Result<void> check_facts(const facts::ModelFacts& facts, const std::string& name);

} // namespace forewarp::models
