#include "symbolic/algebra/adder.h"
#include "symbolic/algebra/ranges.h"

#include <fmt/format.h>

namespace forewarp::symbolic {
namespace {

struct Range {
  const std::string& symbol;
  const Expression &low, &high;
  const Ranges& ranges;
};

Expression end_of(const Expression& a, const Range& range, bool upper);

Expression end_of(const Atom& atom, const Range& range, bool upper) {
  const auto beyond = [&] { return Expression::beyond(fmt::format("{} over {}", atom.key, range.symbol)); };
  switch (atom.kind) {
  case AtomKind::symbol:
    return upper ? range.high : range.low;
  case AtomKind::floor_div:
    return atom.b.constant() ? floor_div(end_of(atom.a, range, upper), atom.b) : beyond();
  case AtomKind::minimum:
    return minimum(end_of(atom.a, range, upper), end_of(atom.b, range, upper));
  case AtomKind::maximum:
    return maximum(end_of(atom.a, range, upper), end_of(atom.b, range, upper));
  case AtomKind::not_negative:
    return not_negative(end_of(atom.a, range, upper));
  default:
    return beyond();
  }
}

bool moves(const Term& term, const std::string& symbol) {
  return Expression::of_terms({{"", term}}).depends_on(symbol);
}

/// t floor((k v + r) / d) - t m v is t floor(((k - m d) v + r) / d), which canonical forms do not keep
/// together: whether it rises with v; nothing where `a` is not that and what does not move.
std::optional<bool> rises_as_one_floor(const Expression& a, const std::string& symbol) {
  const Term *floor = nullptr, *line = nullptr;
  for (const auto& [key, term] : a.terms()) {
    if (!moves(term, symbol))
      continue;
    if (term.factors.size() != 1 || term.factors[0].second != 1)
      return std::nullopt;
    const Term*& place = term.factors[0].first->kind == AtomKind::symbol ? line : floor;
    if (place != nullptr)
      return std::nullopt;
    place = &term;
  }
  if (floor == nullptr || line == nullptr || floor->factors[0].first->kind != AtomKind::floor_div)
    return std::nullopt;
  const Atom& atom = *floor->factors[0].first;
  const auto divisor = atom.b.constant();
  const auto linear = linear_in(atom.a, symbol);
  const auto factor = linear ? linear->factor.constant() : std::nullopt;
  if (!divisor || !factor || !(line->coefficient / floor->coefficient).whole())
    return std::nullopt;
  return (floor->coefficient * *factor / *divisor + line->coefficient).sign() > 0;
}

Expression end_of(const Expression& a, const Range& range, bool upper) {
  if (!a.known() || !a.depends_on(range.symbol))
    return a;
  if (const auto rises = rises_as_one_floor(a, range.symbol))
    return substitute(a, {{range.symbol, *rises == upper ? range.high : range.low}});
  Adder sum;
  for (const auto& [key, term] : a.terms()) {
    const Atom* moving = nullptr;
    Expression rest{term.coefficient};
    for (const auto& [atom, exponent] : term.factors) {
      const Expression one = Expression::of_atom(*atom);
      if (one.depends_on(range.symbol)) {
        if (moving != nullptr || exponent != 1)
          return Expression::beyond(fmt::format("{} over {}", key, range.symbol));
        moving = atom.get();
        continue;
      }
      for (unsigned i = 0; i < exponent; ++i)
        rest *= one;
    }
    if (moving == nullptr) {
      sum.add(key, term);
      continue;
    }
    const bool rises = never_negative(rest, range.ranges);
    if (!rises && !never_negative(-rest, range.ranges))
      return Expression::beyond(fmt::format("{} over {}", key, range.symbol));
    sum.add(rest * end_of(*moving, range, upper == rises));
  }
  return std::move(sum).sum();
}

} // namespace

Expression largest(const Expression& a, const std::string& symbol, const Expression& low,
                   const Expression& high, const Ranges& ranges) {
  return simplify(end_of(a, {symbol, low, high, ranges}, true), ranges);
}

} // namespace forewarp::symbolic
