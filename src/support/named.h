// Tables of named things (predictors, models, reports, formats, ...): one way to list, find and refuse a
// name. A row has a member `name`.
#pragma once

#include "support/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace forewarp {

template <class Row> std::vector<std::string> names_of(const std::vector<Row>& table) {
  std::vector<std::string> names;
  for (const Row& row : table)
    names.emplace_back(row.name);
  return names;
}

/// Null: no row of that name.
template <class Row> const Row* find_row(const std::vector<Row>& table, std::string_view name) {
  for (const Row& row : table)
    if (name == row.name)
      return &row;
  return nullptr;
}

/// "did you mean 'x'?" with the nearest of the names, else "one of a, b, c".
std::string hint_for(std::string_view wanted, const std::vector<std::string>& names);

/// What the caller calls such a thing, and where the name was read.
struct NamedKind {
  std::string what;  ///< "unknown format": the name follows in quotes
  std::string where; ///< option or key; may be empty
  ErrorCode code = ErrorCode::usage;
};

tl::unexpected<Error> refuse_name(const NamedKind& kind, std::string_view wanted,
                                  const std::vector<std::string>& names);

/// The row, or an error of the kind's code with hint_for's hint.
template <class Row>
Result<const Row*> find_named(const std::vector<Row>& table, std::string_view name, const NamedKind& kind) {
  if (const Row* row = find_row(table, name))
    return row;
  return refuse_name(kind, name, names_of(table));
}

} // namespace forewarp
