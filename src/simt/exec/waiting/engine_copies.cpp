#include "simt/exec/waiting/engine_copies.h"

#include "simt/exec/atomics.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace forewarp::simt {
namespace {

constexpr std::uint64_t piece_bytes = 16; ///< of a lane
constexpr std::uint64_t copy_nowhere = shared_window;

std::uint64_t lanes_from(std::uint64_t active, unsigned first) {
  return first >= 64 ? 0 : active & (~std::uint64_t{0} << first);
}

} // namespace

/// The lane whose copy is being made: the first that runs where none has begun.
unsigned EngineCopies::lane() const {
  return static_cast<unsigned>(std::countr_zero(lanes_from(state_.active, state_.warp->engine_lane)));
}

std::uint64_t EngineCopies::operand(const EngineOp& op, std::size_t index) const {
  return state_.lane_bits(op.operands[index], op.types[index], lane());
}

bool EngineCopies::fault(const Instruction& instruction, std::uint64_t address) {
  return state_.fail_with(ErrorCode::kernel_fault,
                          fmt::format("a bulk copy of group ({}, {}, {}) reaches {:#x}, where no buffer lies",
                                      state_.group.x, state_.group.y, state_.group.z, address),
                          instruction.origin, "check the addresses, the length, or the tensor map's extents");
}

bool EngineCopies::read_map(std::uint64_t address, const Instruction& instruction, Copy& copy) {
  std::array<std::uint8_t, facts::tensor_map_bytes> bytes{};
  bool known = true;
  for (std::size_t b = 0; b < bytes.size(); ++b) {
    const Span span = state_.memory.read(address + b);
    if (!span.data)
      return fault(instruction, address + b);
    bytes[b] = span.data[address + b - span.begin];
    known = known && span.known[address + b - span.begin] != 0;
  }
  copy.map = known ? facts::tensor_map_of(bytes) : std::nullopt;
  if (!copy.map)
    return state_.fail_with(ErrorCode::launch, "the tensor map of a bulk copy is not known, or is none",
                            instruction.origin,
                            "pass it as NAME=tensormap:TYPE[ROWSxCOLUMNS]:box=ROWSxCOLUMNS:swizzle=128");
  copy.bytes = copy.map->box_bytes();
  return true;
}

bool EngineCopies::unknown(const Instruction& instruction) {
  return state_.fail_with(ErrorCode::unsupported, "the address, size or place of a bulk copy is unknown",
                          instruction.origin, "give the arguments and buffers that it rests on");
}

bool EngineCopies::copy_of(const EngineOp& op, const Instruction& instruction) {
  Copy& copy = copy_ = {};
  const auto is_known = [&](std::int32_t slot) { return (state_.known(slot) >> lane() & 1) != 0; };
  if (!std::ranges::all_of(op.operands, is_known)) {
    const bool goes_nowhere = is_known(op.operands.front()) && operand(op, 0) == 0; // a prefetch
    return goes_nowhere || unknown(instruction);
  }
  copy.shared = operand(op, 0);
  if (op.shape == EngineOp::Shape::bytes) {
    copy.global = operand(op, 1);
    copy.bytes = operand(op, 2);
    return true;
  }
  if (!read_map(operand(op, 1), instruction, copy))
    return false;
  copy.shape = op.shape;
  const bool of_rows = op.shape == EngineOp::Shape::rows, of_columns = op.shape == EngineOp::Shape::columns;
  if (of_rows)
    copy.bytes = 4 * copy.map->row_bytes();
  if (of_columns != copy.map->of_columns)
    return state_.fail_with(
        ErrorCode::launch, "the tensor map of a bulk copy is of another mode (tiles, columns)",
        instruction.origin,
        "pass it as NAME=tensormap:TYPE[IMAGESxROWSxCOLUMNSxCHANNELS]:columns=PIXELSxCHANNELS:"
        "lower=-1x-1:upper=-1x-1");
  const std::size_t given = op.operands.size() - 2;
  const std::size_t corners = of_rows ? 2 : of_columns ? (given + 2) / 2 : given;
  if (corners != copy.map->rank)
    return state_.fail_with(
        ErrorCode::launch,
        fmt::format("a tensor map of {} dimensions where the copy names {}", copy.map->rank, corners),
        instruction.origin, "pass a map of as many dimensions as the copy has coordinates");
  for (std::size_t d = 0; d < given; ++d)
    copy.corner[d] = static_cast<std::int32_t>(operand(op, 2 + d));
  return true;
}

/// Row `row` of what is copied: its place in dimension `d` of the tensor.
std::int64_t EngineCopies::Copy::place(unsigned d, std::uint64_t row) const {
  if (shape == EngineOp::Shape::rows)
    return corner[1 + row];
  if (shape == EngineOp::Shape::tile) {
    for (unsigned inner = 1; inner < d; ++inner)
      row /= map->box[inner];
    return corner[d] + static_cast<std::int64_t>(row % map->box[d]);
  }
  // Pixels in order through the positions of each image that the corners leave (PTX ISA, "im2col mode").
  const unsigned images = map->rank - 1;
  std::int64_t rest = static_cast<std::int64_t>(row);
  for (unsigned inner = 1; inner < images; ++inner) {
    const std::int64_t first = map->lower[inner - 1],
                       count = map->extents[inner] + map->upper[inner - 1] - first;
    const std::int64_t position = corner[inner] - first + rest;
    if (inner == d)
      return first + (count > 0 ? position % count : position) + corner[images + inner];
    rest = count > 0 ? position / count : 0;
  }
  return corner[images] + rest;
}

void EngineCopies::place_in_tile(const Copy& copy, std::uint64_t offset, unsigned lane, Piece& piece) const {
  const facts::TensorMap& map = *copy.map;
  const std::uint64_t row_bytes = map.row_bytes();
  const auto in_row = static_cast<std::int64_t>(offset % row_bytes);
  const std::uint64_t row = offset / row_bytes;
  bool inside = true;
  std::int64_t address = static_cast<std::int64_t>(map.address);
  for (unsigned d = 1; d < map.rank; ++d) {
    const std::int64_t at = copy.place(d, row);
    inside = inside && at >= 0 && at < static_cast<std::int64_t>(map.extents[d]);
    address += at * static_cast<std::int64_t>(map.strides[d]);
  }
  const std::int64_t first = copy.corner[0] * static_cast<std::int64_t>(map.element_bytes) + in_row;
  const std::int64_t end = static_cast<std::int64_t>(map.extents[0]) * map.element_bytes;
  inside = inside && first >= 0 && first < end;
  piece.shared[lane] = facts::swizzled(copy.shared + offset, map.swizzle);
  piece.global[lane] = static_cast<std::uint64_t>(address + first);
  if (!inside)
    return;
  piece.inside |= std::uint64_t{1} << lane;
  piece.valid[lane] = static_cast<unsigned>(std::min<std::int64_t>(piece_bytes, end - first));
}

EngineCopies::Piece EngineCopies::piece_of(const Copy& copy) const {
  Piece piece;
  const std::uint64_t begin = state_.warp->engine_piece * state_.lanes() * piece_bytes;
  for (unsigned l = 0; l < state_.lanes(); ++l) {
    const std::uint64_t offset = begin + l * piece_bytes;
    if (offset >= copy.bytes)
      break;
    piece.lanes |= std::uint64_t{1} << l;
    const std::uint64_t bytes = std::min(piece_bytes, copy.bytes - offset);
    piece.bytes += bytes;
    if (copy.map) {
      place_in_tile(copy, offset, l, piece);
      continue;
    }
    piece.inside |= std::uint64_t{1} << l;
    piece.valid[l] = static_cast<unsigned>(bytes);
    piece.shared[l] = copy.shared + offset;
    piece.global[l] = copy.global + offset;
  }
  return piece;
}

void EngineCopies::record(const EngineOp& op, const Piece& piece, bool reads) {
  const bool global = reads == op.to_shared;
  const std::uint64_t active = global ? piece.inside : piece.lanes;
  const auto& addresses = global ? piece.global : piece.shared;
  MemoryOp event;
  event.site = op.site;
  event.kind = reads ? facts::AccessKind::load : facts::AccessKind::store;
  if (!reads && global && !op.combination.empty())
    event.kind = facts::AccessKind::atomic;
  event.width_bytes = piece_bytes;
  if (active == 0) // outside of the tensor: an event without lanes
    return record_.meeting(op.site, copy_nowhere, facts::no_meeting);
  record_.access(event, active, classify(addresses.data(), active, state_.lanes()), addresses.data());
}

/// What comes becomes what it makes with what is there.
bool EngineCopies::combine(const EngineOp& op, std::span<const std::uint8_t> there,
                           std::span<const std::uint8_t> there_known, std::uint8_t* bytes,
                           std::uint8_t* known) const {
  char kind = op.combined_kind;
  unsigned size = op.combined_bytes;
  if (size == 0 && copy_.map) {
    // CUtensorMapDataType, in the order of cuda.h
    constexpr std::string_view kinds = "uuususfffhfff";
    kind = copy_.map->type ? kinds[*copy_.map->type] : 'u';
    size = copy_.map->element_bytes;
  }
  const auto how = atomic_of(op.combination, kind, size);
  if (!how || size < 2 || ((kind == 'u' || kind == 's') && size < 4))
    return false;
  for (std::size_t at = 0; at + size <= there.size(); at += size) {
    std::uint64_t old = 0, with = 0;
    std::memcpy(&old, there.data() + at, size);
    std::memcpy(&with, bytes + at, size);
    const std::uint64_t made = combined(*how, old, with, size);
    std::memcpy(bytes + at, &made, size);
    for (std::size_t b = at; b < at + size; ++b)
      known[b] &= there_known[b];
  }
  return true;
}

/// 16 bytes a lane, beyond the tensor's end zeros.
bool EngineCopies::move(const EngineOp& op, const Piece& piece, const Instruction& instruction) {
  const auto& from = op.to_shared ? piece.global : piece.shared;
  const auto& to = op.to_shared ? piece.shared : piece.global;
  for (std::uint64_t rest = op.to_shared ? piece.lanes : piece.inside; rest != 0; rest &= rest - 1) {
    const auto l = static_cast<unsigned>(std::countr_zero(rest));
    std::array<std::uint8_t, piece_bytes> bytes{}, known;
    known.fill(0xFF);
    for (unsigned b = 0; b < piece.valid[l];) {
      const Span span = state_.memory.read(from[l] + b, piece.valid[l] - b);
      if (!span.data)
        return fault(instruction, from[l] + b);
      const auto count =
          static_cast<unsigned>(std::min<std::uint64_t>(piece.valid[l] - b, span.end - from[l] - b));
      std::memcpy(bytes.data() + b, span.data + (from[l] + b - span.begin), count);
      std::memcpy(known.data() + b, span.known + (from[l] + b - span.begin), count);
      b += count;
    }
    const auto written = op.to_shared && copy_.map ? static_cast<unsigned>(piece_bytes) : piece.valid[l];
    for (unsigned b = 0; b < written;) {
      const Span span = state_.memory.write(to[l] + b);
      if (!span.data)
        return fault(instruction, to[l] + b);
      const auto count = static_cast<unsigned>(std::min<std::uint64_t>(written - b, span.end - to[l] - b));
      if (!op.combination.empty() &&
          !combine(op, {span.data + (to[l] + b - span.begin), count},
                   {span.known + (to[l] + b - span.begin), count}, bytes.data() + b, known.data() + b))
        return state_.fail_with(ErrorCode::unsupported,
                                "what a bulk copy combines is of no type for its operation",
                                instruction.origin, "check the tensor map's type");
      std::memcpy(span.data + (to[l] + b - span.begin), bytes.data() + b, count);
      std::memcpy(span.known + (to[l] + b - span.begin), known.data() + b, count);
      b += count;
    }
  }
  return true;
}

/// To the next piece, or the next lane that asks. The result says whether there is one.
void EngineCopies::more(const Instruction& instruction) {
  Warp& warp = *state_.warp;
  ++warp.engine_piece;
  bool further = warp.engine_piece * state_.lanes() * piece_bytes < copy_.bytes;
  if (!further) {
    warp.engine_piece = 0;
    warp.engine_lane = lane() + 1;
    further = lanes_from(state_.active, warp.engine_lane) != 0;
    if (!further)
      warp.engine_lane = 0;
  }
  *reinterpret_cast<std::uint64_t*>(state_.data(instruction.slots.destination)) =
      further ? ~std::uint64_t{0} : 0;
  state_.known(instruction.slots.destination) = ~std::uint64_t{0};
}

/// The copy goes to the same place of each group of the cluster whose bit is set.
bool EngineCopies::spread(const EngineOp& op, const Instruction& instruction) {
  if ((state_.known(op.operands.front()) >> lane() & 1) == 0)
    return unknown(instruction);
  groups_ = operand(op, 0) & 0xFFFF;
  return true;
}

/// Of the group that gets the copy (`shift` on from the own one's window); where pairs multiply together, the
/// barrier may be the other group's of that pair.
std::uint64_t EngineCopies::barrier_behind(std::uint64_t barrier, std::uint64_t shift) const {
  if (!state_.program.multiplies_in_pairs || shift == 0 ||
      (barrier >= shared_window && barrier < facts::cluster_window))
    return barrier + shift;
  const auto rank_of = [](std::uint64_t address) {
    return (address - facts::cluster_window) / facts::cluster_span;
  };
  const std::uint64_t in_pair = barrier < shared_window ? 0 : rank_of(barrier) % 2;
  const std::uint64_t rank = rank_of(shift + shared_window) / 2 * 2 + in_pair;
  return facts::cluster_window + rank * facts::cluster_span + barrier % facts::cluster_span;
}

template <class Work> bool EngineCopies::to_groups(Work&& work) const {
  if (groups_ == 0)
    return work(0);
  for (std::uint64_t rest = groups_; rest != 0; rest &= rest - 1) {
    const auto rank = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t there = facts::cluster_window + rank * facts::cluster_span;
    if (!work(rank == state_.cluster_rank ? 0 : there - shared_window))
      return false;
  }
  return true;
}

bool EngineCopies::execute(const Instruction& instruction) {
  const EngineOp& op = state_.program.engine_ops[instruction.detail];
  switch (op.step) {
  case EngineOp::Step::spread:
    return spread(op, instruction);
  case EngineOp::Step::read: // the first step of a piece; nobody else runs before its last
    if (state_.warp->engine_piece == 0 && !copy_of(op, instruction))
      return false;
    piece_ = piece_of(copy_);
    record(op, piece_, true);
    return true;
  case EngineOp::Step::write:
    record(op, piece_, false);
    return to_groups([&](std::uint64_t shift) {
      Piece there = piece_;
      for (std::uint64_t& address : there.shared)
        address += shift;
      return move(op, there, instruction);
    });
  case EngineOp::Step::arrive:
    if ((state_.known(op.operands.front()) >> lane() & 1) == 0)
      return unknown(instruction);
    return to_groups([&, first = true](std::uint64_t shift) mutable {
      meetings_.bytes_come(barrier_behind(operand(op, 0), shift), piece_.bytes, first ? op.site : no_site);
      first = false;
      return true;
    });
  case EngineOp::Step::more:
    more(instruction);
    groups_ = 0;
    return true;
  }
  return true;
}

} // namespace forewarp::simt
