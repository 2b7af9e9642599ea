// Address streams -> memory profile: coalescing, banks, caches by reuse distance / LRU, DRAM bytes.
#pragma once

#include "facts/memory_profile.h"
#include "facts/shortcuts.h"
#include "facts/trace.h"
#include "gpu/machine.h"
#include "support/result.h"

#include <vector>

namespace forewarp::memory {

struct ProfileOptions {
  enum class CacheState { cold, warm, dirty } cache = CacheState::cold; ///< L2 before the kernel
  unsigned active_groups_per_sm = 1;
  std::uint64_t shared_bytes_per_group = 0; ///< static + dynamic; takes its part of a unified L1
  /// L2 accesses that are simulated, about; of more, a share of the lines stands for all (line_sampling.h).
  std::uint64_t max_l2_accesses = 20'000;
  facts::AtomicKinds atomics; ///< by site; empty: integers
  facts::Shortcuts shortcuts; ///< line_sampling, l2_waves and steady_loops are this stage's
  /// Of waves with more simulated ones the middle of a steady loop is left out (steady_loop.h).
  double long_wave_accesses = 1e6;
};

class TraceAddresses;

/// `sites` is the machine program's list. `addresses`: of this trace and these sites, where they were made
/// before (trace_addresses.h). Deterministic.
Result<facts::MemoryProfile> profile(const facts::KernelTrace& trace,
                                     const std::vector<facts::MemorySite>& sites, const gpu::Machine& machine,
                                     const ProfileOptions& options,
                                     const TraceAddresses* addresses = nullptr);

} // namespace forewarp::memory
