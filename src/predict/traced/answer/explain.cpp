#include "predict/traced/answer/explain.h"

#include <algorithm>
#include <array>

namespace forewarp::predict::hybrid {
namespace {

using facts::Limiter;
constexpr std::size_t limiter_count = static_cast<std::size_t>(Limiter::launch_overhead) + 1;
using Shares = std::array<double, limiter_count>;

bool is_server(Limiter limiter) {
  return limiter == Limiter::dram_bandwidth || limiter == Limiter::l2_bandwidth;
}

const Bound& busiest(const std::vector<Bound>& bounds, bool servers) {
  const Bound* best = nullptr;
  for (const Bound& bound : bounds)
    if (is_server(bound.limiter) == servers && bound.limiter != Limiter::launch_overhead &&
        (best == nullptr || bound.cycles > best->cycles))
      best = &bound;
  return *best;
}

double& of(Shares& shares, Limiter limiter) {
  return shares[static_cast<std::size_t>(limiter)];
}

void add_stalls(Shares& shares, const SmRun& run, const std::vector<Bound>& bounds, double cycles,
                double part) {
  using pipeline::StallCause;
  const auto stall = [&](StallCause cause) {
    return run.outcome.stall_cycles[static_cast<std::size_t>(cause)];
  };
  const double issuing = run.outcome.issue_slots_used;
  double total = issuing;
  for (const double cause_cycles : run.outcome.stall_cycles)
    total += cause_cycles;
  if (total <= 0)
    return;
  const double unit = part / total;
  of(shares, Limiter::issue) += unit * (issuing + stall(StallCause::issue_slot));
  of(shares, Limiter::arithmetic_latency) += unit * stall(StallCause::dependence_arithmetic);
  of(shares, Limiter::barrier) += unit * stall(StallCause::barrier);
  of(shares, busiest(bounds, false).limiter) += unit * stall(StallCause::subsystem_busy);
  const Bound& server = busiest(bounds, true);
  const double use = std::min(1.0, server.cycles / std::max(cycles, 1.0));
  of(shares, server.limiter) += unit * stall(StallCause::dependence_memory) * use;
  of(shares, server.limiter) += unit * stall(StallCause::memory_queue);
  of(shares, Limiter::memory_latency) += unit * stall(StallCause::dependence_memory) * (1 - use);
}

std::vector<facts::CauseShare> sorted(const Shares& shares) {
  double total = 0;
  for (const double share : shares)
    total += share;
  std::vector<facts::CauseShare> causes;
  for (std::size_t i = 0; i < shares.size(); ++i)
    if (shares[i] > 0)
      causes.push_back({static_cast<Limiter>(i), shares[i] / total});
  std::stable_sort(causes.begin(), causes.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  return causes;
}

std::vector<facts::LineCost> line_costs(const SmRun& run) {
  double total = 0;
  for (const double stall : run.tag_stall_cycles)
    total += stall;
  std::vector<facts::LineCost> lines;
  for (std::size_t tag = 0; tag < run.tag_stall_cycles.size(); ++tag)
    if (run.tag_stall_cycles[tag] > 0 && run.tag_locations[tag].line != 0)
      lines.push_back({run.tag_locations[tag], run.tag_stall_cycles[tag] / total});
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  return lines;
}

} // namespace

Explanation explain(const Facts&, const SmLoad& load, const SmRun& run, const std::vector<Bound>& bounds,
                    double cycles, double fixed_cycles) {
  const double whole = cycles + fixed_cycles;
  Shares shares = {};
  of(shares, Limiter::launch_overhead) += fixed_cycles / whole;
  // The part that an uneven deal costs: the most loaded SM against the mean, and the longest group.
  const double mean_groups = load.groups_total / std::max(load.active_sms, 1.0);
  double even = mean_groups / load.groups_on_sm;
  if (run.longest)
    even *= run.longest->others_cycles / run.longest->cycles;
  const double uneven = std::max(0.0, 1 - even);
  const double body = cycles / whole;
  of(shares, Limiter::imbalance) += body * uneven;
  add_stalls(shares, run, bounds, cycles, body * (1 - uneven));

  Explanation explanation;
  explanation.causes = sorted(shares);
  explanation.lines = line_costs(run);
  explanation.limiter = explanation.causes.front().cause;
  const Bound& top = *std::max_element(bounds.begin(), bounds.end(),
                                       [](const Bound& a, const Bound& b) { return a.cycles < b.cycles; });
  if (top.cycles >= limiter_utilisation * whole)
    explanation.limiter = top.limiter;
  return explanation;
}

} // namespace forewarp::predict::hybrid
