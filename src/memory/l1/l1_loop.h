// Long loops in L1: once windows of iterations miss what the windows before them missed, the middle of the
// loop is taken to do as they did; not where lines are replaced at random, whose rare misses a few windows do
// not tell (part of atax's rows on V100: a fifth off). A loop over the same addresses that hits everywhere
// goes on to hit.
#pragma once

#include "memory/l1/l1_stage.h"
#include "memory/waves/steady_loop.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace forewarp::memory {

/// What an SM's caches have to do.
struct L1Work {
  double accesses = 0; ///< of blocks
  double turns = 0;
  double cache_sectors = 0; ///< that its caches hold
  bool by_age = true;       ///< they replace what was used longest ago
};

class L1Loop {
public:
  L1Loop(const StageInput& in, std::vector<std::uint32_t> samples, L1Result& result, const SteadyLoop& loop,
         const L1Work& work);
  /// Turns to leave out before `turn`, having filled in what their blocks pass. `asked` and `passed`:
  /// sectors by site so far.
  std::size_t leave_out(std::size_t turn, std::span<const std::uint64_t> asked,
                        std::span<const std::uint64_t> passed) {
    return watch_.ends_window(turn) ? end_window(turn, asked, passed) : 0;
  }

private:
  std::size_t end_window(std::size_t turn, std::span<const std::uint64_t> asked,
                         std::span<const std::uint64_t> passed);
  /// Every event from `turn` on is what it was a window before, and a look-up.
  bool goes_in_a_circle(std::size_t turn) const;
  bool same_requests(std::size_t turn, std::size_t turns) const;
  /// `turns` turns from `turn` on pass what the `of` turns before them passed, again and again.
  void repeat(std::size_t turn, std::size_t turns, std::size_t of);

  const StageInput& in_;
  std::vector<std::uint32_t> samples_; ///< of the residents, distinct
  L1Result& result_;
  LoopWatch watch_;
  std::uint64_t passed_before_ = UINT64_MAX; ///< at the end of the last window
  bool no_circle_ = false, by_age_;
};

/// The loop that makes up most of what the samples' warps do, where there is much to do.
std::optional<L1Loop> l1_loop(const StageInput& in, const std::vector<std::uint32_t>& samples,
                              L1Result& result, const L1Work& work);

} // namespace forewarp::memory
