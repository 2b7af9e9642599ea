#include "analysis/occupancy_rules/limits.h"

#include <algorithm>

namespace forewarp::analysis {
namespace {

std::uint64_t round_up(std::uint64_t value, std::uint64_t step) {
  return step == 0 ? value : (value + step - 1) / step * step;
}

unsigned per_group_rule(const gpu::OccupancyLimits& limits, unsigned warp_width, const GroupDemand& group) {
  const std::uint64_t warps = round_up(group.warps, limits.warp_alloc_granularity);
  const std::uint64_t registers =
      round_up(warps * warp_width * group.registers_per_thread, limits.register_alloc_unit);
  return static_cast<unsigned>(limits.registers_per_sm / registers);
}

unsigned per_warp_rule(const gpu::OccupancyLimits& limits, unsigned warp_width, const GroupDemand& group) {
  const std::uint64_t partitions = std::max(1U, limits.register_partitions);
  const std::uint64_t per_warp =
      round_up(std::uint64_t{warp_width} * group.registers_per_thread, limits.register_alloc_unit);
  const std::uint64_t warps = limits.registers_per_sm / partitions / per_warp * partitions;
  return static_cast<unsigned>(warps / group.warps);
}

/// A SIMD's lane holds so many waves; the group's waves are spread over the SIMDs.
unsigned per_simd_rule(const gpu::Machine& machine, const GroupDemand& group) {
  const gpu::OccupancyLimits& limits = machine.limits;
  const std::uint64_t per_wave = round_up(group.registers_per_thread, limits.register_alloc_unit);
  const unsigned most = std::max(1U, limits.max_warps_per_sm / machine.schedulers_per_sm);
  const auto waves = std::min<std::uint64_t>(most, limits.vgprs_per_simd_lane / per_wave);
  return static_cast<unsigned>(waves * machine.schedulers_per_sm / group.warps);
}

} // namespace

unsigned groups_by_registers(const gpu::Machine& machine, const GroupDemand& group) {
  if (group.registers_per_thread == 0)
    return unlimited;
  if (machine.limits.vgprs_per_simd_lane > 0)
    return per_simd_rule(machine, group);
  if (machine.limits.registers_allocated_per_group)
    return per_group_rule(machine.limits, machine.warp_width, group);
  return per_warp_rule(machine.limits, machine.warp_width, group);
}

std::uint64_t allocated_shared_bytes(const gpu::OccupancyLimits& limits, std::uint64_t shared_bytes) {
  return round_up(shared_bytes + limits.shared_reserved_per_group_bytes, limits.shared_alloc_unit_bytes);
}

unsigned groups_by_shared(const gpu::Machine& machine, const GroupDemand& group) {
  const std::uint64_t bytes = allocated_shared_bytes(machine.limits, group.shared_bytes);
  return bytes == 0 ? unlimited : static_cast<unsigned>(machine.limits.shared_per_sm_bytes / bytes);
}

unsigned groups_by_warps(const gpu::Machine& machine, const GroupDemand& group) {
  const gpu::OccupancyLimits& limits = machine.limits;
  const unsigned by_warps = limits.max_warps_per_sm / group.warps;
  return std::min(by_warps, limits.max_threads_per_sm / (group.warps * machine.warp_width));
}

unsigned resident_groups(const gpu::Machine& machine, const GroupDemand& group) {
  return std::min({groups_by_warps(machine, group), machine.limits.max_groups_per_sm,
                   groups_by_registers(machine, group), groups_by_shared(machine, group)});
}

} // namespace forewarp::analysis
