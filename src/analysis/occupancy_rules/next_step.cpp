#include "analysis/occupancy_rules/next_step.h"

#include <algorithm>
#include <fmt/format.h>

namespace forewarp::analysis {
namespace {

std::string more_groups(unsigned more) {
  return more == 1 ? std::string("one more group") : fmt::format("{} more groups", more);
}

std::string fewer_registers(const gpu::Machine& machine, const GroupDemand& group, unsigned resident) {
  for (unsigned fewer = 1; fewer < group.registers_per_thread; ++fewer) {
    GroupDemand less = group;
    less.registers_per_thread -= fewer;
    if (const unsigned then = resident_groups(machine, less); then > resident)
      return fmt::format("{} register{} fewer per thread give{} {}", fewer, fewer == 1 ? "" : "s",
                         fewer == 1 ? "s" : "", more_groups(then - resident));
  }
  return {};
}

std::string less_shared(const gpu::Machine& machine, const GroupDemand& group, unsigned resident) {
  const gpu::OccupancyLimits& limits = machine.limits;
  const std::uint64_t step = std::max<std::uint64_t>(1, limits.shared_alloc_unit_bytes);
  const std::uint64_t room = limits.shared_per_sm_bytes / (resident + 1) / step * step;
  if (room <= limits.shared_reserved_per_group_bytes)
    return {};
  GroupDemand less = group;
  less.shared_bytes = room - limits.shared_reserved_per_group_bytes;
  const unsigned then = less.shared_bytes < group.shared_bytes ? resident_groups(machine, less) : resident;
  if (then <= resident)
    return {};
  return fmt::format("{} bytes less shared memory per group give {}", group.shared_bytes - less.shared_bytes,
                     more_groups(then - resident));
}

/// The nearest group size, in whole warps, with more resident warps.
std::string other_size(const gpu::Machine& machine, const GroupDemand& group, unsigned warps_now) {
  const unsigned most = machine.limits.max_threads_per_group / machine.warp_width;
  for (unsigned distance = 1; distance < most; ++distance)
    for (const unsigned warps : {group.warps + distance, group.warps - std::min(distance, group.warps)}) {
      if (warps == 0 || warps > most)
        continue;
      GroupDemand other = group;
      other.warps = warps;
      other.threads = warps * machine.warp_width;
      if (const unsigned then = resident_groups(machine, other) * warps; then > warps_now)
        return fmt::format("groups of {} work-items give {} warps instead of {}", other.threads, then,
                           warps_now);
    }
  return {};
}

} // namespace

std::string next_step(const gpu::Machine& machine, const GroupDemand& group, const facts::Occupancy& now,
                      std::uint64_t groups_of_grid) {
  if (now.limiter == "grid") {
    const std::uint64_t room = std::uint64_t{resident_groups(machine, group)} * machine.sm_count;
    return fmt::format("{} more groups in the grid fill all {} multiprocessors", room - groups_of_grid,
                       machine.sm_count);
  }
  if (now.limiter == "registers")
    return fewer_registers(machine, group, now.active_groups_per_sm);
  if (now.limiter == "shared_memory")
    return less_shared(machine, group, now.active_groups_per_sm);
  if (now.active_warps_per_sm < now.max_warps_per_sm)
    return other_size(machine, group, now.active_warps_per_sm);
  return {};
}

} // namespace forewarp::analysis
