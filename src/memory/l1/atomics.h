// Contention of atomics in L2: how many operations of the whole grid go to the most used address, and how
// long the slice of L2 takes whose lines are asked most.
//
// A slice holds `l2_slice_run_bytes` neighbouring bytes. It takes a request sector by sector, a sector in
// `atomic_slice_sector_cycles` at least; lanes of a sector that name one address follow each other; a lane of
// 8 bytes takes `atomic_wide_lane_cycles` of its own. Loops of compare-and-swap: memory/l1/swap_loops.h.
#pragma once

#include "memory/translate/stage_input.h"

#include <span>

namespace forewarp::memory {

struct HottestOperations {
  double address = 0;        ///< of lanes, on the most used address
  double address_cycles = 0; ///< SM cycles of these, one after the other
  double slice_cycles = 0;   ///< SM cycles, of the slice that takes longest
};

/// SM cycles between two operations on one address.
double same_address_cycles(facts::AtomicKind kind, const gpu::MemoryTiming& memory);

/// SM cycles that a slice takes for a request whose lanes all name one address. The next such request finds
/// it where this one left it, so a sector's own time does not count: one counter takes 1.06 cycles an
/// operation on RTX 2080 Ti and 3080 (debdeep23's atomic_hotspot, HeCBench's atomicPerf), requests of many
/// sectors 1.25 each.
double slice_cycles_of_one_address(std::size_t lanes, facts::AtomicKind kind,
                                   const gpu::MemoryTiming& memory);

/// SM cycles that a slice takes for one sector of a request: `addresses` are those of the active lanes in
/// that sector, sorted, of `width_bytes` each.
double slice_cycles_of_sector(std::span<const std::int64_t> addresses, unsigned width_bytes,
                              facts::AtomicKind kind, const gpu::MemoryTiming& memory);

/// By site; 0 for sites that are not atomic. Addresses that move with the group index are contended inside a
/// group only; others are counted over the grid by the samples' weights, all sites' on the one slice that
/// takes longest (0 cycles: a site that does not touch it). Unknown addresses: evenly over the buffer, up to
/// 128 KiB. Shared memory: inside a group.
std::vector<HottestOperations> hottest_operations(const StageInput& in,
                                                  const std::vector<facts::MemorySite>& sites,
                                                  const std::vector<double>& sample_weights);

} // namespace forewarp::memory
