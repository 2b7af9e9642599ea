// Runs one work-group: its warps, one after the other from barrier to barrier. What a warp does stands in
// warp_control.h (blocks, divergence), special_instructions.h (memory, atomics, lanes that see each other),
// loop_replay.h, unknown_branches.h; what of it is recorded in warp_record.h.
#pragma once

#include "facts/slow_division.h"
#include "simt/exec/group_state.h"
#include "simt/exec/loop_replay.h"
#include "simt/exec/special_instructions.h"
#include "simt/exec/warp_control.h"
#include "simt/exec/warp_record.h"

#include <string>
#include <vector>

namespace forewarp::simt {

class GroupRunner {
public:
  /// `shared_bytes`: static and dynamic together.
  GroupRunner(const Program& program, const facts::LaunchShape& shape, const RunOptions& options,
              MemoryMap& memory, std::uint64_t shared_bytes,
              const std::vector<std::uint64_t>& variable_addresses);

  /// A slot of the launch: argument, constant, address.
  void set_shared(std::int32_t slot, LaneType type, std::uint64_t value, bool known);
  std::int32_t group_slot(GroupValue value) const {
    return state_.program.group_values[static_cast<int>(value)];
  }

  Result<facts::GroupTrace> run(facts::Dim3 group);

  /// A group that waits at a barrier of the grid, or for others of its cluster, while these run; `exchange`
  /// puts it in place of the runner's.
  struct State {
    facts::Dim3 group;
    std::vector<Warp> warps;
    std::vector<std::uint8_t> shared_memory, shared_known;
    TensorStore tensor_memory = {};
  };
  State make_state(facts::Dim3 group) const;
  void exchange(State& state);
  /// Of the group that was exchanged in: from its start, from the barrier where it waits; its trace.
  void start(bool first = true); ///< first: of those that meet each other
  Result<bool> run_on();         ///< false: it waits at a barrier of the grid (`waits_at`), or for others
  /// The shared memory of the cluster's group `rank` is that of a state; null: of the group that runs.
  void show(unsigned rank, State* state);
  /// Grows whenever somebody arrives at something that others may wait for.
  std::uint64_t arrivals() { return specials_.meetings().changes(); }
  bool meets_across_groups() const { return !others_.empty(); }
  bool multiplies_in_pairs() const { return state_.program.multiplies_in_pairs; }
  /// The cluster's barrier goes on without those who have returned, where the warps that are left wait at it.
  bool release_cluster();
  /// Of the group that was exchanged in: nobody is left who could end what it waits for. Sets the error.
  void fail_waiting();
  const std::optional<Error>& error() const { return state_.error; }
  facts::GroupTrace finish();
  std::uint32_t waits_at() const { return grid_barrier_; } ///< index of the instruction
  /// Branches were settled by the policy for unknown values: groups may part where they would not.
  bool guessed() const { return state_.guesses > 0; }
  Error fault(std::string message, std::uint32_t instruction, std::string hint) const;

  /// Notes of all groups so far, each once.
  const std::vector<facts::Note>& notes() const { return state_.notes(); }
  std::uint64_t instructions() const { return state_.budget.instructions; }
  facts::SlowDivisions slow_divisions() const { return specials_.divisions().slow(); }
  std::uint64_t trace_bytes() const { return state_.budget.trace_bytes; }
  bool trace_is_full() const { return trace_bytes() > state_.options.max_trace_bytes; }
  std::uint64_t trace_bytes_left() const {
    return state_.options.max_trace_bytes - std::min(trace_bytes(), state_.options.max_trace_bytes);
  }
  /// The caller dropped the last group's trace: it no longer counts.
  void forget_trace_bytes(std::uint64_t bytes) { state_.budget.trace_bytes -= bytes; }
  static std::uint64_t trace_bytes(const facts::GroupTrace& trace);
  /// Iterations were written without being run: an error, or `replay_failed`, asks for a run without.
  bool replayed() const { return replayer_.replayed(); }
  bool replay_failed() const { return replayer_.failed(); }

private:
  void set_group(facts::Dim3 group);
  std::vector<Warp> make_warps() const;
  void start_warp(Warp& warp, std::uint32_t index);
  void set_lane_value(Warp& warp, WarpValue value, unsigned lane, std::uint64_t lane_value);
  bool release_barrier();
  bool look_again();
  std::uint64_t lanes_at_start(std::uint32_t warp) const;
  void note_returned(std::uint32_t barrier);
  unsigned lanes() const { return state_.lanes(); }
  std::uint64_t private_frame_bytes() const { return (state_.program.frame_bytes + 15) / 16 * 16; }

  GroupState state_;
  std::vector<std::uint8_t> shared_memory_, shared_known_;
  std::vector<Region*> others_; ///< shared memory of the cluster's groups, by rank; empty: they do not meet
  bool waits_for_others_ = false;
  std::vector<Warp> warps_;
  std::uint32_t warp_count_ = 0;
  std::uint32_t grid_barrier_ = UINT32_MAX; ///< instruction that the whole group waits at; UINT32_MAX: none
  WarpRecord record_;
  LoopReplayer replayer_{state_, record_};
  SpecialInstructions specials_{state_, record_};
  WarpControl control_{state_, record_, replayer_, specials_};
};

} // namespace forewarp::simt
