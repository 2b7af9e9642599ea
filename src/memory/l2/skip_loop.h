// Turns of a wave's steady loop that are passed over: their sums are known (steady_loop.h), only the
// footprint sees them.
#pragma once

#include "memory/l2/l2_walk.h"
#include "memory/waves/repeated_step.h"
#include "memory/waves/steady_loop.h"

#include <optional>
#include <vector>

namespace forewarp::memory {

/// What one warp of a cohort has still to ask in this run of groups in step.
struct WarpQueue {
  Cohort* cohort;
  std::uint32_t warp;
  const StreamEvent *next, *end;
};

/// About, simulated.
struct WaveSize {
  double accesses = 0;           ///< of a wave
  double long_wave_accesses = 0; ///< from which on a wave is long
  double cache_sectors = 0;
};

/// Of a wave that asks for much, all warps the same; nothing where there is no such loop.
std::optional<LoopWatch> watch_loop(const StageInput& in, const std::vector<WarpQueue>& queues,
                                    const WaveSize& size);

/// Moves the queues past the windows that `watch` leaves out at `turn` and counts their sums. Returns the
/// number of turns.
std::size_t leave_out(LoopWatch& watch, std::size_t turn, std::vector<WarpQueue>& queues, L2Lookup& lookup,
                      L2Walk& walk, LastStep& last);

} // namespace forewarp::memory
