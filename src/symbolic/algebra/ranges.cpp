#include "symbolic/algebra/ranges.h"

#include "symbolic/algebra/adder.h"

#include <algorithm>

namespace forewarp::symbolic {
namespace {

using End = std::optional<Rational>;

End checked(const Rational& value) {
  return value.fits() ? End(value) : std::nullopt;
}
Interval sum(const Interval& x, const Interval& y) {
  return {x.low && y.low ? checked(*x.low + *y.low) : End(),
          x.high && y.high ? checked(*x.high + *y.high) : End()};
}
Interval scaled(const Interval& x, const Rational& factor) {
  const End a = x.low ? checked(*x.low * factor) : End(), b = x.high ? checked(*x.high * factor) : End();
  return factor.sign() >= 0 ? Interval{a, b} : Interval{b, a};
}
/// An end that is not known is left out, unless the other factor is never negative.
Interval product(const Interval& x, const Interval& y) {
  if (x.low && x.high && y.low && y.high) {
    Interval out;
    for (const Rational& a : {*x.low, *x.high})
      for (const Rational& b : {*y.low, *y.high}) {
        const Rational value = a * b;
        if (!value.fits())
          return {};
        if (!out.low || value < *out.low)
          out.low = value;
        if (!out.high || *out.high < value)
          out.high = value;
      }
    return out;
  }
  const auto positive = [](const Interval& i) { return i.low && i.low->sign() >= 0; };
  if (positive(x) && positive(y))
    return {checked(*x.low * *y.low), std::nullopt};
  return {};
}
Interval smaller(const Interval& x, const Interval& y) {
  Interval out;
  if (x.low && y.low)
    out.low = std::min(*x.low, *y.low);
  if (x.high || y.high)
    out.high = !x.high ? y.high : !y.high ? x.high : std::min(*x.high, *y.high);
  return out;
}
Interval larger(const Interval& x, const Interval& y) {
  const Interval out = smaller(scaled(x, -1), scaled(y, -1));
  return scaled(out, -1);
}
Interval quotient(const Interval& x, const Interval& y) {
  if (!y.low || y.low->sign() <= 0)
    return {};
  Interval out;
  if (x.low) {
    if (x.low->sign() >= 0)
      out.low = y.high ? End((*x.low / *y.high).floor()) : End(Rational(0));
    else
      out.low = (*x.low / *y.low).floor();
  }
  if (x.high) {
    if (x.high->sign() >= 0)
      out.high = (*x.high / *y.low).floor();
    else
      out.high = y.high ? End((*x.high / *y.high).floor()) : End(Rational(-1));
  }
  return out;
}
End power(const End& exponent, bool upwards) {
  if (!exponent)
    return upwards ? End() : End(Rational(0));
  const auto value = power_of_two(Expression(Rational(exponent->floor()))).constant();
  return value || upwards ? value : End(Rational(0));
}
Rational bits(const Rational& value) {
  return *bit_length(Expression(Rational(value.floor()))).constant();
}

Interval of_atom(const Atom& atom, const Ranges& ranges) {
  if (atom.kind == AtomKind::symbol) {
    const auto found = ranges.find(atom.name);
    return found == ranges.end() ? Interval{} : found->second;
  }
  const Interval a = bounds(atom.a, ranges), b = bounds(atom.b, ranges);
  switch (atom.kind) {
  case AtomKind::floor_div:
    return quotient(a, b);
  case AtomKind::minimum:
    return smaller(a, b);
  case AtomKind::maximum:
    return larger(a, b);
  case AtomKind::power_of_two:
    return {power(a.low, false), power(a.high, true)};
  case AtomKind::bit_length:
    return {a.low ? End(bits(*a.low)) : End(Rational(0)), a.high ? End(bits(*a.high)) : End()};
  case AtomKind::not_negative:
    return {a.low && a.low->sign() >= 0 ? Rational(1) : Rational(0),
            a.high && a.high->sign() < 0 ? Rational(0) : Rational(1)};
  default: // a condition
    return {Rational(0),
            (a.low && a.low->sign() > 0) || (a.high && a.high->sign() < 0) ? Rational(0) : Rational(1)};
  }
}

/// Nothing where the atom stays as it is.
std::optional<Expression> simplified(const Atom& atom, const Ranges& ranges) {
  if (atom.kind == AtomKind::symbol) {
    const auto found = ranges.find(atom.name);
    if (found != ranges.end() && found->second.low && found->second.low == found->second.high)
      return Expression(*found->second.low);
    return std::nullopt;
  }
  const Expression a = simplify(atom.a, ranges), b = simplify(atom.b, ranges);
  const bool same = a == atom.a && b == atom.b;
  if (same && atom.kind != AtomKind::minimum && atom.kind != AtomKind::maximum) {
    const Interval range = of_atom(atom, ranges);
    if (range.low && range.high && *range.low == *range.high)
      return Expression(*range.low);
    return std::nullopt;
  }
  Expression value;
  switch (atom.kind) {
  case AtomKind::floor_div:
    value = floor_div(a, b);
    break;
  case AtomKind::minimum:
  case AtomKind::maximum: {
    const Interval apart = bounds(a - b, ranges);
    const bool least = atom.kind == AtomKind::minimum;
    if (apart.high && apart.high->sign() <= 0)
      return least ? a : b;
    if (apart.low && apart.low->sign() >= 0)
      return least ? b : a;
    if (same)
      return std::nullopt;
    return least ? minimum(a, b) : maximum(a, b);
  }
  case AtomKind::power_of_two:
    value = power_of_two(a);
    break;
  case AtomKind::bit_length:
    value = bit_length(a);
    break;
  case AtomKind::not_negative:
    value = not_negative(a);
    break;
  default:
    value = is_zero(a);
  }
  const Interval range = bounds(value, ranges);
  if (range.low && range.high && *range.low == *range.high)
    return Expression(*range.low);
  return value;
}

} // namespace

namespace {
/// k (x - c floor(x / c)) + constant lies from constant to k (c - 1) + constant (k > 0; mirrored for k < 0).
std::optional<Interval> of_remainder(const Expression& a) {
  for (const auto& [key, term] : a.terms()) {
    if (term.factors.size() != 1 || term.factors[0].second != 1 ||
        term.factors[0].first->kind != AtomKind::floor_div)
      continue;
    const Atom& atom = *term.factors[0].first;
    const auto divisor = atom.b.constant();
    if (!divisor)
      continue;
    const Rational k = term.coefficient / *divisor * Rational(-1);
    const Expression others = a - Expression::of_terms({{key, term}});
    const auto left = (others - atom.a.scaled(k)).constant();
    if (!left)
      continue;
    const Rational far = k * (*divisor - Rational(1)) + *left;
    return k.sign() > 0 ? Interval{left, far} : Interval{far, left};
  }
  return std::nullopt;
}
} // namespace

Interval bounds(const Expression& a, const Ranges& ranges) {
  if (!a.known())
    return {};
  const std::optional<Interval> remainder = of_remainder(a);
  Interval all = Interval::exactly(0);
  for (const auto& [key, term] : a.terms()) {
    Interval one = Interval::exactly(1);
    for (const auto& [atom, exponent] : term.factors) {
      const Interval part = of_atom(*atom, ranges);
      for (unsigned i = 0; i < exponent; ++i)
        one = product(one, part);
    }
    all = sum(all, scaled(one, term.coefficient));
  }
  if (remainder) {
    if (!all.low || *all.low < *remainder->low)
      all.low = remainder->low;
    if (!all.high || *remainder->high < *all.high)
      all.high = remainder->high;
  }
  return all;
}

bool never_negative(const Expression& a, const Ranges& ranges) {
  const Interval range = bounds(a, ranges);
  return range.low && range.low->sign() >= 0;
}

Expression simplify(const Expression& a, const Ranges& ranges) {
  if (!a.known())
    return a;
  Adder sum;
  bool changed = false;
  for (const auto& [key, term] : a.terms()) {
    Term same{term.coefficient, {}};
    std::optional<Expression> product;
    for (const auto& [atom, exponent] : term.factors) {
      const std::optional<Expression> part = simplified(*atom, ranges);
      if (!part) {
        same.factors.emplace_back(atom, exponent);
        continue;
      }
      for (unsigned i = 0; i < exponent; ++i)
        product = product ? *product * *part : *part;
    }
    changed = changed || product;
    if (!product)
      sum.add(key, term);
    else
      sum.add(*product * Expression::of_terms({{key_of(same.factors), same}}));
  }
  return changed ? std::move(sum).sum() : a;
}

} // namespace forewarp::symbolic
