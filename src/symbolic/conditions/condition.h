// Conditions of branches over expressions.
#pragma once

#include "facts/source_location.h"
#include "symbolic/algebra/ranges.h"

#include <vector>

namespace forewarp::symbolic {

/// W, Definition 9: a comparison of structural values, or a condition that depends on data or is beyond the
/// algebra, of which only the place is known.
struct Comparison {
  enum class Kind : std::uint8_t { not_negative, zero, not_zero, unknown } kind = Kind::not_negative;
  Expression value; ///< unknown: beyond the algebra, with the reason
  facts::SourceLocation location = {};
  bool negated = false; ///< unknown only: the other way of the same condition
  bool operator==(const Comparison& other) const {
    return kind == other.kind && negated == other.negated && value == other.value &&
           location.line == other.location.line;
  }
};

/// All of them hold.
using Conjunction = std::vector<Comparison>;

/// One of the conjunctions holds. Empty: never; an empty conjunction: always.
struct Condition {
  std::vector<Conjunction> any_of;
  static Condition always() { return {{Conjunction{}}}; }
  static Condition never() { return {}; }
  static Condition of(Comparison comparison) { return {{Conjunction{std::move(comparison)}}}; }
  bool is_always() const;
  bool is_never() const { return any_of.empty(); }
  bool has_unknown() const;
};

Condition both(const Condition& a, const Condition& b);
Condition either(const Condition& a, const Condition& b);
/// Symbols replaced, comparisons that the ranges decide taken out.
Condition simplify(const Condition& a, const std::map<std::string, Expression>& values, const Ranges& ranges);
std::string text(const Condition& a);

} // namespace forewarp::symbolic
