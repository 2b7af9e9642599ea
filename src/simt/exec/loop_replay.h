// Loops whose iterations are written to the trace instead of being run. The second and third iteration are
// compared: when they ran the same blocks and every address moved, the analysis (replay_analysis.h) says that
// the next ones do the same by the same distances. The first and the last two are always run, so that an
// access beyond the end of a buffer is found; the one after the jump is held against what was written. Behind
// the end of a warp's record nothing is written: iterations that took as many instructions are only counted.
#pragma once

#include "simt/exec/group_state.h"
#include "simt/exec/warp_record.h"

#include <vector>

namespace forewarp::simt {

class LoopReplayer {
public:
  LoopReplayer(GroupState& state, WarpRecord& record) : state_(state), record_(record) {}

  /// At the end of an iteration that all lanes of the path go on from.
  void watch(const Path& path, std::uint32_t loop);
  /// Iterations were written without being run: an error, or `failed`, asks for a run without.
  bool replayed() const { return replayed_; }
  bool failed() const { return failed_; }
  void fail() { failed_ = true; }

private:
  LoopWatch::Mark mark() const;
  void save_values(const LoopReplay& replay, LoopWatch& watch) const;
  bool repeats(const LoopWatch::Mark& a, const LoopWatch::Mark& b, const LoopWatch::Mark& end);
  std::uint64_t iterations_left(const LoopReplay& replay, const LoopWatch& watch) const;
  void replay(std::uint32_t loop, const LoopReplay& replay, LoopWatch& watch);
  std::uint64_t write_iterations(const LoopWatch& watch, std::uint64_t wanted);
  void check_replay(LoopWatch& watch);
  bool moved_as_before(std::size_t event, std::size_t per_iteration) const;

  GroupState& state_;
  WarpRecord& record_;
  bool replayed_ = false, failed_ = false;
  std::vector<std::int64_t> distances_; ///< scratch: by event of an iteration
};

} // namespace forewarp::simt
