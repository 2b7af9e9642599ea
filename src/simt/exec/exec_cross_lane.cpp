// Instructions through which lanes see each other. Lanes that do not take part are left alone; a value read
// from such a lane is unknown (PTX leaves it undefined).
#include "simt/exec/group.h"

#include <fmt/format.h>

#include <bit>

namespace forewarp::simt {
namespace {

std::uint64_t lane_mask(unsigned lanes) {
  return lanes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << lanes) - 1;
}

/// A barrier, or something that others can see.
bool has_effect(const Program& program, const Block& block) {
  for (std::uint32_t at = block.first; at < block.end; ++at)
    switch (program.code[at].special) {
    case Special::barrier:
    case Special::grid_barrier:
    case Special::store:
    case Special::atomic:
    case Special::compare_exchange:
    case Special::copy_memory:
    case Special::fill_memory:
      return true;
    default:
      break;
    }
  return false;
}

/// True if a barrier or an effect lies on some way from the start of `from`.
bool has_work_ahead(const Program& program, std::uint32_t from) {
  if (from == UINT32_MAX)
    return false;
  std::vector<bool> seen(program.blocks.size());
  std::vector<std::uint32_t> todo = {from};
  seen[from] = true;
  while (!todo.empty()) {
    const Block& block = program.blocks[todo.back()];
    todo.pop_back();
    if (has_effect(program, block))
      return true;
    const Terminator& t = block.terminator;
    const std::size_t edges = t.kind == Terminator::Kind::jump      ? 1
                              : t.kind == Terminator::Kind::branch  ? 2
                              : t.kind == Terminator::Kind::switch_ ? 1 + t.case_values.size()
                                                                    : 0;
    for (std::size_t k = 0; k < edges; ++k) {
      const std::uint32_t next = program.edges[t.first_edge + k].target;
      if (!seen[next]) {
        seen[next] = true;
        todo.push_back(next);
      }
    }
  }
  return false;
}

} // namespace

bool GroupRunner::barrier(const Instruction& instruction) {
  std::uint64_t missing = 0;
  bool split_by_unknown = false;
  if (active_ != warp_->live) {
    // Lanes that wait where nothing but the end follows are on their way out: as good as returned.
    for (const Path& path : warp_->paths) {
      split_by_unknown = split_by_unknown || path.twin != 0 || path.forget != 0;
      if ((path.active & ~active_) != 0 && has_work_ahead(program_, path.block))
        missing |= path.active & ~active_;
    }
  }
  if (missing != 0 && !split_by_unknown)
    return fail_with(
        ErrorCode::kernel_fault,
        fmt::format(
            "a barrier is reached by {} of {} live work-items of a warp; {} among others does not reach it",
            std::popcount(active_), std::popcount(warp_->live),
            work_item(static_cast<unsigned>(std::countr_zero(missing)))),
        instruction.origin, "move the barrier out of the branch; every work-item of a group has to reach it");
  if (missing != 0)
    note_once(facts::Note::Severity::assumption, instruction.origin,
              "a barrier lies behind a branch on unknown values and is taken to be reached by all", "");
  if (missing == 0 && active_ != warp_->live)
    note_once(facts::Note::Severity::info, instruction.origin, returned_before_barrier, "");
  ++warp_->barriers;
  warp_->barrier = static_cast<std::uint32_t>(&instruction - program_.code.data());
  warp_->state = WarpState::at_barrier;
  return false;
}

void GroupRunner::shuffle(const Instruction& instruction) {
  const CrossLaneOp& op = program_.cross_lane_ops[instruction.detail];
  const LaneArguments& s = instruction.slots;
  const unsigned width = lanes();
  std::uint64_t values[64], source_known = known(s.a), lane_known = known(s.b), result_known = 0,
                            in_range = 0;
  for (unsigned l = 0; l < width; ++l)
    values[l] = lane_bits(s.a, op.type, l);
  for (unsigned l = 0; l < width; ++l) {
    const auto b = static_cast<std::uint32_t>(lane_bits(s.b, LaneType::word, l));
    unsigned from = l;
    bool valid = true;
    if (instruction.special == Special::bpermute) {
      from = b / 4 % width;
    } else {
      // PTX shfl: c holds the segment mask in bits 8..12 and the clamp in bits 0..4 (0..5 for 64 lanes).
      const auto c = static_cast<std::uint32_t>(lane_bits(s.c, LaneType::word, l));
      const unsigned bits = width - 1, segment = c >> 8 & bits, clamp = c & bits;
      const unsigned highest = (l & segment) | (clamp & ~segment & bits), lowest = l & segment;
      const unsigned step = op.shuffle == ShuffleMode::index ? b & bits : b;
      std::int64_t at = 0;
      switch (op.shuffle) {
      case ShuffleMode::up:
        at = static_cast<std::int64_t>(l) - step;
        valid = at >= static_cast<std::int64_t>(highest);
        break;
      case ShuffleMode::down:
        at = static_cast<std::int64_t>(l) + step;
        valid = at <= static_cast<std::int64_t>(highest);
        break;
      case ShuffleMode::butterfly:
        at = l ^ (step & bits);
        valid = at <= static_cast<std::int64_t>(highest);
        break;
      case ShuffleMode::index:
        at = lowest | (step & ~segment);
        valid = at <= static_cast<std::int64_t>(highest);
        break;
      }
      from = valid ? static_cast<unsigned>(at) & bits : l;
    }
    set_lane_bits(s.destination, op.type, l, values[from]);
    const bool source_runs = (active_ >> from & 1) != 0;
    result_known |= static_cast<std::uint64_t>((source_known >> from & 1) != 0 &&
                                               (lane_known >> l & 1) != 0 && source_runs)
                    << l;
    in_range |= static_cast<std::uint64_t>(valid) << l;
  }
  known(s.destination) = result_known;
  if (op.predicate_slot != no_slot) {
    *reinterpret_cast<std::uint64_t*>(data(op.predicate_slot)) = in_range;
    known(op.predicate_slot) = lane_known;
  }
}

void GroupRunner::vote(const Instruction& instruction) {
  const CrossLaneOp& op = program_.cross_lane_ops[instruction.detail];
  const std::uint64_t flags = *reinterpret_cast<std::uint64_t*>(data(instruction.slots.a)),
                      sure = known(instruction.slots.a);
  const std::uint64_t set = flags & active_;
  bool result = false, is_known = (sure & active_) == active_;
  switch (op.vote) {
  case VoteMode::all:
    result = set == active_;
    is_known = is_known || (active_ & sure & ~flags) != 0;
    result = result && (active_ & sure & ~flags) == 0;
    break;
  case VoteMode::any:
    result = set != 0;
    is_known = is_known || (set & sure) != 0;
    break;
  case VoteMode::uniform:
    result = set == 0 || set == active_;
    break;
  }
  *reinterpret_cast<std::uint64_t*>(data(instruction.slots.destination)) = result ? ~std::uint64_t{0} : 0;
  known(instruction.slots.destination) = is_known ? ~std::uint64_t{0} : 0;
}

void GroupRunner::ballot(const Instruction& instruction) {
  const CrossLaneOp& op = program_.cross_lane_ops[instruction.detail];
  const std::uint64_t flags = *reinterpret_cast<std::uint64_t*>(data(instruction.slots.a)) & active_;
  for (unsigned l = 0; l < lanes(); ++l)
    set_lane_bits(instruction.slots.destination, op.type, l, flags);
  known(instruction.slots.destination) =
      (known(instruction.slots.a) & active_) == active_ ? ~std::uint64_t{0} : 0;
}

void GroupRunner::match(const Instruction& instruction) {
  const CrossLaneOp& op = program_.cross_lane_ops[instruction.detail];
  const LaneArguments& s = instruction.slots;
  const bool sure = (known(s.a) & active_) == active_;
  bool all_equal = true;
  const std::uint64_t first = lane_bits(s.a, op.type, static_cast<unsigned>(std::countr_zero(active_)));
  for (std::uint64_t rest = active_; rest != 0; rest &= rest - 1) {
    const auto l = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t mine = lane_bits(s.a, op.type, l);
    all_equal = all_equal && mine == first;
    std::uint64_t equal = 0;
    for (std::uint64_t others = active_; others != 0; others &= others - 1) {
      const auto o = static_cast<unsigned>(std::countr_zero(others));
      equal |= static_cast<std::uint64_t>(lane_bits(s.a, op.type, o) == mine) << o;
    }
    set_lane_bits(s.destination, LaneType::word, l, equal);
  }
  if (instruction.special == Special::match_all)
    for (unsigned l = 0; l < lanes(); ++l)
      set_lane_bits(s.destination, LaneType::word, l, all_equal ? active_ : 0);
  known(s.destination) = sure ? ~std::uint64_t{0} : 0;
  if (op.predicate_slot != no_slot) {
    *reinterpret_cast<std::uint64_t*>(data(op.predicate_slot)) = all_equal ? ~std::uint64_t{0} : 0;
    known(op.predicate_slot) = sure ? ~std::uint64_t{0} : 0;
  }
}

void GroupRunner::reduce(const Instruction& instruction) {
  const CrossLaneOp& op = program_.cross_lane_ops[instruction.detail];
  bool first = true;
  std::uint32_t sum = 0;
  for (std::uint64_t rest = active_; rest != 0; rest &= rest - 1) {
    const auto v = static_cast<std::uint32_t>(
        lane_bits(instruction.slots.a, LaneType::word, static_cast<unsigned>(std::countr_zero(rest))));
    const auto sv = static_cast<std::int32_t>(v), ss = static_cast<std::int32_t>(sum);
    if (first) {
      sum = v;
      first = false;
      continue;
    }
    switch (op.reduce) {
    case ReduceMode::add:
      sum += v;
      break;
    case ReduceMode::min:
      sum = sv < ss ? v : sum;
      break;
    case ReduceMode::max:
      sum = sv > ss ? v : sum;
      break;
    case ReduceMode::umin:
      sum = v < sum ? v : sum;
      break;
    case ReduceMode::umax:
      sum = v > sum ? v : sum;
      break;
    case ReduceMode::and_:
      sum &= v;
      break;
    case ReduceMode::or_:
      sum |= v;
      break;
    default:
      sum ^= v;
      break;
    }
  }
  for (unsigned l = 0; l < lanes(); ++l)
    set_lane_bits(instruction.slots.destination, LaneType::word, l, sum);
  known(instruction.slots.destination) =
      (known(instruction.slots.a) & active_) == active_ ? ~std::uint64_t{0} : 0;
}

void GroupRunner::read_lane(const Instruction& instruction) {
  const CrossLaneOp& op = program_.cross_lane_ops[instruction.detail];
  const auto first = static_cast<unsigned>(std::countr_zero(active_));
  unsigned from = first;
  bool is_known = true;
  if (instruction.slots.b != no_slot) {
    from = static_cast<unsigned>(lane_bits(instruction.slots.b, LaneType::word, first)) % lanes();
    is_known = (known(instruction.slots.b) >> first & 1) != 0;
  }
  const std::uint64_t value = lane_bits(instruction.slots.a, op.type, from);
  is_known = is_known && (known(instruction.slots.a) >> from & 1) != 0;
  for (unsigned l = 0; l < lanes(); ++l)
    set_lane_bits(instruction.slots.destination, op.type, l, value);
  known(instruction.slots.destination) = is_known ? lane_mask(lanes()) : 0;
}

void GroupRunner::read_clock(const Instruction& instruction) {
  // Time is what the later stages find out; inside the kernel it is unknown.
  known(instruction.slots.destination) = 0;
}

} // namespace forewarp::simt
