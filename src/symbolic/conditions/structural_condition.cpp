#include "symbolic/conditions/structural_condition.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace forewarp::symbolic {
namespace {

using Operator = StructuralCondition::Operator;

std::int64_t largest_left(const StructuralCondition& c) {
  return c.a * (c.threads - 1) + c.b;
}

/// First iteration from which I(i) is at least the largest A t + B (divisible: beyond it).
std::int64_t first_uniform(const StructuralCondition& c) {
  const std::int64_t bound = largest_left(c) + (c.op == Operator::divisible ? 1 : 0);
  if (c.right(0) >= bound)
    return 0;
  if (!c.geometric)
    return (bound - c.beta + c.alpha - 1) / c.alpha;
  std::int64_t i = 0;
  while (c.right(i) < bound)
    ++i;
  return i;
}

/// Smallest prime factor of every number up to `most`.
std::vector<std::uint32_t> smallest_factors(std::size_t most) {
  std::vector<std::uint32_t> factor(most + 1, 0);
  for (std::size_t p = 2; p <= most; ++p)
    if (factor[p] == 0)
      for (std::size_t m = p; m <= most; m += p)
        if (factor[m] == 0)
          factor[m] = static_cast<std::uint32_t>(p);
  return factor;
}
/// Products of prime factors of x.
std::vector<std::int64_t> divisors(std::int64_t x, const std::vector<std::uint32_t>& factor) {
  std::vector<std::int64_t> all = {1};
  while (x > 1) {
    const std::int64_t p = factor[static_cast<std::size_t>(x)];
    std::size_t times = 0;
    for (; x % p == 0; x /= p)
      ++times;
    const std::size_t before = all.size();
    std::int64_t power = 1;
    for (std::size_t k = 0; k < times; ++k) {
      power *= p;
      for (std::size_t i = 0; i < before; ++i)
        all.push_back(all[i] * power);
    }
  }
  return all;
}

/// i with I(i) = value, or -1.
std::int64_t iteration_of(const StructuralCondition& c, std::int64_t value) {
  if (!c.geometric)
    return c.alpha > 0 && value >= c.beta && (value - c.beta) % c.alpha == 0 ? (value - c.beta) / c.alpha
                                                                             : -1;
  for (std::int64_t i = 0; c.right(i) <= value; ++i)
    if (c.right(i) == value)
      return i;
  return -1;
}

void activate(std::vector<std::set<std::int64_t>>& warps, std::int64_t from, std::int64_t warp) {
  for (auto i = static_cast<std::size_t>(std::max<std::int64_t>(0, from)); i < warps.size(); ++i)
    warps[i].insert(warp);
}

} // namespace

std::int64_t StructuralCondition::right(std::int64_t iteration) const {
  if (!geometric)
    return alpha * iteration + beta;
  const std::int64_t exponent = alpha * iteration + beta;
  return exponent >= 62 ? INT64_MAX : std::int64_t{1} << exponent;
}
bool StructuralCondition::holds(std::int64_t thread, std::int64_t iteration) const {
  const std::int64_t left = a * thread + b, other = right(iteration);
  return op == Operator::at_most ? left <= other : left % other == 0;
}

double evaluation_cost(const StructuralCondition& c) {
  const double a = static_cast<double>(c.a), b = static_cast<double>(c.b), t = static_cast<double>(c.threads);
  if (c.op == Operator::divisible)
    return 2 * (a * t * (t - 1) / 4 + b * t / 2);
  if (c.geometric) // as many steps a work-item as there are iterations with divergence
    return 2 * t * static_cast<double>(first_uniform(c) + 1);
  const double alpha = static_cast<double>(c.alpha);
  return 2 * (a * t * t - a * t + 2 * alpha * t) / (2 * alpha);
}

ConditionWeight weigh(const StructuralCondition& c, double most_cost) {
  ConditionWeight out;
  out.cost = evaluation_cost(c);
  if (c.alpha < 1 || c.threads < 1 || !(out.cost <= most_cost))
    return out;
  out.evaluated = true;
  out.iterations_with_divergence = first_uniform(c);
  const auto divergent = static_cast<std::size_t>(out.iterations_with_divergence);
  const std::int64_t all_warps = (c.threads + c.warp_width - 1) / c.warp_width;
  std::vector<std::set<std::int64_t>> warps(divergent);
  std::set<std::int64_t> zero; // warps with A t + B = 0: divisible by everything
  const bool divisible = c.op == Operator::divisible;
  const std::vector<std::uint32_t> factors =
      divisible ? smallest_factors(static_cast<std::size_t>(largest_left(c))) : std::vector<std::uint32_t>();
  for (std::int64_t t = 0; t < c.threads; ++t) {
    const std::int64_t left = c.a * t + c.b, warp = t / c.warp_width;
    if (!divisible) { // true from ceil((A t + B - beta) / alpha) on
      std::int64_t from = 0;
      if (c.right(0) < left && !c.geometric)
        from = (left - c.beta + c.alpha - 1) / c.alpha;
      else
        while (c.right(from) < left)
          ++from;
      activate(warps, from, warp);
    } else if (left == 0) {
      zero.insert(warp);
      activate(warps, 0, warp);
    } else {
      for (const std::int64_t factor : divisors(left, factors))
        if (const std::int64_t i = iteration_of(c, factor); i >= 0 && static_cast<std::size_t>(i) < divergent)
          warps[static_cast<std::size_t>(i)].insert(warp);
    }
  }
  double sum = 0;
  for (const std::set<std::int64_t>& active : warps) {
    out.active_warps.push_back(static_cast<std::uint32_t>(active.size()));
    sum += static_cast<double>(active.size());
  }
  if (divergent > 0)
    out.weight_before = sum / static_cast<double>(divergent) / static_cast<double>(all_warps);
  if (divisible)
    out.weight_after = static_cast<double>(zero.size()) / static_cast<double>(all_warps);
  return out;
}

double ConditionWeight::overall(std::int64_t iterations) const {
  const double before = static_cast<double>(iterations_with_divergence),
               all = static_cast<double>(iterations);
  if (!(std::max(before, all) > 0))
    return weight_after;
  return (std::max(all - before, 0.0) * weight_after + weight_before * before) / std::max(before, all);
}

} // namespace forewarp::symbolic
