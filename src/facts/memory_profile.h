// What the memory system does with the trace on one GPU: made by room memory, read by pipeline, models and
// report.
#pragma once

#include "facts/trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace forewarp::facts {

/// What an atomic computes: its cost and its code differ. compare_swap: tried again until it succeeds.
enum class AtomicKind : std::uint8_t { integer, floating, compare_swap };

/// By memory site; sites that are not atomic have `integer`.
using AtomicKinds = std::vector<AtomicKind>;

/// `integer` where nobody said.
inline AtomicKind kind_of_site(const AtomicKinds& kinds, std::uint32_t site) {
  return site < kinds.size() ? kinds[site] : AtomicKind::integer;
}

/// How the lanes of a request touch memory. Fixed vocabulary; docs/reference/vocabulary.md explains each
/// word.
enum class AccessClass : std::uint8_t {
  uniform,   ///< all lanes, one address
  coalesced, ///< as few transactions as the width allows
  strided,   ///< constant stride, more transactions than needed
  scattered, ///< irregular
  conflict_free,
  bank_conflict,
  broadcast, ///< shared memory
  unknown,
};
std::string_view to_string(AccessClass access);

/// One executed warp-level access, averaged over the resident groups that ran it (hence fractions).
struct AccessOutcome {
  float transactions = 1; ///< passes through the L1 / shared-memory pipe (bank passes, segments, tag lookups)
  float sectors = 0;      ///< 32-byte (generation-dependent) units asked of L1
  float l2_sectors = 0;   ///< of these, passed on to L2
  float dram_sectors = 0; ///< of these, passed on to DRAM
  float dram_wait = -1;   ///< chance that DRAM serves one of its lines; below 0: dram_sectors, at most 1
  float dram_extra_sectors =
      0; ///< what DRAM could have streamed beside, but for opened rows and half-used bursts
  float l2_far_sectors = 0; ///< of those passed on to L2, fetched through another part of it
  float l3_sectors = 0;     ///< of those passed on to L2, missing there and found in a memory-side cache
  float attempts = 0; ///< atomics that the code tries again until they succeed: how often this warp does,
                      ///< mean over the warps of its group; 0: one operation of the hardware
  float lines = 0;    ///< of 128 bytes, that the sectors lie in; 0: as many as sectors
  bool l1_bypass = false;
  float other_group_share =
      0;                     ///< shared memory: of the lanes, whose word lies in another group of the cluster
  bool tries_floats = false; ///< with `attempts`: the operation between is one of floats
};

struct SiteProfile {
  std::uint32_t site = 0;
  AccessClass access = AccessClass::unknown;
  double requests = 0;                 ///< warp-level requests, whole grid
  double transactions_per_request = 0; ///< see docs/reference/vocabulary.md: what counts on each generation
  double sectors_per_request = 0;
  double passes_per_request = 0; ///< through the L1 / shared-memory pipe: mean of AccessOutcome::transactions
  double hottest_address_operations = 0; ///< atomics: operations on the most used address, whole grid
  double hottest_address_cycles = 0;     ///< SM cycles of these, one after the other
  double hottest_slice_cycles = 0; ///< atomics: SM cycles of the slice of L2 that all sites together keep
                                   ///< busy longest, this site's part, whole grid
  double hottest_line_sectors = 0; ///< loads past L1: sectors of the most used 128-byte line, whole grid
  double l1_hit_rate = 0;          ///< by sector, of what asked L1 (0 where L1 is bypassed)
  double l2_hit_rate = 0;          ///< by sector, of what reached L2
  double bytes_asked = 0;          ///< by the lanes, whole grid
  double bytes_l2 = 0;             ///< moved between L1 and L2, whole grid
  double bytes_dram = 0;           ///< moved between L2 and DRAM, whole grid
  double dram_rows_opened = 0;     ///< whole grid; 0 where the GPU's file does not describe its DRAM
};

struct MemoryProfile {
  std::string gpu;
  unsigned sector_bytes = 32;
  /// outcomes[g][w][e]: sampled group g, warp w, event e of the trace (same indices as KernelTrace).
  std::vector<std::vector<std::vector<AccessOutcome>>> outcomes;
  std::vector<SiteProfile> sites;                     ///< one per MemorySite, same index
  double l2_bytes_read = 0, l2_bytes_written = 0;     ///< whole grid
  double dram_bytes_read = 0, dram_bytes_written = 0; ///< whole grid
  double dram_extra_bytes_read = 0,
         dram_extra_bytes_written = 0; ///< AccessOutcome::dram_extra_sectors, whole grid
  double l3_bytes_read = 0; ///< whole grid: L2 misses that a memory-side cache serves; not in dram_bytes_read
  double footprint_bytes = 0;  ///< distinct sectors touched by the grid, estimated
  double compulsory_bytes = 0; ///< least DRAM traffic: distinct sectors read before they are written, and
                               ///< written, less dirty_at_end_bytes
  double dirty_at_end_bytes =
      0; ///< written, but still in a write-back L2 when the kernel ends: not in dram_bytes_written
  double resident_footprint_bytes = 0; ///< the same for the groups resident at one time on the GPU
  unsigned like_arrays =
      0; ///< that a warp walks at a time, at like offsets, with bytes of DRAM; 0: not asked
  std::vector<Note> notes;
};

} // namespace forewarp::facts
