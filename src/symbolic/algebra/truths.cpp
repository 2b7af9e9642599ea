// Conditions as numbers: 1 where one holds, else 0.
#include "symbolic/algebra/coefficients.h"
#include "symbolic/algebra/expression.h"

#include <fmt/format.h>

#include <algorithm>

namespace forewarp::symbolic {
namespace {

/// a >= 0 without its one floor by a whole number: floor(x / d) + c >= 0 is x + c d >= 0, and c - floor(x /
/// d) >= 0 is (c + 1) d - 1 - x >= 0.
std::optional<Expression> without_floor(const Expression& a) {
  const Term* floor = nullptr;
  std::string key;
  for (const auto& [text, term] : a.terms())
    for (const auto& [atom, exponent] : term.factors) {
      if (atom->kind == AtomKind::power_of_two) // may be a fraction
        return std::nullopt;
      if (atom->kind != AtomKind::floor_div)
        continue;
      if (floor != nullptr || term.factors.size() != 1 || exponent != 1 || !atom->b.whole_constant())
        return std::nullopt;
      floor = &term;
      key = text;
    }
  if (floor == nullptr)
    return std::nullopt;
  const Atom& atom = *floor->factors[0].first;
  const Expression rest = a - Expression::of_terms({{key, *floor}});
  if (floor->coefficient == Rational(1))
    return atom.a + rest * atom.b;
  if (floor->coefficient == Rational(-1))
    return (rest + Expression(1)) * atom.b - Expression(1) - atom.a;
  return std::nullopt;
}

} // namespace

Expression not_negative(const Expression& a) {
  if (!a.known())
    return a;
  if (const auto number = a.constant())
    return number->sign() >= 0 ? 1 : 0;
  const Expression whole = a.scaled(Rational(denominator_of(a)));
  const Wide common = content_of(whole);
  const Expression reduced = whole.without_constant().scaled(Rational::ratio(1, common)) +
                             Expression(Rational(floor_quotient(whole.constant_part().numerator(), common)));
  if (const auto same = without_floor(reduced))
    return not_negative(*same);
  return Expression::of_atom(
      {AtomKind::not_negative, "", reduced, {}, fmt::format("[{} >= 0]", reduced.text())});
}

Expression is_zero(const Expression& a) {
  if (!a.known())
    return a;
  if (const auto number = a.constant())
    return number->sign() == 0 ? 1 : 0;
  const Expression whole = a.scaled(Rational(denominator_of(a)));
  const Wide common = content_of(whole);
  if (whole.constant_part().numerator() % common != 0)
    return 0;
  const auto first = std::find_if(whole.terms().begin(), whole.terms().end(),
                                  [](const auto& t) { return !t.first.empty(); });
  const Expression reduced =
      whole.scaled(Rational::ratio(first->second.coefficient.sign() < 0 ? -1 : 1, common));
  return Expression::of_atom({AtomKind::is_zero, "", reduced, {}, fmt::format("[{} == 0]", reduced.text())});
}

} // namespace forewarp::symbolic
