// What one access of one warp takes of the simulated SM, by the kind of access: a pure function of the
// access, of what the memory profile says of it, and of the GPU. One file a kind:
//
// | File | Accesses |
// |---|---|
// | shared.cpp | loads, stores and atomics of shared memory |
// | constant.cpp | loads through the constant cache |
// | cached.cpp | the others: through L1, L2, a memory-side cache and DRAM; frames of spilled registers, too |
#pragma once

#include "facts/memory_profile.h"
#include "facts/op_class.h"
#include "facts/trace.h"
#include "gpu/machine.h"

#include <array>

namespace forewarp::predict::hybrid {

/// Downstream servers of the default predictor, in the order that a miss passes them.
enum Server : int { l1_to_l2_port = 0, l2_share = 1, dram_share = 2, atomic_unit = 3 };
inline constexpr std::size_t server_count = 4;

/// Bytes per SM cycle that the simulated SM can draw from each server.
struct BandwidthShares {
  double port_bytes_per_cycle = 64;
  double l2_bytes_per_cycle = 32;
  double dram_read_bytes_per_cycle = 10;
  double dram_write_bytes_per_cycle = 10;
  double l3_bytes_per_cycle = 10;
};

/// One operation's access. An access in several operations (`parts`) has its share of the outcome.
struct Access {
  facts::OpClass op = facts::OpClass::load_global;
  unsigned parts = 1;
  unsigned width_bytes = 0; ///< a lane, of a site; 0: a spill
  bool store = false;
  bool read_only_path = false; ///< may be kept in the read-only cache
  bool copies = false;         ///< load of an asynchronous copy to shared memory
  unsigned places = 1;         ///< texels that a lane mixes, of
  unsigned texel_bytes = 0;    ///< so many bytes
  std::uint64_t active = 0;    ///< lanes
  facts::AccessOutcome outcome;

  float share() const { return 1.0F / static_cast<float>(parts); }
  /// Of this operation, at least one.
  double transactions() const;
};

/// SM cycles.
struct Cost {
  double pipe_cycles = 0;     ///< that its pipe is busy
  double latency_cycles = 0;  ///< until the result can be used
  float hold_cycles = 0;      ///< that the warp issues nothing else
  float busy_wait_cycles = 0; ///< that the result is later, behind a DRAM that is always busy
  std::array<float, server_count> server_cycles = {};
};

/// The GPU's side of a cached access, made once a program.
struct CachedRules {
  BandwidthShares shares;
  double sector_bytes = 32;
  bool banked_l1 = false;     ///< its passes move the words asked for
  bool sectored_l1 = false;   ///< shares the array of shared memory
  bool texture_cache = false; ///< read-only loads are kept in a cache of the texture units
};
CachedRules cached_rules(const gpu::MemoryTiming& memory, const BandwidthShares& shares, double sector_bytes);

/// Addresses of the next request are taken while the data of this one moves: cycles of the addresses.
double request_cycles(const gpu::Machine& machine, facts::OpClass op);

Cost shared_cost(const Access& access, const gpu::Machine& machine);
Cost shared_atomic_cost(const Access& access, const gpu::Machine& machine);
/// Of an atomic that the code tries again until it succeeds (AccessOutcome::attempts).
Cost retried_atomic_cost(const Access& access, const gpu::Machine& machine);
Cost constant_cost(const Access& access, const gpu::Machine& machine);
Cost cached_cost(const Access& access, const gpu::Machine& machine, const CachedRules& rules);

/// By the kind of the operation.
Cost cost_of(const Access& access, const gpu::Machine& machine, const CachedRules& rules);

} // namespace forewarp::predict::hybrid
