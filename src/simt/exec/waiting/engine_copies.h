// Bulk copies and tiles of tensors, which an engine makes beside the warps: each piece of 16 bytes a lane is
// recorded as one access of a whole warp, on the side that is read and on the side that is written, whichever
// lane asked for the copy. Several lanes that ask are served one after the other.
#pragma once

#include "facts/tensor_map.h"
#include "simt/exec/waiting/meetings.h"

#include <array>
#include <optional>
#include <span>

namespace forewarp::simt {

class EngineCopies {
public:
  EngineCopies(GroupState& state, WarpRecord& record, Meetings& meetings)
      : state_(state), record_(record), meetings_(meetings) {}

  /// False: the state has an error.
  bool execute(const Instruction& instruction);

private:
  /// What one lane asks for.
  struct Copy {
    std::uint64_t shared = 0, bytes = 0, global = 0;
    std::optional<facts::TensorMap> map;
    EngineOp::Shape shape = EngineOp::Shape::bytes;
    std::array<std::int64_t, 2 * facts::most_tensor_dimensions> corner{}; ///< and offsets behind it
    std::int64_t place(unsigned d, std::uint64_t row) const;
  };
  /// One piece: where each lane's 16 bytes lie, and how many of them exist (the rest are zeros).
  struct Piece {
    std::uint64_t lanes = 0, inside = 0, bytes = 0;
    std::array<std::uint64_t, 64> shared{}, global{};
    std::array<unsigned, 64> valid{};
  };

  std::uint64_t operand(const EngineOp& op, std::size_t index) const;
  std::uint64_t barrier_behind(std::uint64_t barrier, std::uint64_t shift) const;
  unsigned lane() const;
  bool copy_of(const EngineOp& op, const Instruction& instruction);
  bool read_map(std::uint64_t address, const Instruction& instruction, Copy& copy);
  Piece piece_of(const Copy& copy) const;
  void place_in_tile(const Copy& copy, std::uint64_t offset, unsigned lane, Piece& piece) const;
  void record(const EngineOp& op, const Piece& piece, bool reads);
  bool move(const EngineOp& op, const Piece& piece, const Instruction& instruction);
  bool combine(const EngineOp& op, std::span<const std::uint8_t> there,
               std::span<const std::uint8_t> there_known, std::uint8_t* bytes, std::uint8_t* known) const;
  void more(const Instruction& instruction);
  bool spread(const EngineOp& op, const Instruction& instruction);
  /// `work` with the distance from the group's own shared memory to that of each group that gets the copy.
  template <class Work> bool to_groups(Work&& work) const;
  bool fault(const Instruction& instruction, std::uint64_t address);
  bool unknown(const Instruction& instruction);

  GroupState& state_;
  WarpRecord& record_;
  Meetings& meetings_;
  Copy copy_;
  Piece piece_;
  std::uint64_t groups_ = 0; ///< of the cluster that get the copy; 0: this one
};

} // namespace forewarp::simt
