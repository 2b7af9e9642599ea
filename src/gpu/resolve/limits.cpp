#include "gpu/resolve/parts.h"

namespace forewarp::gpu {

void resolve_limits(FactReader& facts, Machine& machine) {
  OccupancyLimits& limits = machine.limits;
  const auto whole = [&](const std::string& key) { return static_cast<unsigned>(facts.required(key)); };
  const auto bytes = [&](const std::string& key) { return static_cast<std::uint64_t>(facts.required(key)); };
  limits.max_threads_per_group = whole("max_threads_per_block");
  limits.max_threads_per_sm = whole("max_threads_per_sm");
  limits.max_warps_per_sm = whole("max_warps_per_sm");
  limits.max_groups_per_sm = whole("max_blocks_per_sm");
  limits.registers_per_sm = bytes("regs_per_sm");
  limits.max_registers_per_thread = whole("max_regs_per_thread");
  limits.registers_beside_values =
      static_cast<unsigned>(facts.or_none("regs_beside_values", limits.registers_beside_values));
  limits.register_alloc_unit = whole("reg_alloc_unit");
  limits.registers_allocated_per_group = facts.text("reg_alloc_granularity").value_or("warp") == "block";
  limits.warp_alloc_granularity = static_cast<unsigned>(facts.or_none("warp_alloc_granularity", 1));
  limits.register_partitions = static_cast<unsigned>(facts.or_none("reg_sub_partitions", 1));
  limits.vgprs_per_simd_lane = static_cast<unsigned>(facts.or_none("vgprs_per_simd_lane", 0));
  limits.shared_per_sm_bytes = bytes("smem_per_sm_bytes");
  limits.shared_per_group_max_bytes = bytes("smem_per_block_max_bytes");
  limits.shared_per_group_default_bytes = static_cast<std::uint64_t>(
      facts.or_none("smem_per_block_default_bytes", static_cast<double>(limits.shared_per_group_max_bytes)));
  limits.shared_alloc_unit_bytes = bytes("smem_alloc_unit_bytes");
  limits.shared_reserved_per_group_bytes =
      static_cast<std::uint64_t>(facts.or_none("smem_reserved_per_block_bytes", 0));
  for (const double kib : facts.list("smem_carveouts_kib"))
    limits.shared_carveouts_bytes.push_back(static_cast<std::uint64_t>(kib * 1024));
}

void resolve_fixed_costs(FactReader& facts, Machine& machine) {
  FixedCosts& fixed = machine.fixed;
  // Host and driver matter as much as the GPU: these are +-50 % (gpu_facts.md).
  fixed.launch_overhead_us = facts.or_assume("launch_latency_us", fixed.launch_overhead_us);
  fixed.kernel_min_time_us = facts.or_assume("kernel_min_time_us", fixed.kernel_min_time_us);
  fixed.group_dispatch_ns = facts.or_assume("block_dispatch_ns", fixed.group_dispatch_ns);
  fixed.group_refill_cycles = facts.or_none("block_refill_cycles", 0);
  fixed.barrier_latency_cycles = facts.or_assume("barrier_latency_cycles", fixed.barrier_latency_cycles);
  fixed.predicate_latency_cycles = facts.or_none("predicate_latency_cycles", 0);
  fixed.pcie_h2d_gbps = facts.or_none("pcie_h2d_pinned_gbps", 0);
  fixed.pcie_d2h_gbps = facts.or_none("pcie_d2h_pinned_gbps", fixed.pcie_h2d_gbps);
}

void resolve_instruction_cache(FactReader& facts, Machine& machine) {
  InstructionCacheTiming& cache = machine.instruction_cache;
  cache.size_bytes = static_cast<std::uint64_t>(facts.or_none("instruction_l0_bytes", 0));
  cache.line_bytes = static_cast<unsigned>(facts.or_none("instruction_line_bytes", 128));
  cache.lines_ahead = static_cast<unsigned>(facts.or_none("instruction_lines_ahead", 0));
  cache.miss_cycles = facts.or_none("instruction_l0_miss_cycles", 0);
}

} // namespace forewarp::gpu
