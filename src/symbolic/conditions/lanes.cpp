#include "symbolic/conditions/lanes.h"

#include "symbolic/conditions/implication.h"
#include "symbolic/kernel/names.h"

#include <algorithm>

namespace forewarp::symbolic {
namespace {

using Kind = Comparison::Kind;
/// Alternatives that are multiplied out.
constexpr std::size_t most_multiplied = 8;

Comparison at_least_zero(Expression value, const Comparison& like) {
  return {Kind::not_negative, std::move(value), like.location};
}

std::optional<bool> holds(const Comparison& c, const std::map<std::string, std::int64_t>& at) {
  const auto value = evaluate(c.value, at);
  if (!value)
    return std::nullopt;
  return c.kind == Kind::not_negative ? value->sign() >= 0 : (value->sign() == 0) == (c.kind == Kind::zero);
}

/// max(a, b), or what grows or falls with one: the two that it is the larger or smaller of.
struct OneOfTwo {
  Expression a, b;
  bool largest = true;
};
/// Of coefficient * atom; floor((k max(a, b) + c) / d) is max(floor((k a + c) / d), floor((k b + c) / d)) for
/// k > 0.
std::optional<OneOfTwo> one_of_two(const Atom& atom, const Rational& coefficient,
                                   const std::string& variable) {
  if (!(atom.a.depends_on(variable) || atom.b.depends_on(variable)))
    return std::nullopt;
  const bool grows = coefficient.sign() > 0;
  if (atom.kind == AtomKind::minimum || atom.kind == AtomKind::maximum)
    return OneOfTwo{atom.a.scaled(coefficient), atom.b.scaled(coefficient),
                    (atom.kind == AtomKind::maximum) == grows};
  if (atom.kind != AtomKind::floor_div || !atom.b.constant())
    return std::nullopt;
  for (const auto& [key, term] : atom.a.terms()) {
    if (term.factors.size() != 1 || term.factors[0].second != 1)
      continue;
    const auto inner = one_of_two(*term.factors[0].first, term.coefficient, variable);
    if (!inner)
      continue;
    const Expression rest = atom.a - Expression::of_terms({{key, term}});
    return OneOfTwo{floor_div(rest + inner->a, atom.b).scaled(coefficient),
                    floor_div(rest + inner->b, atom.b).scaled(coefficient), inner->largest == grows};
  }
  return std::nullopt;
}

/// max(a, b) >= 0 is a >= 0 or b >= 0; min(a, b) >= 0 is both. One such atom is opened at a time.
std::optional<Condition> opened(const Comparison& c, const std::string& variable) {
  if (c.kind != Kind::not_negative)
    return std::nullopt;
  for (const auto& [key, term] : c.value.terms()) {
    if (term.factors.size() != 1 || term.factors[0].second != 1)
      continue;
    const auto two = one_of_two(*term.factors[0].first, term.coefficient, variable);
    if (!two)
      continue;
    const Expression rest = c.value - Expression::of_terms({{key, term}});
    const Condition x = Condition::of(at_least_zero(rest + two->a, c));
    const Condition y = Condition::of(at_least_zero(rest + two->b, c));
    return two->largest ? either(x, y) : both(x, y);
  }
  return std::nullopt;
}

class Elimination {
public:
  Elimination(const LaneBox& box, const Ranges& ranges) : box_(box), ranges_(ranges) {
    for (unsigned axis = 0; axis < 3; ++axis)
      ranges_[item_name(axis)] = {Rational(box.low[axis]), Rational(box.high[axis])};
  }

  Condition run(const Condition& condition) { return without(simplify(condition, {}, ranges_), 0); }

private:
  Condition without(const Condition& condition, unsigned axis) {
    if (axis == 3)
      return reduced(condition);
    Condition result = Condition::never();
    for (const Conjunction& all : condition.any_of) {
      result = either(result, without(one_axis(all, axis), axis + 1));
      if (result.is_always())
        return result;
    }
    return reduced(result);
  }

  Condition with_value(const Conjunction& all, unsigned axis, const Expression& value) {
    return simplify(Condition{{all}}, {{item_name(axis), value}}, ranges_);
  }

  /// Some value of the axis meets all comparisons.
  Condition one_axis(const Conjunction& all, unsigned axis) {
    const std::string name = item_name(axis);
    if (box_.low[axis] == box_.high[axis])
      return with_value(all, axis, Expression(box_.low[axis]));
    Conjunction fixed, moving;
    for (const Comparison& c : all)
      (c.kind != Kind::unknown && c.value.depends_on(name) ? moving : fixed).push_back(c);
    if (moving.empty())
      return Condition{{all}};
    constexpr unsigned most_openings = 200; // beyond it the work-items are taken one by one
    for (std::size_t i = 0; i < moving.size() && openings_ < most_openings; ++i) {
      auto parts = opened(moving[i], name);
      if (!parts)
        continue;
      ++openings_;
      Conjunction others = all;
      std::erase(others, moving[i]);
      Condition sum = Condition::never();
      for (const Conjunction& part : parts->any_of) {
        const Condition joined = simplify(both(Condition{{others}}, Condition{{part}}), {}, ranges_);
        for (const Conjunction& one : joined.any_of)
          sum = either(sum, one_axis(one, axis));
      }
      return sum;
    }
    for (const Comparison& c : moving)
      if (c.kind == Kind::zero)
        if (const auto value = value_at_zero(c, name))
          return equal_to(all, c, axis, *value);
    if (const auto linear = by_ends(moving, axis))
      return simplify(both(Condition{{fixed}}, *linear), {}, ranges_);
    return simplify(both(Condition{{fixed}}, one_by_one(moving, axis)), {}, ranges_);
  }

  /// A v + B = 0, A a number: v, and what is left of a division.
  std::optional<std::pair<Expression, Expression>> value_at_zero(const Comparison& c,
                                                                 const std::string& name) {
    const auto linear = linear_in(c.value, name);
    const auto factor = linear ? linear->factor.constant() : std::nullopt;
    if (!factor || !factor->whole() || factor->sign() == 0)
      return std::nullopt;
    const Expression size{*factor * Rational(factor->sign())};
    const Expression right = factor->sign() > 0 ? -linear->rest : linear->rest;
    return std::pair{floor_div(right, size), modulo(right, size)};
  }
  Condition equal_to(const Conjunction& all, const Comparison& c, unsigned axis,
                     const std::pair<Expression, Expression>& value) {
    Conjunction rest = all;
    std::erase(rest, c);
    rest.push_back({Kind::zero, value.second, c.location});
    rest.push_back(at_least_zero(value.first - Expression(box_.low[axis]), c));
    rest.push_back(at_least_zero(Expression(box_.high[axis]) - value.first, c));
    return with_value(rest, axis, value.first);
  }

  /// Each lower end is at most each upper end (exact: one whole number, every pair of ends).
  std::optional<Condition> by_ends(const Conjunction& moving, unsigned axis) {
    struct End {
      Expression at;
      const Comparison* from;
    };
    std::vector<End> low, high;
    for (const Comparison& c : moving) {
      const auto linear = c.kind == Kind::not_negative ? linear_in(c.value, item_name(axis)) : std::nullopt;
      const auto factor = linear ? linear->factor.constant() : std::nullopt;
      if (!factor || !factor->whole())
        return std::nullopt;
      if (factor->sign() > 0)
        low.push_back({-floor_div(linear->rest, Expression(*factor)), &c});
      else
        high.push_back({floor_div(linear->rest, Expression(*factor * Rational(-1))), &c});
    }
    Conjunction all;
    for (const End& l : low)
      all.push_back(at_least_zero(Expression(box_.high[axis]) - l.at, *l.from));
    for (const End& h : high)
      all.push_back(at_least_zero(h.at - Expression(box_.low[axis]), *h.from));
    for (const End& l : low)
      for (const End& h : high)
        all.push_back(at_least_zero(h.at - l.at, *l.from));
    return Condition{{all}};
  }

  Condition one_by_one(const Conjunction& all, unsigned axis) {
    const std::string name = item_name(axis);
    Conjunction numbers, others; // what the value alone decides, and the rest
    for (const Comparison& c : all)
      (c.value.symbols() == std::set{name} ? numbers : others).push_back(c);
    Condition result = Condition::never();
    for (std::int64_t v = box_.low[axis]; v <= box_.high[axis]; ++v) {
      Conjunction open = others;
      bool possible = true;
      for (const Comparison& c : numbers) {
        const std::optional<bool> decided = holds(c, {{name, v}});
        possible = possible && decided.value_or(true);
        if (!decided)
          open.push_back(c);
      }
      if (!possible)
        continue;
      Condition one = with_value(open, axis, Expression(v));
      for (Conjunction& way : one.any_of)
        result.any_of.push_back(std::move(way));
      result = reduced(result);
      if (result.is_always())
        break;
    }
    return result;
  }

  const LaneBox& box_;
  Ranges ranges_;
  unsigned openings_ = 0;
};

} // namespace

std::vector<LaneBox> lanes_of(const std::array<std::int64_t, 3>& group_size, unsigned warp_width,
                              unsigned warp) {
  const auto [x, y, z] = group_size;
  const std::int64_t first = std::int64_t{warp} * warp_width, end = std::min(first + warp_width, x * y * z);
  std::vector<LaneBox> boxes;
  for (std::int64_t at = first; at < end;) {
    const std::int64_t column = at % x, row = at / x % y, plane = at / (x * y), left = end - at;
    if (column == 0 && row == 0 && left >= x * y) {
      const std::int64_t planes = left / (x * y);
      boxes.push_back({{0, 0, plane}, {x - 1, y - 1, plane + planes - 1}});
      at += planes * x * y;
    } else if (column == 0 && left >= x) {
      const std::int64_t rows = std::min(left / x, y - row);
      boxes.push_back({{0, row, plane}, {x - 1, row + rows - 1, plane}});
      at += rows * x;
    } else {
      const std::int64_t items = std::min(left, x - column);
      boxes.push_back({{column, row, plane}, {column + items - 1, row, plane}});
      at += items;
    }
  }
  return boxes;
}

bool moves_with_items(const Condition& condition) {
  for (const Conjunction& all : condition.any_of)
    for (const Comparison& c : all)
      for (unsigned axis = 0; axis < 3; ++axis)
        if (c.value.depends_on(item_name(axis)))
          return true;
  return false;
}

Condition any_lane(const Condition& condition, const std::vector<LaneBox>& boxes, const Ranges& ranges) {
  Condition result = Condition::never();
  const bool moves = moves_with_items(condition);
  for (const LaneBox& box : boxes) {
    if (!moves && &box != &boxes.front())
      break; // the same for every lane
    const Condition here = Elimination(box, ranges).run(condition);
    for (const Conjunction& way : here.any_of)
      result.any_of.push_back(way);
    result = reduced(result);
    if (result.is_always())
      return Condition::always();
  }
  return result.any_of.size() <= most_multiplied ? reduced(result, ranges) : result;
}

Expression indicator(const Condition& condition, std::vector<Comparison>& assumed) {
  if (condition.is_always())
    return 1;
  if (condition.any_of.size() > most_multiplied)
    return Expression::beyond("a condition with too many alternatives");
  Expression none = 1;
  for (const Conjunction& all : condition.any_of) {
    Expression one = 1;
    for (const Comparison& c : all) {
      if (c.kind == Kind::unknown) {
        if (std::find(assumed.begin(), assumed.end(), c) == assumed.end())
          assumed.push_back(c);
        continue;
      }
      one *= c.kind == Kind::not_negative ? not_negative(c.value)
             : c.kind == Kind::zero       ? is_zero(c.value)
                                          : Expression(1) - is_zero(c.value);
    }
    none *= Expression(1) - one;
  }
  return Expression(1) - none;
}

} // namespace forewarp::symbolic
