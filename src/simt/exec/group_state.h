// What all that runs a group shares: the launch, the running warp and its registers, notes, budgets, the
// error that ends the run.
#pragma once

#include "facts/launch.h"
#include "facts/trace.h"
#include "simt/decode/program.h"
#include "simt/exec/matrices/tensor_store.h"
#include "simt/exec/warp.h"
#include "simt/memory_map.h"
#include "simt/run.h"
#include "support/result.h"
#include "support/thread_time.h"

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace forewarp::simt {

/// Limits of a whole run, shared by its groups.
struct Budget {
  std::uint64_t instructions = 0, trace_bytes = 0;
  double start_s = thread_cpu_s(); ///< processor time: what else the machine does ends no run
};

/// Kinds of notes that many steps of a warp would make.
enum class NoteKind : std::uint8_t { trip_count, both_sides, unknown_switch };

struct GroupState {
  GroupState(const Program& program, const facts::LaunchShape& shape, const RunOptions& options,
             MemoryMap& memory, std::uint64_t shared_bytes);
  GroupState(const GroupState&) = delete;
  GroupState& operator=(const GroupState&) = delete;

  const Program& program;
  const facts::LaunchShape shape;
  const RunOptions& options;
  const bool asked_only; ///< values that nobody asks for are not computed
  MemoryMap& memory;
  const std::uint64_t shared_bytes; ///< static and dynamic together, of a group
  Region* local_region = nullptr;   ///< private memory of the running warp
  RegisterFile shared_registers;    ///< the same for all warps: arguments, constants, addresses
  LaneContext context{};
  std::size_t slot_bytes = 0;

  facts::Dim3 group, group_size;             ///< of this group (the last may be partial)
  unsigned cluster_rank = 0;                 ///< of this group in its cluster
  TensorStore tensor_memory;                 ///< of this group
  std::vector<TensorStore*> tensor_memories; ///< of the groups of its cluster, by rank, where they meet
  Warp* warp = nullptr;                      ///< running
  std::uint64_t active = 0;                  ///< its lanes that go the way that runs
  Budget budget;
  std::uint64_t guesses = 0; ///< branches settled by the policy for unknown values
  std::optional<Error> error;

  unsigned lanes() const { return program.warp_width; }
  /// Registers of the warp that runs, and those that all warps share (negative slots).
  void use_registers(Warp& of) {
    context.data[0] = of.registers.data.get();
    context.known[0] = of.registers.known.data();
  }
  std::uint8_t* data(std::int32_t slot) const {
    return slot < 0 ? context.data[1] + static_cast<std::size_t>(~slot) * slot_bytes
                    : context.data[0] + static_cast<std::size_t>(slot) * slot_bytes;
  }
  /// Lanes whose value is known.
  std::uint64_t& known(std::int32_t slot) const {
    return slot < 0 ? context.known[1][~slot] : context.known[0][slot];
  }
  std::uint64_t lane_bits(std::int32_t slot, LaneType type, unsigned lane) const;
  void set_lane_bits(std::int32_t slot, LaneType type, unsigned lane, std::uint64_t value) const;

  void set_unknown(const MemoryOp& op, std::uint64_t lanes_of) const {
    for (const MemoryComponent& c : op.components)
      known(c.slot) &= ~lanes_of;
  }

  /// False, with an error: the budget is spent.
  bool charge(std::uint64_t instructions, std::uint32_t location);
  /// Sets the error if there is none yet. False.
  bool fail_with(ErrorCode code, std::string message, std::uint32_t origin, std::string hint = {});
  /// "file:line:column" of a location; "" where it is not known.
  std::string place(std::uint32_t origin) const;
  void note_once(facts::Note::Severity severity, std::uint32_t location, const std::string& text,
                 const std::string& remedy);
  /// True once for each kind of note at a location: what the note says need not be put together again.
  bool is_new(std::uint32_t location, NoteKind kind);
  /// An assumption in the place of a value that was not given.
  void note_unknown(std::uint32_t location, const std::string& text, const std::string& remedy);
  /// Of all groups so far, each once.
  const std::vector<facts::Note>& notes() const { return notes_; }

private:
  void note(facts::Note note);
  std::set<std::pair<std::uint32_t, std::string>> noted_;
  std::vector<std::uint8_t> seen_kinds_; ///< by location; a bit a kind
  std::vector<facts::Note> notes_;
};

inline std::uint64_t GroupState::lane_bits(std::int32_t slot, LaneType type, unsigned lane) const {
  switch (type) {
  case LaneType::bit:
    return *reinterpret_cast<std::uint64_t*>(data(slot)) >> lane & 1;
  case LaneType::word:
    return reinterpret_cast<std::uint32_t*>(data(slot))[lane];
  default:
    return reinterpret_cast<std::uint64_t*>(data(slot))[lane];
  }
}
inline void GroupState::set_lane_bits(std::int32_t slot, LaneType type, unsigned lane,
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
