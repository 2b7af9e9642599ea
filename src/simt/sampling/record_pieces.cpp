#include "simt/sampling/record_pieces.h"

#include "support/counter_random.h"

#include <algorithm>

namespace forewarp::simt {
namespace {

constexpr std::size_t most_pieces = 32;

/// Of two neighbours one is drawn, of two neighbouring pairs one pair, and so on.
bool is_drawn(std::uint64_t piece, unsigned level) {
  for (unsigned l = 1; l <= level; ++l)
    if ((piece >> (l - 1) & 1) != (counter_random(piece >> l, l) & 1))
      return false;
  return true;
}

/// Offsets move with the events that use them; several may use the same.
class OffsetMoves {
public:
  explicit OffsetMoves(std::vector<std::int64_t>& offsets, std::size_t lanes)
      : offsets_(offsets), lanes_(lanes), moved_(lanes > 0 ? offsets.size() / lanes : 0, UINT32_MAX) {}

  std::uint32_t move(std::uint32_t from) {
    std::uint32_t& to = moved_[from / lanes_];
    if (to == UINT32_MAX) {
      to = static_cast<std::uint32_t>(kept_.size());
      kept_.insert(kept_.end(), offsets_.begin() + from,
                   offsets_.begin() + from + static_cast<std::ptrdiff_t>(lanes_));
    }
    return to;
  }
  void finish() { offsets_ = std::move(kept_); }

private:
  std::vector<std::int64_t>& offsets_;
  std::size_t lanes_;
  std::vector<std::uint32_t> moved_;
  std::vector<std::int64_t> kept_;
};

} // namespace

void RecordPieces::start(std::uint64_t short_bytes, unsigned lanes) {
  lanes_ = lanes;
  piece_bytes_ = std::max<std::uint64_t>(1, short_bytes / most_pieces);
  clock_bytes_ = held_bytes_ = 0;
  piece_ = UINT64_MAX;
  level_ = 0;
  short_ = false;
  holds_ = true;
  pieces_.clear();
}

void RecordPieces::shorten(facts::WarpTrace& trace, std::uint64_t& recorded_instructions) {
  short_ = true;
  while (pieces_.size() > most_pieces)
    thin(trace, recorded_instructions);
  holds_ = is_drawn(piece_, level_);
}

void RecordPieces::enter(std::uint64_t piece, facts::WarpTrace& trace, std::uint64_t& recorded_instructions) {
  piece_ = piece;
  holds_ = is_drawn(piece, level_);
  while (short_ && holds_ && pieces_.size() >= most_pieces) {
    thin(trace, recorded_instructions);
    holds_ = is_drawn(piece, level_);
  }
  if (holds_)
    pieces_.push_back({piece, recorded_instructions, held_bytes_, trace.steps.size(), trace.events.size()});
}

void RecordPieces::thin(facts::WarpTrace& trace, std::uint64_t& recorded_instructions) {
  ++level_;
  const std::vector<Piece> before = std::move(pieces_);
  pieces_.clear();
  OffsetMoves offsets(trace.offsets, lanes_);
  std::size_t step = 0, event = 0;
  std::uint64_t instructions = 0, bytes = 0;
  for (std::size_t k = 0; k < before.size(); ++k) {
    const Piece& old = before[k];
    const bool last = k + 1 == before.size();
    if (!is_drawn(old.number, level_) && !(last && pieces_.empty())) // never nothing
      continue;
    const std::size_t end_step = last ? trace.steps.size() : before[k + 1].first_step,
                      end_event = last ? trace.events.size() : before[k + 1].first_event;
    pieces_.push_back({old.number, instructions, bytes, step, event});
    const std::size_t events_back = old.first_event - event;
    for (std::size_t s = old.first_step; s < end_step; ++s) {
      trace.steps[step] = trace.steps[s];
      trace.steps[step++].first_event -= static_cast<std::uint32_t>(events_back);
    }
    for (std::size_t e = old.first_event; e < end_event; ++e) {
      trace.events[event] = trace.events[e];
      if (trace.events[event].pattern == facts::MemoryEvent::Pattern::explicit_offsets)
        trace.events[event].first_offset = offsets.move(trace.events[e].first_offset);
      ++event;
    }
    instructions += (last ? recorded_instructions : before[k + 1].instructions) - old.instructions;
    bytes += (last ? held_bytes_ : before[k + 1].bytes) - old.bytes;
  }
  trace.steps.resize(step);
  trace.events.resize(event);
  offsets.finish();
  recorded_instructions = instructions;
  held_bytes_ = bytes;
}

} // namespace forewarp::simt
