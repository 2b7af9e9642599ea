// Sums of many expressions, without a copy of what is already there for each.
#pragma once

#include "symbolic/algebra/expression.h"

namespace forewarp::symbolic {

using Terms = std::map<std::string, Term>;
using Factors = std::vector<std::pair<std::shared_ptr<const Atom>, unsigned>>;

/// The key of a product in Terms; `factors` in the order of their texts.
std::string key_of(const Factors& factors);
/// Adds to the term with this key; one that becomes 0 goes.
void add_term(Terms& terms, const std::string& key, const Term& term);

class Adder {
public:
  void add(const Expression& a);
  void add(const std::string& key, const Term& term);
  /// Beyond the algebra where one of what was added is, by the first reason.
  Expression sum() &&;

private:
  Terms terms_;
  std::optional<Expression> beyond_;
};

} // namespace forewarp::symbolic
