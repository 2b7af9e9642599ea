// Global, local and texture accesses and global atomics: the pipe in front of L1, the port to L2, L2, a
// memory-side cache and DRAM.
#include "predict/traced/cost/access.h"

#include "memory/coalesce/coalesce.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace forewarp::predict::hybrid {
namespace {

using facts::OpClass;

double first_latency(const gpu::MemoryTiming& memory, OpClass op) {
  if (op == OpClass::load_texture)
    return memory.texture_latency_cycles;
  return op == OpClass::scalar_load ? memory.constant_latency_cycles : memory.l1_latency_cycles;
}

/// That the request waits for DRAM.
double dram_chance(const facts::AccessOutcome& outcome) {
  return outcome.dram_wait >= 0 ? outcome.dram_wait : std::min(1.0F, outcome.dram_sectors);
}

/// Each level adds what it takes longer, in the proportion that reaches it.
double latency_of(const Access& access, const gpu::MemoryTiming& memory) {
  const facts::AccessOutcome& outcome = access.outcome;
  const double reaches_l2 = std::min(1.0F, outcome.l2_sectors);
  const double reaches_dram = dram_chance(outcome);
  const double reaches_l3 = std::min(1.0F - static_cast<float>(reaches_dram), outcome.l3_sectors);
  // DRAM's latency is the mean over the parts of L2 that its memory hangs on.
  const double far_share = outcome.l2_sectors > 0 ? outcome.l2_far_sectors / outcome.l2_sectors : 0;
  const double crosses = reaches_l2 * far_share - reaches_dram * (1 - 1.0 / memory.l2_parts);
  const double base = first_latency(memory, access.op);
  const double latency = base + reaches_l2 * std::max(0.0, memory.l2_latency_cycles - base) +
                         reaches_dram * (memory.dram_latency_cycles - memory.l2_latency_cycles) +
                         crosses * memory.l2_crossing_cycles +
                         reaches_l3 * std::max(0.0, memory.l3_latency_cycles - memory.l2_latency_cycles);
  if (access.op != OpClass::atomic_global)
    return latency;
  return std::max(latency, memory.atomic_global_latency_cycles > 0 ? memory.atomic_global_latency_cycles
                                                                   : memory.l2_latency_cycles);
}

/// Read by the texture units: read-only loads, and plain ones where their cache is L1 (GP100).
bool by_texture_units(const Access& access, const gpu::Machine& machine, const CachedRules& rules) {
  const bool plain = access.op == OpClass::load_global && machine.memory.l1_caches_global &&
                     machine.timing(OpClass::load_global).unit == machine.timing(OpClass::load_texture).unit;
  return rules.texture_cache && (access.read_only_path || plain);
}

/// Of a load by the texture units that hits: lanes' addresses are taken so many a cycle, registers are
/// written at L1's rate, every lane's word, and data are fetched by whole sectors at that rate or, where less
/// of them is asked for, so many words a cycle.
double texture_cycles(const Access& access, const gpu::Machine& machine, double sector_bytes) {
  constexpr double word_bytes = 4;
  const gpu::MemoryTiming& memory = machine.memory;
  const double active = std::popcount(access.active);
  const double asked =
      active * std::max(word_bytes, access.width_bytes * static_cast<double>(access.share()));
  const double sectors = access.outcome.sectors * access.share() * sector_bytes;
  const double scattered = memory.scattered_words_per_cycle;
  const double addresses = scattered > 0
                               ? request_cycles(machine, access.op)
                               : request_cycles(machine, OpClass::load_texture) * active / machine.warp_width;
  const double words = scattered > 0 ? std::min(asked, sectors) / word_bytes / scattered : 0;
  return std::max({addresses, asked / memory.l1_bytes_per_cycle_per_sm,
                   std::min(sectors / memory.l1_bytes_per_cycle_per_sm, words)});
}

/// Bytes that pass L1's data path.
double l1_bytes(const Access& access, const CachedRules& rules) {
  double bytes = access.outcome.sectors * access.share() * rules.sector_bytes;
  const auto asked = static_cast<double>(std::popcount(access.active)) * access.width_bytes * access.share();
  if (asked > 0 && rules.banked_l1)
    bytes = std::min(bytes, asked);
  if (rules.sectored_l1 && access.op == OpClass::load_global)
    bytes = std::max(bytes, asked); // every lane's register is written, whoever shares the word
  return bytes;
}

/// Cycles that requests for whole lines of L2 take (Kepler).
double line_request_cycles(const Access& access, const gpu::MemoryTiming& memory) {
  return access.outcome.l2_sectors > 0 ? access.transactions() * memory.l2_line_request_cycles : 0;
}

/// That the texture units mix texels: four a result, the eight of a volume in two turns, and wide texels in
/// as many as they hold of what a unit takes at once.
double mixing_cycles(const Access& access, const gpu::MemoryTiming& memory) {
  if (access.places == 1 || memory.filtered_per_cycle == 0)
    return 0;
  constexpr double texels_a_turn = 4;
  return std::popcount(access.active) / memory.filtered_per_cycle * std::ceil(access.places / texels_a_turn) *
         std::ceil(access.texel_bytes / memory.filtered_texel_bytes);
}

double pipe_cycles(const Access& access, const gpu::Machine& machine, const CachedRules& rules) {
  const gpu::MemoryTiming& memory = machine.memory;
  const double request = std::max(request_cycles(machine, access.op), mixing_cycles(access, memory));
  if (access.copies) // its data pass once, into shared memory: StreamTemplates::apply_stored
    return request;
  const double transactions = access.transactions();
  double cycles = std::max(request, transactions * memory.lsu_cycles_per_transaction);
  if (access.op == OpClass::load_global && access.width_bytes < 4)
    cycles += memory.lsu_cycles_per_sub_word;
  cycles = std::max(cycles, l1_bytes(access, rules) / memory.l1_bytes_per_cycle_per_sm);
  if (by_texture_units(access, machine, rules))
    return texture_cycles(access, machine, rules.sector_bytes);
  const double lines = line_request_cycles(access, memory);
  if (!access.read_only_path && lines > 0) // lines pass the pipe of shared memory behind the request; the
                                           // read-only cache has its own way in
    return std::max(cycles, request + lines);
  return cycles;
}

/// Of `sectors` written with `lane_bytes` by each active lane: how many are written in part, taken that these
/// get one lane's bytes each.
double partial_sectors(double sectors, const Access& access, double lane_bytes, double sector_bytes) {
  if (lane_bytes >= sector_bytes)
    return 0;
  const double missing = sectors * sector_bytes - std::popcount(access.active) * lane_bytes;
  return std::clamp(missing / (sector_bytes - lane_bytes), 0.0, sectors);
}

/// Lines of 128 bytes in which such sectors lie. What a warp writes of a line goes to L2 as one write, which
/// is put together with what the line holds once.
double partial_lines(const Access& access, double sector_bytes) {
  const double share = access.share();
  const double sectors =
      partial_sectors(access.outcome.l2_sectors * share, access, access.width_bytes * share, sector_bytes);
  return access.outcome.lines > 0 ? std::min(sectors, access.outcome.lines * share) : sectors;
}

/// Of a load's bytes from L2: the share that comes alone out of its line of L2, taken that lanes which share
/// no line of L1 share none of L2 either. A channel gives a line a cycle, whatever of it is asked for, unless
/// it gives sectors of 32 bytes (NVIDIA).
double lone_share(const Access& access, const gpu::MemoryTiming& memory, double sector_bytes) {
  const bool by_line = memory.l2.sector_bytes > 32 && memory.l2.line_bytes > memory.l1.line_bytes;
  if (access.store || !by_line || memory.l1.line_bytes == 0)
    return 0;
  const double lanes = std::popcount(access.active);
  const double lines = access.outcome.sectors * access.share() * sector_bytes / memory.l1.line_bytes;
  const double fewest = std::max(1.0, lanes * access.width_bytes * access.share() / memory.l1.line_bytes);
  return lanes > fewest ? std::clamp((lines - fewest) / (lanes - fewest), 0.0, 1.0) : 0;
}

void set_servers(const Access& access, const gpu::MemoryTiming& memory, const CachedRules& rules,
                 Cost& cost) {
  const facts::AccessOutcome& outcome = access.outcome;
  const float share = access.share();
  const double sector_bytes = rules.sector_bytes;
  const BandwidthShares& shares = rules.shares;
  const double l2_bytes = outcome.l2_sectors * share * sector_bytes;
  cost.server_cycles[l1_to_l2_port] = static_cast<float>(
      std::max(l2_bytes / shares.port_bytes_per_cycle, line_request_cycles(access, memory)));
  const double extra_writes =
      access.store ? partial_lines(access, sector_bytes) * (memory.l2_partial_write_slots - 1) : 0;
  const double unasked = l2_bytes * lone_share(access, memory, sector_bytes) *
                         (static_cast<double>(memory.l2.line_bytes) / std::max(1U, memory.l1.line_bytes) - 1);
  cost.server_cycles[l2_share] =
      static_cast<float>((l2_bytes + unasked + extra_writes * sector_bytes) / shares.l2_bytes_per_cycle);
  const double dram_bytes = (outcome.dram_sectors + outcome.dram_extra_sectors) * share * sector_bytes;
  const double l3_bytes = outcome.l3_sectors * share * sector_bytes;
  cost.server_cycles[dram_share] = static_cast<float>(
      dram_bytes / (access.store ? shares.dram_write_bytes_per_cycle : shares.dram_read_bytes_per_cycle) +
      (l3_bytes > 0 ? l3_bytes / shares.l3_bytes_per_cycle : 0));
}

} // namespace

CachedRules cached_rules(const gpu::MemoryTiming& memory, const BandwidthShares& shares,
                         double sector_bytes) {
  return {shares, sector_bytes, memory::l1_passes_are_bank_passes(memory), memory::l1_is_sectored(memory),
          memory.texture_units_read};
}

Cost cached_cost(const Access& access, const gpu::Machine& machine, const CachedRules& rules) {
  Cost cost;
  cost.pipe_cycles = pipe_cycles(access, machine, rules);
  cost.latency_cycles = latency_of(access, machine.memory);
  cost.busy_wait_cycles =
      static_cast<float>(dram_chance(access.outcome) * machine.memory.dram_busy_wait_cycles);
  set_servers(access, machine.memory, rules, cost);
  return cost;
}

} // namespace forewarp::predict::hybrid
