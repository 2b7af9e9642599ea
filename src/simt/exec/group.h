// Runs one work-group: its warps, one after the other from barrier to barrier. One class over several files:
// group.cpp (set-up, barriers), control.cpp (blocks, divergence, loops), replay.cpp, unknown.cpp (what is
// done where a condition is unknown), exec_memory.cpp, exec_atomics.cpp, exec_cross_lane.cpp, faults.cpp.
#pragma once

#include "facts/launch.h"
#include "facts/trace.h"
#include "simt/decode/program.h"
#include "simt/exec/warp.h"
#include "simt/memory_map.h"
#include "simt/run.h"
#include "simt/sampling/recorder.h"
#include "support/result.h"

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace forewarp::simt {

/// Limits of a whole run, shared by its groups.
struct Budget {
  std::uint64_t instructions = 0, trace_bytes = 0;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

inline constexpr std::uint64_t fitting_groups =
    3; ///< whole samples that the trace budget always has room for

/// A warp that may be recorded in pieces is long from this part of its budget on: below, all of it is wanted,
/// since circles that caches hold show in whole rounds only.
inline constexpr std::uint64_t long_share = 2;

/// What is spread over a warp's life stands for it with so much less of the budget than its first part.
inline constexpr std::uint64_t pieces_share = 4;

inline constexpr const char* returned_before_barrier =
    "work-items have returned before this barrier; the others do not wait for them";

class GroupRunner {
public:
  /// `shared_bytes`: static and dynamic together.
  GroupRunner(const Program& program, const facts::LaunchShape& shape, const RunOptions& options,
              MemoryMap& memory, std::uint64_t shared_bytes,
              const std::vector<std::uint64_t>& variable_addresses);

  /// A slot of the launch: argument, constant, address.
  void set_shared(std::int32_t slot, LaneType type, std::uint64_t value, bool known);
  std::int32_t group_slot(GroupValue value) const { return program_.group_values[static_cast<int>(value)]; }

  Result<facts::GroupTrace> run(facts::Dim3 group);

  /// A group that waits at a barrier of the grid while others run; `exchange` puts it in place of the
  /// runner's.
  struct State {
    facts::Dim3 group;
    std::vector<Warp> warps;
    std::vector<std::uint8_t> shared_memory, shared_known;
  };
  State make_state(facts::Dim3 group) const;
  void exchange(State& state);
  /// Of the group that was exchanged in: from its start, from the barrier where it waits; its trace.
  void start();
  Result<bool> run_on(); ///< false: it waits at a barrier of the grid (`waits_at`)
  facts::GroupTrace finish();
  std::uint32_t waits_at() const { return grid_barrier_; } ///< index of the instruction
  /// Branches were settled by the policy for unknown values: groups may part where they would not.
  bool guessed() const { return guesses_ > 0; }
  Error fault(std::string message, std::uint32_t instruction, std::string hint);

  /// Notes of all groups so far, each once.
  std::vector<facts::Note> notes() const;
  std::uint64_t instructions() const { return budget_.instructions; }
  facts::SlowDivisions slow_divisions() const;
  /// The caller dropped the last group's trace: it no longer counts.
  bool trace_is_full() const { return budget_.trace_bytes > options_.max_trace_bytes; }
  std::uint64_t trace_bytes() const { return budget_.trace_bytes; }
  std::uint64_t trace_bytes_left() const {
    return options_.max_trace_bytes - std::min(budget_.trace_bytes, options_.max_trace_bytes);
  }
  void forget_trace_bytes(std::uint64_t bytes) { budget_.trace_bytes -= bytes; }
  static std::uint64_t trace_bytes(const facts::GroupTrace& trace);
  /// Iterations were written without being run: an error, or `replay_failed`, asks for a run without.
  bool replayed() const { return replayed_; }
  bool replay_failed() const { return replay_failed_; }

private:
  // group.cpp
  void set_group(facts::Dim3 group);
  std::vector<Warp> make_warps() const;
  bool iterations_differ() const;
  void measure_blocks();
  void start_warp(Warp& warp, std::uint32_t index);
  void set_lane_value(Warp& warp, WarpValue value, unsigned lane, std::uint64_t lane_value);
  bool release_barrier();
  std::uint64_t lanes_at_start(std::uint32_t warp) const;
  void note_returned(std::uint32_t barrier);
  unsigned lanes() const { return program_.warp_width; }
  std::uint64_t private_frame_bytes() const { return (program_.frame_bytes + 15) / 16 * 16; }

  // control.cpp
  void run_warp(Warp& warp);
  bool run_block(std::uint32_t first, std::uint32_t end);
  void start_block(const Path& path);
  bool goes_into_record(const Path& path);
  std::pair<std::uint32_t, std::uint32_t> code_of(const Block& block) const;
  bool finish_block();
  void take_edge(Path& path, std::uint32_t edge, std::uint64_t taking);
  void split(const Terminator& t, const std::vector<std::pair<std::uint32_t, std::uint64_t>>& ways,
             std::uint64_t both);
  void leave(std::uint64_t lanes_leaving);
  void move_phis(const Edge& edge, std::uint64_t taking);
  void branch(const Terminator& t);
  void choose_case(const Terminator& t);
  void pop_reconverged();
  void end_record(std::uint32_t location);
  void shorten_record(Warp& warp) const;
  static std::uint64_t bytes_of(const facts::WarpTrace& warp) {
    return sizeof warp + warp.steps.size() * sizeof(facts::BlockStep) +
           warp.events.size() * sizeof(facts::MemoryEvent) + warp.offsets.size() * sizeof(std::int64_t);
  }
  /// Of the running warp's record, shared offsets as if each event had its own.
  std::uint64_t budgeted_bytes() const { return bytes_of(warp_->trace) + warp_->last_offsets.shared_bytes; }
  bool charge(std::uint64_t instructions, std::uint32_t location);
  void run_preserving(const Instruction& instruction);

  // replay.cpp
  void watch_loop(const Path& path, std::uint32_t loop);
  LoopWatch::Mark mark() const;
  void save_values(const LoopReplay& replay, LoopWatch& watch) const;
  bool repeats(const LoopWatch::Mark& a, const LoopWatch::Mark& b, const LoopWatch::Mark& end);
  std::uint64_t iterations_left(const LoopReplay& replay, const LoopWatch& watch) const;
  void replay(std::uint32_t loop, const LoopReplay& replay, LoopWatch& watch);
  std::uint64_t write_iterations(const LoopWatch& watch, std::uint64_t wanted);
  void check_replay(LoopWatch& watch);
  bool moved_as_before(std::size_t event, std::size_t per_iteration) const;

  // unknown.cpp
  /// Decides a branch on unknown lanes. Returns lanes that take it; `both` receives lanes that take both
  /// sides.
  std::uint64_t settle_branch(const Terminator& t, std::uint64_t condition, std::uint64_t unknown,
                              std::uint64_t active, std::uint64_t& both);
  std::uint64_t draw(std::uint64_t lanes_to_draw, double probability, std::uint32_t line, bool uniform);
  void note_once(facts::Note::Severity severity, std::uint32_t location, const std::string& text,
                 const std::string& remedy);

  // exec_*.cpp
  bool execute(const Instruction& instruction);
  bool load(const Instruction& instruction);
  bool store(const Instruction& instruction);
  bool look(const Instruction& instruction);
  AddressPattern pattern_of(const MemoryOp& op, const std::uint64_t* addresses) const;
  void note_unknown_store(const Instruction& instruction);
  bool atomic(const Instruction& instruction);
  bool compare_exchange(const Instruction& instruction);
  bool move_bytes(const Instruction& instruction, bool is_copy);
  void texture(const Instruction& instruction);
  void shuffle(const Instruction& instruction);
  void vote(const Instruction& instruction);
  void ballot(const Instruction& instruction);
  void match(const Instruction& instruction);
  void reduce(const Instruction& instruction);
  void watch_division(const Instruction& instruction);
  void read_lane(const Instruction& instruction);
  void read_clock(const Instruction& instruction);
  bool barrier(const Instruction& instruction);

  void record_access(const MemoryOp& op, std::uint64_t active, const AddressPattern& pattern,
                     const std::uint64_t* addresses);
  void record_unknown(const MemoryOp& op, std::uint64_t active);
  facts::MemorySpace space_at(std::uint64_t address, const MemoryOp& op);
  /// The address as lane 0 would have it: events of private memory tell places inside a frame.
  std::uint64_t private_event_address(std::uint64_t address, unsigned lane) const;

  // Register access
  std::uint8_t* data(std::int32_t slot) const;
  std::uint64_t& known(std::int32_t slot) const;
  std::uint64_t lane_bits(std::int32_t slot, LaneType type, unsigned lane) const;
  void set_lane_bits(std::int32_t slot, LaneType type, unsigned lane, std::uint64_t value) const;
  void set_unknown(const MemoryOp& op, std::uint64_t active) const;

  // faults.cpp
  bool fault_private(const char* kind, std::uint32_t origin, std::uint64_t address, unsigned lane,
                     std::uint32_t width_bytes);
  bool fault_access(const MemoryOp& op, std::uint32_t origin, std::uint64_t address, unsigned lane,
                    std::uint32_t width_bytes);
  bool fault_shared(const char* kind, std::uint32_t origin, std::uint64_t offset, unsigned lane,
                    std::uint32_t width_bytes);
  bool fail_with(ErrorCode code, std::string message, std::uint32_t origin, std::string hint = {});
  std::string place(std::uint32_t origin) const;
  std::string work_item(unsigned lane) const;

  const Program& program_;
  const facts::LaunchShape shape_;
  const RunOptions& options_;
  const bool asked_only_ = options_.asked_values_only && !options_.whole_grid;
  MemoryMap& memory_;
  RegisterFile shared_registers_;
  std::vector<std::uint8_t> shared_memory_, shared_known_;
  Region* local_region_ = nullptr;
  std::vector<Warp> warps_;
  std::uint32_t warp_count_ = 0;
  facts::Dim3 group_;
  facts::Dim3 group_size_; ///< of this group (the last may be partial)
  Warp* warp_ = nullptr;   ///< running
  std::uint64_t active_ = 0;
  LaneContext context_{};
  std::size_t slot_bytes_ = 0;
  std::optional<Error> error_;
  std::uint32_t grid_barrier_ = UINT32_MAX; ///< instruction that the whole group waits at; UINT32_MAX: none
  bool replayed_ = false, replay_failed_ = false;
  struct DivisionRuns {
    std::uint64_t all = 0, slow = 0;
  };
  std::vector<DivisionRuns> division_runs_; ///< as Program::divisions
  std::uint64_t guesses_ = 0;               ///< branches settled by the policy for unknown values
  std::vector<std::int64_t> distances_;     ///< scratch: by event of an iteration
  Budget budget_;
  std::uint64_t most_warp_trace_bytes_ = 0; ///< so that a few groups fit, whatever their size
  bool in_pieces_ = false;                  ///< a long warp is recorded (record_pieces.h)
  bool long_warps_ = false;                 ///< one was met: records are short from then on
  std::vector<std::uint64_t> block_bytes_;  ///< [block] of the record, at most
  std::set<std::pair<std::uint32_t, std::string>> noted_;
  std::vector<facts::Note> notes_;
};

inline std::uint8_t* GroupRunner::data(std::int32_t slot) const {
  return slot < 0 ? context_.data[1] + static_cast<std::size_t>(~slot) * slot_bytes_
                  : context_.data[0] + static_cast<std::size_t>(slot) * slot_bytes_;
}
inline std::uint64_t& GroupRunner::known(std::int32_t slot) const {
  return slot < 0 ? context_.known[1][~slot] : context_.known[0][slot];
}
inline std::uint64_t GroupRunner::lane_bits(std::int32_t slot, LaneType type, unsigned lane) const {
  switch (type) {
  case LaneType::bit:
    return *reinterpret_cast<std::uint64_t*>(data(slot)) >> lane & 1;
  case LaneType::word:
    return reinterpret_cast<std::uint32_t*>(data(slot))[lane];
  default:
    return reinterpret_cast<std::uint64_t*>(data(slot))[lane];
  }
}
inline void GroupRunner::set_lane_bits(std::int32_t slot, LaneType type, unsigned lane,
                                       std::uint64_t value) const {
  if (type == LaneType::bit) {
    std::uint64_t& mask = *reinterpret_cast<std::uint64_t*>(data(slot));
    mask = (mask & ~(std::uint64_t{1} << lane)) | (value & 1) << lane;
  } else if (type == LaneType::word) {
    reinterpret_cast<std::uint32_t*>(data(slot))[lane] = static_cast<std::uint32_t>(value);
  } else {
    reinterpret_cast<std::uint64_t*>(data(slot))[lane] = value;
  }
}

} // namespace forewarp::simt
