#include "symbolic/conditions/implication.h"

#include <algorithm>
#include <functional>

namespace forewarp::symbolic {
namespace {

using Kind = Comparison::Kind;
/// A comparison that is not asked: none of them.
constexpr std::size_t none = SIZE_MAX;
/// All of the comparisons but one imply `b`.
using Implies = std::function<bool(const Conjunction&, std::size_t but, const Comparison& b)>;

/// a >= 0 implies b >= 0.
bool implies(const Comparison& a, const Comparison& b) {
  if (a == b)
    return true;
  if (a.kind != Kind::not_negative || b.kind != Kind::not_negative)
    return false;
  const auto apart = constant_difference(b.value, a.value);
  return apart && apart->sign() >= 0;
}
bool one_implies(const Conjunction& all, std::size_t but, const Comparison& b) {
  for (std::size_t i = 0; i < all.size(); ++i)
    if (i != but && implies(all[i], b))
      return true;
  return false;
}

/// `value` is not negative where none of `all` is: it is a sum of some of them, with positive factors, and
/// of what the ranges show.
bool is_sum_of(const Conjunction& all, std::size_t but, const Expression& value, const Ranges& ranges,
               unsigned most_added) {
  if (never_negative(value, ranges))
    return true;
  for (std::size_t i = 0; i < all.size() && most_added > 0; ++i) {
    if (i == but || all[i].kind != Kind::not_negative)
      continue;
    std::optional<Rational> before;
    for (const auto& [key, term] : all[i].value.terms()) {
      const auto here = key.empty() ? value.terms().end() : value.terms().find(key);
      if (here == value.terms().end())
        continue;
      const Rational factor = here->second.coefficient / term.coefficient;
      if (factor.sign() <= 0 || (before && *before == factor))
        continue;
      before = factor;
      if (is_sum_of(all, but, value - all[i].value.scaled(factor), ranges, most_added - 1))
        return true;
    }
  }
  return false;
}

Conjunction needed_of(const Conjunction& all, const Implies& imply) {
  Conjunction kept = all;
  for (std::size_t i = kept.size(); i-- > 0;)
    if (imply(kept, i, kept[i]))
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(i));
  return kept;
}

Condition reduced_by(const Condition& a, const Implies& imply) {
  const auto contains = [&](const Conjunction& inner, const Conjunction& outer) {
    return std::all_of(outer.begin(), outer.end(),
                       [&](const Comparison& c) { return imply(inner, none, c); });
  };
  Condition result;
  for (const Conjunction& all : a.any_of) {
    Conjunction kept = needed_of(all, imply);
    const bool inside = std::any_of(result.any_of.begin(), result.any_of.end(),
                                    [&](const Conjunction& other) { return contains(kept, other); });
    if (inside)
      continue;
    std::erase_if(result.any_of, [&](const Conjunction& other) { return contains(other, kept); });
    result.any_of.push_back(std::move(kept));
  }
  return result;
}

} // namespace

Condition reduced(const Condition& a) {
  return reduced_by(a, one_implies);
}

Condition reduced(const Condition& a, const Ranges& ranges) {
  constexpr unsigned most_added = 2;
  return reduced_by(a, [&](const Conjunction& all, std::size_t but, const Comparison& b) {
    return one_implies(all, but, b) ||
           (b.kind == Kind::not_negative && is_sum_of(all, but, b.value, ranges, most_added));
  });
}

} // namespace forewarp::symbolic
