// The one table of what a GPU file may say: key, unit, kind, range.
#pragma once

#include "facts/op_class.h"
#include "gpu/gpu_file.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::gpu {

enum class ValueKind { number, text, list };

struct KeyRule {
  std::string_view key; ///< "sm_count"; a family of keys ends in '*': "throughput.*"
  std::string_view unit;
  ValueKind kind = ValueKind::number;
  double least = 0, most = 0;
  std::string_view meaning;
  std::string_view words = {}; ///< of a text: those that are allowed, separated by blanks; "": any
};

const std::vector<KeyRule>& key_rules();

/// The rule of `key`; for `throughput.<op>` and its like the part after the dot has to be an operation class
/// or, for `unit.<name>.*`, a unit name of lower-case letters, digits and '_'.
std::optional<KeyRule> rule_of(std::string_view key);

/// Known keys near to a wrong one, families written out.
std::vector<std::string> nearest_keys(std::string_view key);

std::optional<ValueSource> source_from_string(std::string_view name);
std::string_view to_string(ValueSource source);
std::string_view to_string(ValueKind kind);

/// Checks kind, unit and range of `value` against `rule`; the error has no place yet.
Result<void> check_value(const KeyRule& rule, std::string_view key, const Value& value);

/// "throughput." + name of the class.
std::string op_key(std::string_view family, facts::OpClass op);

} // namespace forewarp::gpu
