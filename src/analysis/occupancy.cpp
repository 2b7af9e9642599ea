#include "analysis/occupancy.h"

#include "analysis/occupancy_rules/limits.h"
#include "analysis/occupancy_rules/next_step.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace forewarp::analysis {
namespace {

GroupDemand demand_of(const gpu::Machine& machine, const facts::ResourceUse& resources,
                      const facts::LaunchShape& shape) {
  GroupDemand group;
  group.threads = static_cast<unsigned>(shape.group_size.count());
  group.warps = (group.threads + machine.warp_width - 1) / machine.warp_width;
  group.registers_per_thread =
      static_cast<unsigned>(std::ceil(std::max(0.0, resources.registers_per_thread)));
  // What a thread cannot address was spilled.
  group.registers_per_thread = std::min(group.registers_per_thread, machine.limits.max_registers_per_thread);
  group.shared_bytes = resources.static_shared_bytes + shape.launch_shared_bytes();
  return group;
}

Result<void> check_group(const gpu::Machine& machine, const facts::ResourceUse& resources,
                         const facts::LaunchShape& shape) {
  const gpu::OccupancyLimits& limits = machine.limits;
  const auto& [x, y, z] = shape.group_size;
  // A size that alone is too large must not hide in an overflowing product.
  const std::uint64_t largest = std::max({x, y, z});
  const std::uint64_t threads = largest > limits.max_threads_per_group ? largest : shape.group_size.count();
  if (threads == 0)
    return fail(ErrorCode::launch, "the group has no work-items", "group size", "give --local X,Y,Z");
  if (threads > limits.max_threads_per_group)
    return fail(ErrorCode::launch,
                fmt::format("a group of {} work-items is larger than the {} that {} allows", threads,
                            limits.max_threads_per_group, machine.name),
                "group size", fmt::format("use at most {} work-items a group", limits.max_threads_per_group));
  const std::uint64_t limit = limits.shared_per_group_max_bytes;
  const std::uint64_t parts[] = {resources.static_shared_bytes, shape.dynamic_shared_bytes,
                                 shape.local_argument_bytes};
  const std::uint64_t sum = parts[0] + shape.launch_shared_bytes();
  // A part that alone is too large must not hide in an overflowing sum.
  const std::uint64_t shared = std::max(sum, *std::ranges::max_element(parts));
  if (shared > limit)
    return fail(ErrorCode::launch,
                fmt::format("a group needs {}{} bytes of shared memory ({} static, {} dynamic, {} of `local` "
                            "arguments); {} has {} for a group",
                            shared == sum ? "" : "more than ", shared, parts[0], parts[1], parts[2],
                            machine.name, limit),
                "shared memory", "use smaller tiles, smaller `local` arguments or less --dynamic-shared");
  return {};
}

/// Registers are estimated a quarter too high now and then (docs/results/accuracy_instructions.md), and the
/// launch says that a group fits: an estimate that is too high for one group by no more than that is taken to
/// be what fits.
void lower_estimate(const gpu::Machine& machine, const facts::ResourceUse& resources, GroupDemand& group) {
  constexpr double most_over = 1.25;
  if (resources.source != "estimate" || groups_by_registers(machine, group) > 0)
    return;
  GroupDemand tried = group;
  const auto least = static_cast<unsigned>(std::ceil(group.registers_per_thread / most_over));
  while (tried.registers_per_thread > least) {
    --tried.registers_per_thread;
    if (groups_by_registers(machine, tried) > 0) {
      group = tried;
      return;
    }
  }
}

void choose_limiter(facts::Occupancy& occupancy) {
  const std::pair<const char*, unsigned> limits[] = {{"warps", occupancy.groups_by_warps},
                                                     {"groups", occupancy.groups_by_groups},
                                                     {"registers", occupancy.groups_by_registers},
                                                     {"shared_memory", occupancy.groups_by_shared}};
  const auto* least = std::min_element(std::begin(limits), std::end(limits),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
  occupancy.limiter = least->first;
  occupancy.active_groups_per_sm = least->second;
}

Result<void> check_resident(const gpu::Machine& machine, const GroupDemand& group,
                            const facts::Occupancy& occupancy) {
  if (occupancy.active_groups_per_sm > 0)
    return {};
  if (occupancy.limiter == "registers")
    return fail(ErrorCode::launch,
                fmt::format("a group of {} work-items with {} registers each does not fit on an SM of {}",
                            group.threads, group.registers_per_thread, machine.name),
                "registers", "use smaller groups or fewer registers (__launch_bounds__)");
  return fail(ErrorCode::launch,
              fmt::format("not one group of {} work-items fits on an SM of {} (limit: {})", group.threads,
                          machine.name, occupancy.limiter),
              "group size", "use smaller groups");
}

/// Fewer groups than there is room for: the busiest SM gets the rounded-up share.
void apply_grid(const gpu::Machine& machine, std::uint64_t groups_of_grid, facts::Occupancy& occupancy) {
  const std::uint64_t share =
      std::max<std::uint64_t>(1, (groups_of_grid + machine.sm_count - 1) / machine.sm_count);
  if (share >= occupancy.active_groups_per_sm)
    return;
  occupancy.active_groups_per_sm = static_cast<unsigned>(share);
  occupancy.limiter = "grid";
}

} // namespace

std::optional<unsigned> registers_taken(const gpu::Machine& machine, const facts::ResourceUse& resources,
                                        const facts::LaunchShape& shape) {
  const GroupDemand asked = demand_of(machine, resources, shape);
  GroupDemand group = asked;
  lower_estimate(machine, resources, group);
  if (group.registers_per_thread == asked.registers_per_thread)
    return std::nullopt;
  return group.registers_per_thread;
}

Result<facts::Occupancy> occupancy(const gpu::Machine& machine, const facts::ResourceUse& resources,
                                   const facts::LaunchShape& shape) {
  FOREWARP_TRY(check_group(machine, resources, shape));
  GroupDemand group = demand_of(machine, resources, shape);
  lower_estimate(machine, resources, group);
  facts::Occupancy result;
  result.warps_per_group = group.warps;
  result.max_warps_per_sm = machine.limits.max_warps_per_sm;
  result.groups_by_warps = groups_by_warps(machine, group);
  result.groups_by_groups = machine.limits.max_groups_per_sm;
  const auto used = [&](unsigned groups) { return groups == unlimited ? result.groups_by_groups : groups; };
  result.groups_by_registers = used(groups_by_registers(machine, group));
  result.groups_by_shared = used(groups_by_shared(machine, group));
  choose_limiter(result);
  FOREWARP_TRY(check_resident(machine, group, result));
  apply_grid(machine, shape.groups.count(), result);
  result.active_warps_per_sm = result.active_groups_per_sm * group.warps;
  result.fraction = static_cast<double>(result.active_warps_per_sm) / result.max_warps_per_sm;
  result.next_step = next_step(machine, group, result, shape.groups.count());
  return result;
}

} // namespace forewarp::analysis
