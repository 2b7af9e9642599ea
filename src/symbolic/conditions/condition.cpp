#include "symbolic/conditions/condition.h"

#include <fmt/format.h>

#include <algorithm>

namespace forewarp::symbolic {
namespace {

/// More alternatives are not kept: the condition is then of no known value.
constexpr std::size_t most_alternatives = 32;

bool contradict(const Comparison& a, const Comparison& b) {
  if (a.kind == Comparison::Kind::unknown || b.kind == Comparison::Kind::unknown)
    return a.kind == b.kind && a.negated != b.negated && a.location.line == b.location.line &&
           a.value == b.value;
  const auto zero = Comparison::Kind::zero, not_zero = Comparison::Kind::not_zero;
  if ((a.kind == zero && b.kind == not_zero) || (a.kind == not_zero && b.kind == zero))
    return a.value == b.value;
  if (a.kind == Comparison::Kind::not_negative && b.kind == Comparison::Kind::not_negative)
    if (const auto sum = constant_sum(a.value, b.value))
      return sum->sign() < 0;
  return false;
}

/// False: never true.
bool add(Conjunction& all, const Comparison& one) {
  for (const Comparison& known : all) {
    if (known == one)
      return true;
    if (contradict(known, one))
      return false;
  }
  all.push_back(one);
  return true;
}

Condition too_many() {
  return Condition::of({.kind = Comparison::Kind::unknown,
                        .value = Expression::beyond("a condition with too many alternatives")});
}

Condition pruned(Condition&& a) {
  for (const Conjunction& one : a.any_of)
    if (one.empty())
      return Condition::always();
  return a.any_of.size() > most_alternatives ? too_many() : std::move(a);
}

/// Divided by what all its coefficients share; the same truth.
Expression primitive(const Comparison& c) {
  const Expression atom = c.kind == Comparison::Kind::not_negative ? not_negative(c.value) : is_zero(c.value);
  if (atom.terms().size() != 1 || atom.terms().begin()->second.factors.size() != 1)
    return c.value;
  const Atom& only = *atom.terms().begin()->second.factors[0].first;
  return only.kind == AtomKind::not_negative || only.kind == AtomKind::is_zero ? only.a : c.value;
}

/// a != 0 beside a >= 0 is a >= 1; beside a >= 1 it says nothing.
void sharpen(Conjunction& all, const Ranges& ranges) {
  const auto lower_end = [&](const Expression& a) -> std::optional<Rational> {
    std::optional<Rational> low = bounds(a, ranges).low;
    for (const Comparison& c : all)
      if (c.kind == Comparison::Kind::not_negative)
        if (const auto apart = constant_difference(a, c.value); apart && (!low || *low < *apart))
          low = apart;
    return low;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < all.size() && !changed; ++i) {
      if (all[i].kind != Comparison::Kind::not_zero)
        continue;
      for (const int sign : {1, -1}) {
        const Expression a = all[i].value.scaled(sign);
        const auto low = lower_end(a);
        if (!low || low->sign() < 0)
          continue;
        if (low->sign() > 0) {
          all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
        } else {
          all[i].kind = Comparison::Kind::not_negative;
          all[i].value = a - Expression(1);
        }
        changed = true;
        break;
      }
    }
  }
}

enum class Truth { holds, fails, open };
Truth decide(const Comparison& c, const Ranges& ranges) {
  if (c.kind == Comparison::Kind::unknown)
    return Truth::open;
  const Interval range = bounds(c.value, ranges);
  const bool positive = range.low && range.low->sign() > 0, negative = range.high && range.high->sign() < 0;
  if (c.kind == Comparison::Kind::not_negative)
    return range.low && range.low->sign() >= 0 ? Truth::holds : negative ? Truth::fails : Truth::open;
  const bool is_zero = range.low && range.high && range.low->sign() == 0 && range.high->sign() == 0;
  if (c.kind == Comparison::Kind::zero)
    return is_zero ? Truth::holds : positive || negative ? Truth::fails : Truth::open;
  return is_zero ? Truth::fails : positive || negative ? Truth::holds : Truth::open;
}

} // namespace

bool Condition::is_always() const {
  return std::any_of(any_of.begin(), any_of.end(), [](const Conjunction& c) { return c.empty(); });
}
bool Condition::has_unknown() const {
  for (const Conjunction& all : any_of)
    for (const Comparison& one : all)
      if (one.kind == Comparison::Kind::unknown)
        return true;
  return false;
}

Condition both(const Condition& a, const Condition& b) {
  Condition result;
  for (const Conjunction& x : a.any_of)
    for (const Conjunction& y : b.any_of) {
      Conjunction all = x;
      if (std::all_of(y.begin(), y.end(), [&](const Comparison& c) { return add(all, c); }))
        result.any_of.push_back(std::move(all));
      if (result.any_of.size() > most_alternatives)
        return too_many();
    }
  return pruned(std::move(result));
}

Condition either(const Condition& a, const Condition& b) {
  Condition result = a;
  for (const Conjunction& one : b.any_of)
    if (std::find(result.any_of.begin(), result.any_of.end(), one) == result.any_of.end())
      result.any_of.push_back(one);
  // x, y or x, not y: x
  for (std::size_t i = 0; i < result.any_of.size(); ++i)
    for (std::size_t j = i + 1; j < result.any_of.size(); ++j) {
      const Conjunction &x = result.any_of[i], &y = result.any_of[j];
      if (x.size() != y.size())
        continue;
      Conjunction same;
      std::size_t opposite = 0;
      for (const Comparison& c : x)
        if (std::find(y.begin(), y.end(), c) != y.end())
          same.push_back(c);
        else
          for (const Comparison& d : y)
            if (contradict(c, d) &&
                (c.kind != Comparison::Kind::not_negative || (c.value + d.value).constant() == Rational(-1)))
              ++opposite;
      if (same.size() + 1 == x.size() && opposite == 1) {
        result.any_of[i] = std::move(same);
        result.any_of.erase(result.any_of.begin() + static_cast<std::ptrdiff_t>(j));
        return either(result, Condition::never());
      }
    }
  return pruned(std::move(result));
}

Condition simplify(const Condition& a, const std::map<std::string, Expression>& values,
                   const Ranges& ranges) {
  Condition result;
  for (const Conjunction& all : a.any_of) {
    Conjunction kept;
    bool possible = true;
    for (Comparison one : all) {
      if (one.kind != Comparison::Kind::unknown) {
        one.value = simplify(substitute(one.value, values), ranges);
        if (!one.value.known())
          one.kind = Comparison::Kind::unknown;
        else if (!one.value.constant())
          one.value = primitive(one);
      }
      const Truth truth = decide(one, ranges);
      if (truth == Truth::fails || (truth == Truth::open && !add(kept, one))) {
        possible = false;
        break;
      }
    }
    if (!possible)
      continue;
    sharpen(kept, ranges);
    result.any_of.push_back(std::move(kept));
  }
  return pruned(std::move(result));
}

std::string text(const Condition& a) {
  if (a.is_always())
    return "always";
  if (a.is_never())
    return "never";
  std::string result;
  for (const Conjunction& all : a.any_of) {
    std::string one;
    for (const Comparison& c : all) {
      one += one.empty() ? "" : " and ";
      if (c.kind == Comparison::Kind::unknown)
        one += fmt::format("{}(data at line {})", c.negated ? "not " : "", c.location.line);
      else
        one += c.value.text() + (c.kind == Comparison::Kind::not_negative ? " >= 0"
                                 : c.kind == Comparison::Kind::zero       ? " == 0"
                                                                          : " != 0");
    }
    result += (result.empty() ? "" : " or ") + one;
  }
  return result;
}

} // namespace forewarp::symbolic
