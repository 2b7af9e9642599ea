// Which pieces of a long warp's life its record holds. Where addresses hang on data, the first part of a loop
// does not stand for the rest (the shifts of dedispersion fall from channel to channel): the record is kept
// small by leaving out pieces all along, not by ending it.
#pragma once

#include "facts/trace.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace forewarp::simt {

/// A warp's life is cut into pieces of equal length, measured in the bytes that its steps would take in the
/// record at most. A record that is to be short holds so many pieces: where there would be more, one of each
/// two neighbours is left out, drawn at random, and so on. Which hangs on the steps' lengths alone, so that
/// warps which ran alike hold the same.
class RecordPieces {
public:
  /// Of a new warp whose short record takes `short_bytes` at most, but for its longest step.
  void start(std::uint64_t short_bytes, unsigned lanes);
  /// From now on it is to be short: pieces that are no longer held are taken out of `trace`, their
  /// instructions off `recorded_instructions`.
  void shorten(facts::WarpTrace& trace, std::uint64_t& recorded_instructions);
  /// A step of `bytes` begins; it is not yet in `trace`. False: it is left out.
  bool hold(std::uint64_t bytes, facts::WarpTrace& trace, std::uint64_t& recorded_instructions) {
    const std::uint64_t piece = clock_bytes_ / piece_bytes_;
    clock_bytes_ += bytes;
    if (piece != piece_)
      enter(piece, trace, recorded_instructions);
    held_bytes_ += holds_ ? bytes : 0;
    return holds_;
  }
  /// One of 2^level pieces is held.
  unsigned level() const { return level_; }
  /// That the held steps take, at most.
  std::uint64_t held_bytes() const { return held_bytes_; }

private:
  struct Piece {
    std::uint64_t number = 0, instructions = 0, bytes = 0; ///< instructions, bytes: of those held before it
    std::size_t first_step = 0, first_event = 0;
  };
  void enter(std::uint64_t piece, facts::WarpTrace& trace, std::uint64_t& recorded_instructions);
  void thin(facts::WarpTrace& trace, std::uint64_t& recorded_instructions);

  std::uint64_t piece_bytes_ = 1, clock_bytes_ = 0, held_bytes_ = 0, piece_ = UINT64_MAX;
  unsigned lanes_ = 32;
  unsigned level_ = 0;
  bool short_ = false, holds_ = true;
  std::vector<Piece> pieces_; ///< held
};

} // namespace forewarp::simt
