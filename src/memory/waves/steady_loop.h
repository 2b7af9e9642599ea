// Long loops of a wave in L2: once an iteration misses what the one before missed, the rest need not be
// simulated. What is left out lies in the middle: the first iterations fill the cache, the last leave in it
// what the next wave meets.
#pragma once

#include "memory/translate/stream.h"
#include "memory/waves/site_sectors.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace forewarp::memory {

/// Turns [first, end) of a wave repeat: after each `period` of them every warp is at the same sites, after
/// each `window` as far into their blocks as before, too.
struct SteadyLoop {
  std::size_t first = 0, end = 0, period = 0, window = 0;
};

/// The loop that makes up most of the streams, if all of them visit the same sites in the same order, in
/// windows of `least_window` turns or more. Streams are not empty.
std::optional<SteadyLoop> steady_loop(std::span<const std::vector<StreamEvent>* const> streams,
                                      std::size_t least_window);

/// Sums over the sites so far, weighing `weight` a wave, and accesses simulated.
struct WaveSums {
  std::vector<SiteSectors> sites;
  double weight = 1;
  std::uint64_t accesses = 0;
};

/// Looks at the sums at the end of each window.
class LoopWatch {
public:
  /// `cache_sectors`: of all caches that are simulated; `accesses_a_turn`: about, were all turns alike.
  LoopWatch(const SteadyLoop& loop, double cache_sectors, double accesses_a_turn)
      : loop_(loop), cache_sectors_(cache_sectors), accesses_a_turn_(accesses_a_turn) {}
  /// A window ends before this turn.
  bool ends_window(std::size_t turn) const {
    return !decided_ && turn >= loop_.first && turn <= loop_.end && (turn - loop_.first) % loop_.window == 0;
  }
  /// Windows to leave out at the end of this one. Above 0 at most once.
  std::size_t left_out(std::size_t turn, WaveSums sums);
  /// What they ask: as the last windows, which were alike.
  std::vector<SiteSectors> sums_of(std::size_t windows) const;
  /// The last windows so far that were alike.
  std::size_t alike_windows() const { return alike_ + 1; }
  const SteadyLoop& loop() const { return loop_; }

private:
  SteadyLoop loop_;
  double cache_sectors_, accesses_a_turn_;
  bool decided_ = false;
  unsigned alike_ = 0;              ///< windows in a row that were as the one before
  double filled_ = 0;               ///< sectors, by all windows
  std::vector<SiteSectors> window_; ///< what the last window asked
  WaveSums before_;                 ///< at the end of the last window
  std::vector<SiteSectors> since_;  ///< sums where windows began to be alike
};

} // namespace forewarp::memory
