#include "gpu/resolve/parts.h"

#include <algorithm>

namespace forewarp::gpu {
namespace {

unsigned whole(double value) {
  return static_cast<unsigned>(value);
}

void resolve_l1(FactReader& facts, MemoryTiming& memory) {
  CacheGeometry& l1 = memory.l1;
  l1.size_bytes = static_cast<std::uint64_t>(facts.or_none("l1_size_bytes", 0));
  l1.present = l1.size_bytes > 0;
  l1.unified_with_shared = facts.has("l1_smem_unified_bytes");
  memory.l1_caches_global = l1.present && facts.or_none("l1_caches_global", 1) != 0;
  memory.oldest_group_first = facts.or_none("oldest_group_first", 0) != 0;
  memory.stores_hold_warps = facts.or_none("stores_hold_warps", 0) != 0;
  memory.l1_caches_read_only = l1.present && facts.or_none("l1_caches_read_only", 1) != 0;
  // Kepler: read-only loads have a cache of their own. One geometry stands for both; local memory, which
  // alone uses the smaller one there, is not told apart.
  if (!memory.l1_caches_global && memory.l1_caches_read_only)
    l1.size_bytes =
        static_cast<std::uint64_t>(facts.or_none("ro_cache_size_bytes", static_cast<double>(l1.size_bytes)));
  if (!l1.present)
    return;
  l1.line_bytes = whole(facts.or_assume("l1_line_bytes", l1.line_bytes));
  l1.sector_bytes = whole(facts.or_assume("l1_sector_bytes", l1.sector_bytes));
  memory.l1_tag_lookups_per_cycle = facts.or_none("l1_tag_lookups_per_clk", memory.l1_tag_lookups_per_cycle);
  memory.l1_lines_beside_data = facts.or_none("l1_lines_beside_data", memory.l1_lines_beside_data);
  memory.l2_line_request_cycles = facts.or_none("l2_line_request_cycles", 0);
  l1.ways = whole(facts.or_assume("l1_assoc", l1.ways));
}

void resolve_l2(FactReader& facts, MemoryTiming& memory) {
  CacheGeometry& l2 = memory.l2;
  l2.size_bytes = static_cast<std::uint64_t>(facts.or_none("l2_size_bytes", 0));
  l2.present = l2.size_bytes > 0;
  l2.write_allocate = l2.write_back = l2.present;
  if (!l2.present)
    return;
  memory.l2_partial_write_slots = facts.or_none("l2_partial_write_slots", 1);
  l2.line_bytes = whole(facts.or_assume("l2_line_bytes", l2.line_bytes));
  l2.sector_bytes = whole(facts.or_assume("l2_sector_bytes", l2.sector_bytes));
  l2.ways = whole(facts.or_assume("l2_assoc", 16));
  memory.l2_parts = whole(facts.or_none("l2_partitions", 1));
  memory.l2_dirty_share = facts.or_none("l2_dirty_share", 1);
}

/// The memory-side cache takes what misses L2, by L2's lines.
void resolve_l3(FactReader& facts, const Machine& machine, MemoryTiming& memory) {
  CacheGeometry& l3 = memory.l3;
  l3.size_bytes = static_cast<std::uint64_t>(facts.or_none("l3_size_bytes", 0));
  l3.present = l3.size_bytes > 0 && memory.l2.present && facts.has("l3_bw_read_gbps");
  if (!l3.present)
    return;
  l3.line_bytes = memory.l2.line_bytes;
  l3.sector_bytes = memory.l2.sector_bytes;
  l3.ways = 16;
  l3.write_allocate = l3.write_back = true;
  memory.l3_bytes_per_cycle = facts.required("l3_bw_read_gbps") * 1e3 / machine.sm_clock_mhz;
  memory.l3_latency_cycles =
      facts.or_none("l3_latency_cycles", (memory.l2_latency_cycles + memory.dram_latency_cycles) / 2);
}

CacheGeometry constant_cache(double size_bytes, double line_bytes) {
  CacheGeometry cache;
  cache.present = size_bytes > 0;
  cache.size_bytes = static_cast<std::uint64_t>(size_bytes);
  cache.line_bytes = cache.sector_bytes = whole(line_bytes);
  return cache;
}

/// NVIDIA: two constant caches. AMD: constants go through the scalar cache.
void resolve_constant(FactReader& facts, MemoryTiming& memory) {
  const bool scalar = facts.has("scalar_cache_bytes");
  const double line = facts.or_none("const_l1_line_bytes", 64);
  memory.constant_l1 =
      constant_cache(facts.or_none(scalar ? "scalar_cache_bytes" : "const_l1_size_bytes", 0), line);
  memory.constant_l2 = constant_cache(facts.or_none("const_l15_size_bytes", 0), line);
  memory.constant_latency_cycles = facts.or_assume(
      scalar ? "scalar_l1_latency_cycles" : "const_l1_latency_cycles", memory.constant_latency_cycles);
  memory.constant_miss_latency_cycles =
      scalar ? memory.l2_latency_cycles
             : facts.or_assume("const_l15_latency_cycles", memory.constant_miss_latency_cycles);
}

void resolve_latencies(FactReader& facts, MemoryTiming& memory) {
  memory.dram_latency_cycles = facts.or_assume("dram_latency_cycles", memory.dram_latency_cycles);
  memory.dram_busy_wait_cycles = facts.or_none("dram_busy_wait_cycles", 0);
  memory.l2_latency_cycles = memory.l2.present
                                 ? facts.or_assume("l2_latency_cycles", memory.l2_latency_cycles)
                                 : memory.dram_latency_cycles;
  if (memory.l2_parts > 1)
    memory.l2_crossing_cycles = std::max(
        0.0, facts.or_assume("l2_latency_far_cycles", memory.l2_latency_cycles) - memory.l2_latency_cycles);
  memory.l1_latency_cycles = memory.l1.present
                                 ? facts.or_assume("l1_latency_cycles", memory.l1_latency_cycles)
                                 : memory.l2_latency_cycles;
  memory.store_latency_cycles = facts.or_none("store_latency_cycles", memory.l2_latency_cycles);
  memory.shared_latency_cycles = facts.or_assume("smem_latency_cycles", memory.shared_latency_cycles);
  memory.cluster_latency_cycles = facts.or_none("cluster_latency_cycles", 0);
  memory.cluster_bytes_per_cycle = facts.or_none("cluster_bw_bytes_per_clk_per_sm", 0);
  memory.replay_cycles = facts.or_none("replay_cycles", 0);
  memory.shared_load_stall_cycles = facts.or_none("smem_load_stall_cycles", 0);
  memory.shared_store_stall_cycles = facts.or_none("smem_store_stall_cycles", 0);
  // A texture load is an L1 hit and filtering; where nobody measured it, L1's latency stands for it.
  memory.texture_latency_cycles =
      facts.or_none("tex_latency_cycles", std::max(memory.l1_latency_cycles, 1.0));
}

/// DRAM: measured, else the part's or a sibling's efficiency times peak.
void resolve_dram(FactReader& facts, MemoryTiming& memory) {
  memory.dram_peak_gbps = facts.required("dram_bw_peak_gbps");
  memory.dram_read_gbps = facts.has("dram_bw_read_gbps")
                              ? *facts.optional("dram_bw_read_gbps")
                              : facts.or_assume("dram_efficiency", 0.8) * memory.dram_peak_gbps;
  memory.dram_write_gbps = facts.or_none("dram_bw_write_gbps", memory.dram_read_gbps);
  memory.dram_copy_gbps = std::min(memory.dram_read_gbps, memory.dram_write_gbps);
  if (const auto copy = facts.optional("dram_bw_copy_gbps"))
    memory.dram_copy_gbps = *copy;
  else if (const auto triad = facts.optional("dram_bw_triad_gbps"))
    memory.dram_copy_gbps = *triad;
  else if (const auto efficiency = facts.optional("dram_efficiency_triad"))
    memory.dram_copy_gbps = *efficiency * memory.dram_peak_gbps;
  memory.dram_arrays_read_gbps = facts.or_none("dram_arrays_read_efficiency", 0) * memory.dram_peak_gbps;
  memory.dram_arrays_write_gbps = facts.or_none("dram_arrays_write_efficiency", 0) * memory.dram_peak_gbps;
}

/// P's Table 5 gives a load of four bytes its lambda, which P's models use; the bandwidth of its Table 6 is
/// another measurement. A rate for all mixtures follows (P section 4.3).
void set_rates_by_lambda(FactReader& facts, const Machine& machine, MemoryTiming& memory) {
  if (!facts.overlaid("lambda_ld_global_s32"))
    return;
  const double bytes_per_cycle =
      machine.sm_count * machine.warp_width * 4 / *facts.optional("lambda_ld_global_s32");
  memory.dram_read_gbps = memory.dram_write_gbps = memory.dram_copy_gbps =
      bytes_per_cycle * machine.sm_clock_mhz * 1e-3;
}

/// All of them, or none: bandwidth alone.
void resolve_dram_rows(FactReader& facts, DramRows& rows) {
  for (const char* key : {"dram_row_bytes", "dram_burst_bytes", "dram_banks", "dram_row_cycle_ns",
                          "dram_four_activates_ns", "dram_outstanding_requests"})
    if (!facts.has(key))
      return;
  if (!facts.has("dram_channels") && !facts.has("dram_bus_bits")) {
    facts.note_assumed("dram_bus_bits"); // one channel for all would be a guess far off
    return;
  }
  rows.known = true;
  rows.row_bytes = whole(*facts.optional("dram_row_bytes"));
  rows.burst_bytes = whole(*facts.optional("dram_burst_bytes"));
  const double bus_bits = facts.or_none("dram_bus_bits", 1);
  const double by_width = std::max(1.0, bus_bits / facts.or_none("dram_channel_bits", bus_bits));
  rows.channels = whole(facts.or_none("dram_channels", by_width));
  rows.outstanding_requests = whole(*facts.optional("dram_outstanding_requests"));
  rows.activation_ns = std::max(*facts.optional("dram_four_activates_ns") / 4,
                                *facts.optional("dram_row_cycle_ns") / *facts.optional("dram_banks"));
}

void resolve_bandwidths(FactReader& facts, const Machine& machine, MemoryTiming& memory) {
  const double per_microsecond = machine.sm_clock_mhz; // cycles
  memory.l1_bytes_per_cycle_per_sm =
      facts.or_assume("l1_bw_bytes_per_clk_per_sm", memory.l1_bytes_per_cycle_per_sm);
  memory.shared_bytes_per_cycle_per_sm =
      facts.or_assume("smem_bw_bytes_per_clk_per_sm", memory.shared_bytes_per_cycle_per_sm);
  memory.l2_bytes_per_cycle_per_sm =
      facts.or_assume("l2_bw_bytes_per_clk_per_sm", memory.l2_bytes_per_cycle_per_sm);
  // All SMs together: measured, else what a sibling's SM got when all drew at once, else the ports.
  if (const auto gbps = facts.optional("l2_bw_read_gbps"))
    memory.l2_bytes_per_cycle = *gbps * 1e3 / per_microsecond;
  else if (const auto bytes = facts.optional("l2_bw_bytes_per_clk"))
    memory.l2_bytes_per_cycle = *bytes;
  else
    memory.l2_bytes_per_cycle =
        facts.or_none("l2_bw_share_bytes_per_clk_per_sm", memory.l2_bytes_per_cycle_per_sm) *
        machine.sm_count;
  if (!memory.l2.present) // loads go to DRAM
    memory.l2_bytes_per_cycle = memory.dram_peak_gbps * 1e3 / per_microsecond;
  memory.l2_bytes_per_cycle_per_sm = std::min(memory.l2_bytes_per_cycle_per_sm, memory.l2_bytes_per_cycle);
}

void resolve_atomics(FactReader& facts, MemoryTiming& memory) {
  memory.atomic_same_address_per_cycle = facts.or_assume("atomic_global_same_addr_per_clk", 1);
  memory.atomic_float_same_address_cycles = facts.or_none("atomic_float_same_addr_cycles", 0);
  memory.atomic_slice_sector_cycles = facts.or_none("atomic_slice_sector_cycles", 0);
  memory.atomic_wide_lane_cycles = facts.or_none("atomic_wide_lane_cycles", 0);
  memory.l2_slice_run_bytes =
      static_cast<unsigned>(facts.or_none("l2_slice_run_bytes", memory.l2_slice_run_bytes));
  memory.shared_atomics_retried = facts.text("shared_sums").value_or("native") == "retried";
  memory.shared_increments_merged = facts.text("shared_increments").value_or("single") == "merged";
  memory.atomic_l2_sectors_per_cycle = facts.or_none("atomic_l2_sectors_per_clk", 0);
  memory.atomic_global_latency_cycles = facts.or_none("atomic_global_latency_cycles", 0);
  const auto alone = facts.optional("atomic_shared_latency_cycles");
  const auto crowded = facts.optional("atomic_shared_latency_32way_cycles");
  if (alone && crowded) // 32 lanes on one address: 31 conflicts
    memory.atomic_shared_same_address_cycles = std::max(0.0, (*crowded - *alone) / 31);
  else
    facts.note_assumed("atomic_shared_latency_32way_cycles");
}

} // namespace

void resolve_memory(FactReader& facts, Machine& machine) {
  MemoryTiming& memory = machine.memory;
  resolve_l1(facts, memory);
  resolve_l2(facts, memory);
  resolve_latencies(facts, memory);
  resolve_l3(facts, machine, memory);
  resolve_constant(facts, memory);
  memory.l1_pass_rule = l1_pass_rule(facts.text("l1_pass_rule").value_or("lines"));
  memory.l1_replacement = facts.text("l1_replacement").value_or("lru");
  memory.texture_units_read = facts.text("read_only_path").value_or("l1") == "texture";
  memory.scattered_words_per_cycle = facts.or_none("l1_scattered_words_per_clk_per_sm", 0);
  memory.filtered_per_cycle = facts.or_none("texture_filtered_per_clk_per_sm", 0);
  memory.filtered_texel_bytes = facts.or_none("texture_filtered_texel_bytes", 4);
  memory.coalesce_segment_bytes = whole(facts.or_none("coalesce_segment_bytes", 0));
  memory.coalesce_lanes = whole(facts.or_none("coalesce_lanes", machine.warp_width));
  memory.shared_banks = whole(facts.or_assume("smem_banks", memory.shared_banks));
  memory.l1_banks = whole(facts.or_none("l1_banks", memory.shared_banks));
  memory.shared_bank_bytes = whole(facts.or_assume("smem_bank_width_bytes", memory.shared_bank_bytes));
  memory.shared_lanes_per_pass = whole(facts.or_none("smem_lanes_per_pass", memory.shared_banks));
  memory.shared_unaligned_lanes = whole(facts.or_none("smem_unaligned_lanes", 0));
  resolve_dram(facts, memory);
  set_rates_by_lambda(facts, machine, memory);
  resolve_dram_rows(facts, memory.dram_rows);
  if (DramRows& rows = memory.dram_rows; rows.known && memory.groups_drift())
    rows.sm_bursts = static_cast<double>(rows.outstanding_requests) * rows.channels / machine.sm_count;
  resolve_bandwidths(facts, machine, memory);
  resolve_atomics(facts, memory);
}

} // namespace forewarp::gpu
