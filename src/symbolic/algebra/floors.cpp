#include "symbolic/algebra/floors.h"

#include "symbolic/algebra/adder.h"

#include <fmt/format.h>

namespace forewarp::symbolic {
namespace {

/// Terms that differ in what is added inside of one floor.
struct Shifts {
  Term others; ///< without the floor
  Expression above;
  Wide below = 1;
  std::map<Wide, std::string> keys; ///< of the terms, by what is added
};

std::map<std::string, Shifts> shifts_of(const Expression& a) {
  std::map<std::string, Shifts> all;
  for (const auto& [key, term] : a.terms())
    for (std::size_t i = 0; i < term.factors.size(); ++i) {
      const auto& [atom, exponent] = term.factors[i];
      const auto below = atom->kind == AtomKind::floor_div ? atom->b.constant() : std::nullopt;
      if (exponent != 1 || !below || !below->whole() || !atom->a.constant_part().whole())
        continue;
      Term others = term;
      others.factors.erase(others.factors.begin() + static_cast<std::ptrdiff_t>(i));
      const Expression above = atom->a.without_constant();
      Shifts& shifts = all[fmt::format("{}|{}|{}|{}", term.coefficient.text(), key_of(others.factors),
                                       below->text(), above.text())];
      shifts.others = std::move(others);
      shifts.above = above;
      shifts.below = below->numerator();
      shifts.keys.emplace(atom->a.constant_part().numerator(), key);
    }
  return all;
}

/// The first of `count` shifts that lie evenly over the divisor.
std::optional<Wide> even(const Shifts& shifts, Wide count) {
  const Wide apart = shifts.below / count;
  for (const auto& [first, key] : shifts.keys) {
    Wide found = 0;
    while (found < count && shifts.keys.contains(first + found * apart))
      ++found;
    if (found == count)
      return first;
  }
  return std::nullopt;
}

std::optional<Expression> once(const Expression& a) {
  for (const auto& [text, shifts] : shifts_of(a))
    for (Wide count = static_cast<Wide>(shifts.keys.size()); count > 1; --count) {
      const auto first = shifts.below % count == 0 ? even(shifts, count) : std::nullopt;
      if (!first)
        continue;
      const Wide apart = shifts.below / count;
      Terms left = a.terms();
      for (Wide i = 0; i < count; ++i)
        left.erase(shifts.keys.at(*first + i * apart));
      const Expression one =
          floor_div(shifts.above + Expression(Rational(*first)), Expression(Rational(apart)));
      return Expression::of_terms(std::move(left)) +
             Expression::of_terms({{key_of(shifts.others.factors), shifts.others}}) * one;
    }
  return std::nullopt;
}

} // namespace

Expression floors_together(const Expression& a) {
  Expression sum = a;
  while (const auto next = once(sum))
    sum = *next;
  return sum;
}

} // namespace forewarp::symbolic
