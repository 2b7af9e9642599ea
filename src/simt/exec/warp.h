// One warp: its registers, its stack of divergent paths, and its trace.
#pragma once

#include "facts/trace.h"
#include "simt/decode/program.h"
#include "simt/lanes/lane_kernels.h"
#include "simt/sampling/record_pieces.h"
#include "simt/sampling/recorder.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace forewarp::simt {

/// Lanes that go the same way. Reconvergence at the immediate post-dominator: an entry ends where it reaches
/// `reconverge` and the entry below goes on with the union of lanes.
struct Path {
  std::uint32_t block = 0;
  std::uint32_t reconverge = UINT32_MAX;
  std::uint32_t previous_block = UINT32_MAX;
  std::uint64_t active = 0;
  std::uint64_t twin = 0;    ///< lanes of an unknown branch that also run (or ran) on another path
  std::uint64_t forget = 0;  ///< lanes whose phis become unknown when this path starts its block
  std::uint32_t choices = 0; ///< unknown branches behind it whose sides meet at `reconverge`
};

enum class WarpState : std::uint8_t { running, at_barrier, at_meeting, finished };

struct AlignedDelete {
  void operator()(std::uint8_t* p) const { ::operator delete[](p, std::align_val_t{64}); }
};

struct RegisterFile {
  std::unique_ptr<std::uint8_t[], AlignedDelete> data;
  std::vector<std::uint64_t> known;
  void allocate(std::size_t slots, std::size_t slot_bytes);
};

/// What was seen of a replayable loop's iterations since it was entered.
struct LoopWatch {
  struct Mark {
    std::size_t steps = 0, events = 0;
    std::uint64_t ir_instructions = 0, recorded = 0, clock = 0, barriers = 0, guesses = 0;
  };
  std::array<Mark, 3> marks;    ///< at the end of iterations 1, 2, 3
  std::uint64_t iterations = 0; ///< watched without a gap; 0: not watched
  std::uint64_t active = 0;
  std::size_t depth = 0;             ///< of the stack of paths
  std::vector<std::uint64_t> values; ///< at the end of iteration 2: `moving`, then the inductions, by lane
  std::uint64_t checked_at = 0; ///< after a replay: iteration whose end shows whether it was right; 0: none
  Mark after_replay;
};

struct Warp {
  RegisterFile registers;
  std::vector<std::uint8_t> local, local_known; ///< private arrays of its lanes, lane by lane
  std::vector<Path> paths;
  std::vector<std::uint32_t> loop_iterations; ///< by loop
  std::vector<LoopWatch> watches;             ///< by loop
  std::uint64_t barriers = 0;                 ///< arrived at
  std::uint64_t replayed_barriers = 0;        ///< in iterations that were not run
  std::uint64_t live = 0;                     ///< lanes that exist and have not returned
  std::uint64_t assumed = 0;                  ///< lanes that went by an assumed branch or trip count
  std::uint64_t overran = 0;                  ///< of these: those whose loop led out of a buffer
  std::uint32_t index = 0;                    ///< in the group
  std::uint32_t resume = UINT32_MAX;          ///< instruction to go on with after a barrier
  std::uint32_t barrier = UINT32_MAX;         ///< instruction that it waits at
  std::uint64_t seen_changes = 0;             ///< of the group's meetings, when it began to wait there
  std::uint64_t engine_piece = 0;             ///< of the bulk copy that is being made
  unsigned engine_lane = 0;                   ///< that asked for it, among the active ones
  std::array<std::uint64_t, 16> rounds{};     ///< of named barriers, that it waits for
  std::uint64_t cluster_round = 0;            ///< of the cluster's barrier, that it arrived at last
  WarpState state = WarpState::finished;
  std::uint64_t clock = 0;
  facts::WarpTrace trace;
  LastOffsets last_offsets;
  bool recording = true; ///< the step that runs, and what follows until this changes
  RecordPieces pieces;
  std::uint64_t recorded_instructions = 0;             ///< IR instructions of the recorded steps
  std::size_t expected_steps = 0, expected_events = 0; ///< as in the group before
};

} // namespace forewarp::simt
