#include "symbolic/program/program.h"

#include <algorithm>
#include <cmath>

namespace forewarp::symbolic {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool is_unary(Operation operation) {
  return operation == Operation::power_of_two || operation == Operation::bit_length ||
         operation == Operation::not_negative || operation == Operation::is_zero ||
         operation == Operation::ceiling || operation == Operation::logarithm ||
         operation == Operation::eight_bits;
}

bool commutes(Operation operation) {
  return operation == Operation::add || operation == Operation::multiply || operation == Operation::minimum ||
         operation == Operation::maximum;
}

/// The smallest interval that holds all four; what is no number (0 times infinity) is 0.
Bounds around(double a, double b, double c, double d) {
  const auto number = [](double x) { return std::isnan(x) ? 0 : x; };
  const auto [low, high] = std::minmax({number(a), number(b), number(c), number(d)});
  return {low, high};
}

Bounds product(const Bounds& a, const Bounds& b) {
  return around(a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high);
}

Bounds quotient(const Bounds& a, const Bounds& b) {
  if (b.low > 0 || b.high < 0) {
    if (!std::isfinite(a.low) && !std::isfinite(b.low))
      return {};
    return around(a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high);
  }
  return a.low >= 0 && b.low >= 0 ? Bounds{0, infinity} : Bounds{};
}

Bounds floored(const Bounds& a) {
  return {std::floor(a.low), std::floor(a.high)};
}

Bounds yes_or_no(bool always, bool never) {
  return {always ? 1.0 : 0.0, never ? 0.0 : 1.0};
}

Bounds bounds_of(Operation operation, const Bounds& a, const Bounds& b) {
  switch (operation) {
  case Operation::add:
    return {a.low + b.low, a.high + b.high};
  case Operation::subtract:
    return {a.low - b.high, a.high - b.low};
  case Operation::multiply:
    return product(a, b);
  case Operation::divide:
    return quotient(a, b);
  case Operation::floor_divide:
    return floored(quotient(a, b));
  case Operation::minimum:
    return {std::min(a.low, b.low), std::min(a.high, b.high)};
  case Operation::maximum:
    return {std::max(a.low, b.low), std::max(a.high, b.high)};
  case Operation::ceiling:
    return {std::ceil(a.low), std::ceil(a.high)};
  case Operation::power_of_two:
    return {std::exp2(a.low), std::exp2(a.high)};
  case Operation::bit_length:
    return {0, infinity};
  case Operation::not_negative:
    return yes_or_no(a.low >= 0, a.high < 0);
  case Operation::is_zero:
    return yes_or_no(a.low == 0 && a.high == 0, a.low > 0 || a.high < 0);
  case Operation::less:
    return yes_or_no(a.high < b.low, a.low >= b.high);
  case Operation::eight_bits: // rounded by half of 1/128 at most
    return a.low >= 0 ? Bounds{a.low * 0.99, a.high * 1.01} : Bounds{};
  default:
    return {};
  }
}

} // namespace

Program::Index Program::constant(double value) {
  const auto [place, fresh] =
      known_.emplace(std::tuple{Operation::constant, 0U, 0U, value}, static_cast<Index>(steps_.size()));
  if (fresh)
    steps_.push_back({Operation::constant, 0, 0, value, {value, value}});
  return place->second;
}

Program::Index Program::add_step(Operation operation, Index a, Index b, double value, const Bounds& bounds) {
  const auto [place, fresh] =
      known_.emplace(std::tuple{operation, a, b, value}, static_cast<Index>(steps_.size()));
  if (fresh)
    steps_.push_back({operation, a, b, value, bounds});
  return place->second;
}

/// The step that already holds the result, where there is one; else `undecided`.
Program::Index Program::settled(Operation operation, Index a, Index b) {
  const Step &x = steps_[a], &y = steps_[b];
  const auto is = [](const Step& s, double v) { return s.operation == Operation::constant && s.value == v; };
  switch (operation) {
  case Operation::add:
    return is(x, 0) ? b : is(y, 0) ? a : undecided;
  case Operation::subtract:
    return is(y, 0) ? a : a == b ? constant(0) : undecided;
  case Operation::multiply:
    return is(x, 0) || is(y, 0) ? constant(0) : is(x, 1) ? b : is(y, 1) ? a : undecided;
  case Operation::divide:
    if (is(y, 1) || is(x, 0))
      return a;
    return a == b && (x.bounds.low > 0 || x.bounds.high < 0) ? constant(1) : undecided;
  case Operation::minimum:
    return x.bounds.high <= y.bounds.low ? a : y.bounds.high <= x.bounds.low ? b : undecided;
  case Operation::maximum:
    return x.bounds.low >= y.bounds.high ? a : y.bounds.low >= x.bounds.high ? b : undecided;
  default:
    return undecided;
  }
}

Program::Index Program::make(Operation operation, Index a, Index b) {
  if (is_unary(operation))
    b = a;
  if (commutes(operation) && b < a)
    std::swap(a, b);
  if (steps_[a].operation == Operation::constant && steps_[b].operation == Operation::constant)
    return constant(value_of(operation, steps_[a].value, steps_[b].value));
  if (const Index known = a == b && (operation == Operation::minimum || operation == Operation::maximum)
                              ? a
                              : settled(operation, a, b);
      known != undecided)
    return known;
  const Bounds bounds = bounds_of(operation, steps_[a].bounds, steps_[b].bounds);
  const bool decides =
      operation == Operation::less || operation == Operation::not_negative || operation == Operation::is_zero;
  if (decides && bounds.low == bounds.high)
    return constant(bounds.low);
  return add_step(operation, a, b, 0, bounds);
}

void Program::narrow(Index step, const Bounds& bounds) {
  Bounds& own = steps_[step].bounds;
  own = {std::max(own.low, bounds.low), std::min(own.high, bounds.high)};
}

Program::Index Program::input(const std::string& name) {
  const auto found = std::find(inputs_.begin(), inputs_.end(), name);
  const auto which = static_cast<std::size_t>(found - inputs_.begin());
  return add_step(Operation::input, static_cast<Index>(which), 0, 0, ranges_[which]);
}

} // namespace forewarp::symbolic
