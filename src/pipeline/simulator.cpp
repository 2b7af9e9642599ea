#include "pipeline/simulator.h"

#include "pipeline/core/engine.h"
#include "pipeline/scheduler/greedy_then_oldest.h"
#include "pipeline/scheduler/oldest_first.h"
#include "pipeline/scheduler/round_robin.h"
#include "pipeline/scheduler/two_level.h"

namespace forewarp::pipeline {
namespace {

Result<void> check(const Configuration& configuration) {
  if (configuration.subsystems.empty() || configuration.subsystems.size() > 64)
    return fail(ErrorCode::unsupported,
                fmt::format("{} subsystems; between 1 and 64 are possible", configuration.subsystems.size()));
  if (configuration.servers.size() > max_servers)
    return fail(ErrorCode::unsupported, fmt::format("{} servers; at most {} are possible",
                                                    configuration.servers.size(), max_servers));
  if (configuration.schedulers == 0 || configuration.concurrent_groups == 0)
    return fail(ErrorCode::bad_input, "a multiprocessor needs at least one scheduler and one resident group");
  if (!(configuration.issue_per_cycle_per_scheduler >= 0) || !(configuration.issue_limit_per_sm >= 0) ||
      !(configuration.barrier_latency_cycles >= 0) || !(configuration.group_launch_interval_cycles >= 0) ||
      !(configuration.group_refill_cycles >= 0))
    return fail(ErrorCode::bad_input, "a rate or time of the multiprocessor is negative");
  if (configuration.policy == SchedulerPolicy::two_level && configuration.two_level_active_warps == 0)
    return fail(ErrorCode::bad_input, "the two-level scheduler needs at least one active warp");
  return {};
}

} // namespace

Result<Outcome> simulate(const Configuration& configuration, GroupSource& groups, Listener* listener) {
  FOREWARP_TRY(check(configuration));
  switch (configuration.policy) {
  case SchedulerPolicy::round_robin:
    return Engine<RoundRobin>(configuration, groups, listener).run();
  case SchedulerPolicy::greedy_then_oldest:
    return Engine<GreedyThenOldest>(configuration, groups, listener).run();
  case SchedulerPolicy::oldest_first:
    return Engine<OldestFirst>(configuration, groups, listener).run();
  case SchedulerPolicy::two_level:
    return Engine<TwoLevel>(configuration, groups, listener).run();
  }
  return fail(ErrorCode::internal, "unknown scheduler policy");
}

} // namespace forewarp::pipeline
