#include "measure/run/tasks.h"

#include <algorithm>
#include <array>

namespace forewarp::measure {
namespace {

/// A kernel shorter than this is timed in a row of launches too: an event's own time counts there.
constexpr double short_kernel_us = 100;
constexpr unsigned batch = 50;
constexpr RepetitionRule usual;

/// Groups per SM that a sweep visits, where the kernel reaches them.
constexpr std::array<unsigned, 12> sweep_points = {1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 32};

/// Least unused shared memory with which no more than `groups` are resident; empty: not within `most` bytes.
std::optional<std::uint64_t> bytes_for(LaunchSession& session, unsigned groups, std::uint64_t most) {
  constexpr std::uint64_t step = 256;
  std::uint64_t low = 0, high = most / step; // in steps; `high` keeps enough groups away, if anything does
  const auto resident = [&](std::uint64_t steps) { return session.concurrent_groups(steps * step); };
  if (const unsigned least = resident(high); least == 0 || least > groups)
    return std::nullopt;
  while (low < high) {
    const std::uint64_t middle = (low + high) / 2;
    if (resident(middle) > groups)
      low = middle + 1;
    else
      high = middle;
  }
  return low * step;
}

/// Groups that share an SM, and the unused shared memory that keeps others away.
struct Limit {
  unsigned groups = 0;
  std::uint64_t bytes = 0;
};

/// By the driver's own count of resident groups.
std::vector<Limit> counted_limits(LaunchSession& session, unsigned full, std::uint64_t most) {
  std::vector<Limit> limits;
  for (const unsigned groups : sweep_points) {
    if (groups >= full)
      break;
    if (const auto bytes = bytes_for(session, groups, most);
        bytes && session.concurrent_groups(*bytes) == groups)
      limits.push_back({groups, *bytes});
  }
  return limits;
}

/// Where the driver cannot count: no more than `groups` fit in what a group may have at most, which many
/// devices of OpenCL give as a compute unit's whole local memory.
std::vector<Limit> sized_limits(std::uint64_t own_bytes, std::uint64_t most) {
  constexpr std::uint64_t step = 256;
  std::vector<Limit> limits;
  for (const unsigned groups : sweep_points) {
    const std::uint64_t each = most / groups / step * step;
    if (each <= own_bytes)
      break;
    limits.push_back({groups, each - own_bytes});
  }
  return limits;
}

} // namespace

nlohmann::json TaskRunner::entry(const Task& task, const char* what) const {
  return {{"kernel", bundle_.kernels[task.kernel].name},
          {"launch", bundle_.kernels[task.kernel].launches[task.launch].name},
          {"what", what}};
}

nlohmann::json TaskRunner::clocks() {
  const ClockReading reading = device_.clocks();
  return {{"sm_mhz_in_kernel", clock_.read_mhz()},
          {"sm_mhz", reading.sm_mhz},
          {"memory_mhz", reading.memory_mhz},
          {"temperature_c", reading.temperature_c},
          {"power_w", reading.power_w}};
}

Result<LaunchSession*> TaskRunner::session_of(const Task& task) {
  if (session_ && kernel_ == task.kernel && launch_ == task.launch)
    return session_.get();
  session_.reset();
  const BundleKernel& kernel = bundle_.kernels[task.kernel];
  auto opened = LaunchSession::open(device_, bundle_, kernel, kernel.launches[task.launch]);
  FOREWARP_TRY(opened);
  session_ = std::move(*opened);
  kernel_ = task.kernel;
  launch_ = task.launch;
  return session_.get();
}

Result<TaskResult> TaskRunner::check(const Task& task) {
  session_.reset(); // fresh buffers
  const auto session = session_of(task);
  FOREWARP_TRY(session);
  auto wrong = (*session)->check(keep_);
  FOREWARP_TRY(wrong);
  nlohmann::json result = entry(task, "check");
  const KernelResources& resources = (*session)->resources();
  result.update({{"correct", wrong->empty()},
                 {"registers", resources.registers},
                 {"static_shared_bytes", resources.static_shared_bytes},
                 {"local_bytes", resources.local_bytes}});
  return TaskResult{nlohmann::json::array({result}), std::move(*wrong)};
}

Result<TaskResult> TaskRunner::time(const Task& task) {
  const auto session = session_of(task);
  FOREWARP_TRY(session);
  const bool micro = bundle_.kernels[task.kernel].kind == "micro";
  TaskResult result;
  for (const CacheState cache : {CacheState::warm, CacheState::cold}) {
    if (micro && cache == CacheState::cold)
      break;
    nlohmann::json item = entry(task, "time");
    item["clocks_before"] = clocks();
    const auto series = (*session)->time(cache, 0, micro ? rule_of_micro : usual);
    FOREWARP_TRY(series);
    item.update(to_json(*series));
    item["clocks_after"] = clocks();
    item["l2"] = cache == CacheState::warm ? "warm" : "cold";
    item["groups"] = {(*session)->grid().x, (*session)->grid().y, (*session)->grid().z};
    item["concurrent_groups"] = (*session)->concurrent_groups(0);
    item["registers"] = (*session)->resources().registers;
    if (cache == CacheState::warm && series->median_us < short_kernel_us) {
      const auto batched = (*session)->batched_us(batch);
      FOREWARP_TRY(batched);
      item["batched_us"] = *batched;
    }
    result.entries.push_back(std::move(item));
  }
  return result;
}

Result<TaskResult> TaskRunner::sweep(const Task& task) {
  const auto session = session_of(task);
  FOREWARP_TRY(session);
  TaskResult result;
  const unsigned full = (*session)->concurrent_groups(0);
  const std::uint64_t own = (*session)->shared_bytes();
  const std::uint64_t most = device_.info().shared_per_group_bytes;
  if (most <= own || !(*session)->can_be_limited())
    return result;
  const std::vector<Limit> limits =
      full > 0 ? counted_limits(**session, full, most - own) : sized_limits(own, most);
  for (const Limit& limit : limits) {
    const auto series = (*session)->time(CacheState::warm, limit.bytes, rule_of_sweeps);
    FOREWARP_TRY(series);
    nlohmann::json item = entry(task, "sweep");
    item.update(to_json(*series));
    item.update({{"l2", "warm"}, {"unused_shared_bytes", limit.bytes}, {"clocks_after", clocks()}});
    if (full > 0)
      item.update({{"concurrent_groups", limit.groups}, {"full_concurrent_groups", full}});
    else
      item["groups_by_local_memory"] = limit.groups;
    result.entries.push_back(std::move(item));
  }
  return result;
}

Result<TaskResult> TaskRunner::once(const Task& task) {
  session_.reset(); // fresh buffers
  const auto session = session_of(task);
  FOREWARP_TRY(session);
  const auto us = (*session)->run_once();
  FOREWARP_TRY(us);
  nlohmann::json result = entry(task, "once");
  result["us"] = *us;
  return TaskResult{nlohmann::json::array({result}), ""};
}

Result<TaskResult> TaskRunner::run(const Task& task) {
  switch (task.kind) {
  case TaskKind::check:
    return check(task);
  case TaskKind::time:
    return time(task);
  case TaskKind::sweep:
    return sweep(task);
  case TaskKind::once:
    return once(task);
  case TaskKind::copies: {
    session_.reset();
    auto entries = measure_copies(device_);
    FOREWARP_TRY(entries);
    return TaskResult{std::move(*entries), ""};
  }
  }
  return fail(ErrorCode::internal, "unknown task");
}

} // namespace forewarp::measure
