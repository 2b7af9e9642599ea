#include "symbolic/kernel/grid_runs.h"

#include "symbolic/algebra/floors.h"
#include "symbolic/algebra/sum.h"
#include "symbolic/conditions/implication.h"

#include <fmt/format.h>

#include <algorithm>

namespace forewarp::symbolic {
namespace {

bool moves_with_items(const Expression& a) {
  for (unsigned axis = 0; axis < 3; ++axis)
    if (a.depends_on(item_name(axis)))
      return true;
  return false;
}

class Counter {
public:
  Counter(const KernelValues& kernel, const SymbolicLaunch& launch)
      : kernel_(kernel), launch_(launch), values_(launch_values(launch)), ranges_(launch_ranges(launch)) {
    for (std::size_t l = 0; l < kernel.loops().size(); ++l)
      ranges_[iteration_name(static_cast<std::uint32_t>(l))] = {Rational(0), std::nullopt};
    for (unsigned w = 0; w < launch.warps_per_group(); ++w)
      lanes_.push_back(lanes_of(launch.group_size, launch.warp_width, w));
  }

  Result<GridRuns> run() {
    FOREWARP_TRY(bound_loops());
    GridRuns runs;
    runs.warps = launch_.warps_per_group();
    for (const Expression& groups : launch_.groups)
      runs.warps *= groups;
    for (std::uint32_t block = 0; block < kernel_.block_count(); ++block)
      runs.blocks.push_back(count(kernel_.loop_of(block), kernel_.reached(block)));
    for (std::uint32_t from = 0; from < kernel_.block_count(); ++from)
      for (const std::uint32_t to : kernel_.successors(from)) {
        const std::uint32_t loop = kernel_.loop_of(from), inner = kernel_.loop_of(to);
        const bool same = loop == inner && (loop == no_loop || kernel_.loops()[loop].header != to);
        const bool enters = inner != no_loop && inner != loop && kernel_.loops()[inner].header == to &&
                            kernel_.loops()[inner].parent == loop;
        if (same || enters)
          runs.edges[{from, to}] = count(loop, both(kernel_.reached(from), kernel_.taken(from, to)));
      }
    runs.edges[{UINT32_MAX, 0}] = runs.warps;
    for (const Comparison& c : assumed_)
      runs.taken_as_true.push_back({c.value.why(), c.location});
    for (const auto& [line, why] : beyond_)
      runs.taken_as_true.push_back({why, {.line = line}});
    return runs;
  }

private:
  Result<void> bound_loops() {
    for (const Loop& loop : kernel_.loops()) {
      trips_.push_back(simplify(substitute(loop.trips, values_), ranges_));
      if (trips_.back().known())
        continue;
      return fail(ErrorCode::unsupported,
                  fmt::format("the number of iterations of the loop at line {} has no closed form: {}",
                              loop.location.line, trips_.back().why()),
                  fmt::format("line {}", loop.location.line),
                  fmt::format("--trip-count {}=EXPRESSION gives it, in the symbols, arguments and ids",
                              loop.location.line));
    }
    return {};
  }

  /// Runs by all warps of the grid of what `condition` guards inside `loop`.
  Expression count(std::uint32_t loop, const Condition& condition) {
    Condition all = condition;
    std::vector<std::uint32_t> around; // innermost first
    for (std::uint32_t l = loop; l != no_loop; l = kernel_.loops()[l].parent)
      around.push_back(l);
    for (const std::uint32_t l : around) {
      all = both(all, kernel_.entered(l));
      if (moves_with_items(trips_[l]))
        all = both(all, Condition::of({Comparison::Kind::not_negative,
                                       trips_[l] - Expression(1) - Expression::symbol(iteration_name(l)),
                                       kernel_.loops()[l].location}));
    }
    all = simplify(all, values_, ranges_);
    Expression total;
    if (!moves_with_items(all))
      return of_warp(any_lane(all, lanes_.front(), ranges_), around)
          .scaled(Rational(static_cast<std::int64_t>(lanes_.size())));
    for (const Condition& here : by_warp(all))
      total += of_warp(here, around);
    return floors_together(total);
  }

  /// any_lane for each warp of a group. Blocks and edges often stand under the same condition.
  const std::vector<Condition>& by_warp(const Condition& condition) {
    const auto [known, fresh] = by_warp_.try_emplace(text(condition));
    if (fresh)
      for (const std::vector<LaneBox>& lanes : lanes_)
        known->second.push_back(any_lane(condition, lanes, ranges_));
    return known->second;
  }

  Expression of_warp(const Condition& when, const std::vector<std::uint32_t>& around) {
    std::string key = text(when);
    for (const std::uint32_t l : around)
      key += fmt::format("|{}", l);
    if (const auto known = kept_.find(key); known != kept_.end())
      return known->second;
    Expression sum = exact(when, around);
    if (!sum.known()) { // W: above the threshold a condition counts as true for all
      const std::string why = sum.why();
      sum = summed(conservative(when, why), around);
    }
    for (const bool all_groups : {false, true})
      if (!sum.known())
        sum = summed(longest(around, all_groups), around);
    if (!sum.known() && !around.empty())
      sum = Expression::beyond(
          fmt::format("the loop at line {}: {}", kernel_.loops()[around.front()].location.line, sum.why()));
    kept_.emplace(std::move(key), sum);
    return sum;
  }

  Expression summed(Expression body, const std::vector<std::uint32_t>& around) {
    for (const std::uint32_t l : around) {
      std::optional<Expression> end;
      if (!moves_with_items(trips_[l]))
        end = trips_[l];
      body = sum_over(body, iteration_name(l), 0, end, ranges_);
    }
    for (const unsigned axis : {2U, 1U, 0U})
      body = sum_over(body, group_name(axis), 0, launch_.groups[axis], ranges_);
    return simplify(body, ranges_);
  }

  /// Beyond the algebra where there is no closed form.
  Expression exact(const Condition& when, const std::vector<std::uint32_t>& around) {
    const Expression body = indicator(when, assumed_);
    const Expression sum = body.known() ? summed(body, around) : body;
    return sum.known() ? sum : by_iterations(when, around).value_or(sum);
  }

  /// Each iteration of one loop for itself; nothing where no loop has few, or they have no closed form
  /// either.
  std::optional<Expression> by_iterations(const Condition& when, const std::vector<std::uint32_t>& around) {
    constexpr std::int64_t most = 32;
    for (const std::uint32_t l : around) {
      const std::string iteration = iteration_name(l);
      const auto trips = trips_[l].whole_constant();
      const bool shapes_others = std::any_of(around.begin(), around.end(), [&](std::uint32_t other) {
        return trips_[other].depends_on(iteration);
      });
      if (!trips || *trips > most || shapes_others)
        continue;
      std::vector<std::uint32_t> others = around;
      std::erase(others, l);
      Expression total;
      for (std::int64_t i = 0; i < *trips && total.known(); ++i) {
        const Condition here = simplify(when, {{iteration, Expression(i)}}, ranges_);
        if (!here.is_never())
          total += exact(reduced(here, ranges_), others);
      }
      return total.known() ? std::optional(total) : std::nullopt;
    }
    return std::nullopt;
  }

  /// Only the comparisons that bound iterations stay.
  Expression conservative(const Condition& when, const std::string& why) {
    std::uint32_t line = 0;
    Expression body = 1;
    for (const Conjunction& all : when.any_of)
      for (const Comparison& c : all)
        line = std::max(line, c.location.line);
    for (const auto& name : {"iteration."})
      if (when.any_of.size() == 1)
        for (const Comparison& c : when.any_of[0])
          if (c.kind == Comparison::Kind::not_negative)
            for (const std::string& symbol : c.value.symbols())
              if (symbol.starts_with(name) && where_not_negative(c.value, symbol, ranges_)) {
                body *= not_negative(c.value);
                break;
              }
    if (std::find(beyond_.begin(), beyond_.end(), std::pair{line, why}) == beyond_.end())
      beyond_.emplace_back(line, why);
    return body;
  }

  /// Every loop around goes on as long as for the work-item (and group) that stays in it longest.
  Expression longest(const std::vector<std::uint32_t>& around, bool all_groups) {
    Expression body = 1;
    for (const std::uint32_t l : around) {
      Expression trips = trips_[l];
      for (unsigned axis = 0; axis < 3; ++axis) {
        trips = largest(trips, item_name(axis), 0, launch_.group_size[axis] - 1, ranges_);
        if (all_groups)
          trips = largest(trips, group_name(axis), 0, launch_.groups[axis] - Expression(1), ranges_);
      }
      body *= not_negative(trips - Expression(1) - Expression::symbol(iteration_name(l)));
      const std::pair note{kernel_.loops()[l].location.line,
                           std::string("iterations that differ by work-item without a closed form")};
      if (moves_with_items(trips_[l]) && std::find(beyond_.begin(), beyond_.end(), note) == beyond_.end())
        beyond_.push_back(note);
    }
    return body;
  }

  const KernelValues& kernel_;
  const SymbolicLaunch& launch_;
  std::map<std::string, Expression> values_;
  Ranges ranges_;
  std::vector<Expression> trips_;
  std::vector<std::vector<LaneBox>> lanes_;
  std::map<std::string, std::vector<Condition>> by_warp_;
  std::map<std::string, Expression> kept_;
  std::vector<Comparison> assumed_;
  std::vector<std::pair<std::uint32_t, std::string>> beyond_;
};

} // namespace

unsigned SymbolicLaunch::warps_per_group() const {
  const std::int64_t items = group_size[0] * group_size[1] * group_size[2];
  return static_cast<unsigned>((items + warp_width - 1) / warp_width);
}

std::map<std::string, Expression> launch_values(const SymbolicLaunch& launch) {
  std::map<std::string, Expression> values = launch.arguments;
  for (unsigned axis = 0; axis < 3; ++axis) {
    values[group_size_name(axis)] = launch.group_size[axis];
    values[groups_name(axis)] = launch.groups[axis];
    if (launch.groups[axis] == Expression(1))
      values[group_name(axis)] = 0;
    if (launch.group_size[axis] == 1)
      values[item_name(axis)] = 0;
  }
  return values;
}

Ranges launch_ranges(const SymbolicLaunch& launch) {
  Ranges ranges = launch.ranges;
  for (unsigned axis = 0; axis < 3; ++axis) {
    ranges[item_name(axis)] = {Rational(0), Rational(launch.group_size[axis] - 1)};
    ranges[group_name(axis)] = {Rational(0), bounds(launch.groups[axis] - Expression(1), launch.ranges).high};
  }
  return ranges;
}

Result<GridRuns> grid_runs(const KernelValues& kernel, const SymbolicLaunch& launch) {
  return Counter(kernel, launch).run();
}

} // namespace forewarp::symbolic
