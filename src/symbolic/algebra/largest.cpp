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
  const auto beyond = [&] {
    return Expression::beyond(fmt::format("{} over {}", atom.key, range.symbol));
  };
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

Expression end_of(const Expression& a, const Range& range, bool upper) {
  if (!a.known() || !a.depends_on(range.symbol))
    return a;
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
