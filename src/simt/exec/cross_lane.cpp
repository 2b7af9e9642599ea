#include "simt/exec/cross_lane.h"

#include "simt/exec/faults.h"
#include "simt/lanes/lane_mask.h"

#include <fmt/format.h>

#include <bit>

namespace forewarp::simt {
namespace {

/// A barrier, or something that others can see.
bool has_effect(const Program& program, const Block& block) {
  for (std::uint32_t at = block.first; at < block.end; ++at)
    switch (program.code[at].special) {
    case Special::barrier:
    case Special::grid_barrier:
    case Special::meet:
    case Special::engine_copy:
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

bool CrossLane::barrier(const Instruction& instruction) {
  std::uint64_t missing = 0;
  bool split_by_unknown = false;
  if (state_.active != state_.warp->live) {
    // Lanes that wait where nothing but the end follows are on their way out: as good as returned.
    for (const Path& path : state_.warp->paths) {
      split_by_unknown = split_by_unknown || path.twin != 0 || path.forget != 0;
      if ((path.active & ~state_.active) != 0 && has_work_ahead(state_.program, path.block))
        missing |= path.active & ~state_.active;
    }
  }
  if (missing != 0 && !split_by_unknown)
    return state_.fail_with(
        ErrorCode::kernel_fault,
        fmt::format(
            "a barrier is reached by {} of {} live work-items of a warp; {} among others does not reach it",
            std::popcount(state_.active), std::popcount(state_.warp->live),
            work_item(state_, static_cast<unsigned>(std::countr_zero(missing)))),
        instruction.origin, "move the barrier out of the branch; every work-item of a group has to reach it");
  if (missing != 0)
    state_.note_once(facts::Note::Severity::assumption, instruction.origin,
                     "a barrier lies behind a branch on unknown values and is taken to be reached by all",
                     "");
  if (missing == 0 && state_.active != state_.warp->live)
    state_.note_once(facts::Note::Severity::info, instruction.origin, returned_before_barrier, "");
  ++state_.warp->barriers;
  state_.warp->barrier = static_cast<std::uint32_t>(&instruction - state_.program.code.data());
  state_.warp->state = WarpState::at_barrier;
  return false;
}

void CrossLane::shuffle(const Instruction& instruction) {
  const CrossLaneOp& op = state_.program.cross_lane_ops[instruction.detail];
  const LaneArguments& s = instruction.slots;
  const unsigned width = state_.lanes();
  std::uint64_t values[64], source_known = state_.known(s.a), lane_known = state_.known(s.b),
                            result_known = 0, in_range = 0;
  for (unsigned l = 0; l < width; ++l)
    values[l] = state_.lane_bits(s.a, op.type, l);
  for (unsigned l = 0; l < width; ++l) {
    const auto b = static_cast<std::uint32_t>(state_.lane_bits(s.b, LaneType::word, l));
    unsigned from;
    bool valid = true;
    if (instruction.special == Special::bpermute) {
      from = b / 4 % width;
    } else {
      // PTX shfl: c holds the segment mask in bits 8..12 and the clamp in bits 0..4 (0..5 for 64 lanes).
      const auto c = static_cast<std::uint32_t>(state_.lane_bits(s.c, LaneType::word, l));
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
    state_.set_lane_bits(s.destination, op.type, l, values[from]);
    const bool source_runs = (state_.active >> from & 1) != 0;
    result_known |= static_cast<std::uint64_t>((source_known >> from & 1) != 0 &&
                                               (lane_known >> l & 1) != 0 && source_runs)
                    << l;
    in_range |= static_cast<std::uint64_t>(valid) << l;
  }
  state_.known(s.destination) = result_known;
  if (op.predicate_slot != no_slot) {
    *reinterpret_cast<std::uint64_t*>(state_.data(op.predicate_slot)) = in_range;
    state_.known(op.predicate_slot) = lane_known;
  }
}

void CrossLane::vote(const Instruction& instruction) {
  const CrossLaneOp& op = state_.program.cross_lane_ops[instruction.detail];
  const std::uint64_t flags = *reinterpret_cast<std::uint64_t*>(state_.data(instruction.slots.a)),
                      sure = state_.known(instruction.slots.a);
  const std::uint64_t set = flags & state_.active;
  bool result = false, is_known = (sure & state_.active) == state_.active;
  switch (op.vote) {
  case VoteMode::all:
    result = set == state_.active;
    is_known = is_known || (state_.active & sure & ~flags) != 0;
    result = result && (state_.active & sure & ~flags) == 0;
    break;
  case VoteMode::any:
    result = set != 0;
    is_known = is_known || (set & sure) != 0;
    break;
  case VoteMode::uniform:
    result = set == 0 || set == state_.active;
    break;
  }
  *reinterpret_cast<std::uint64_t*>(state_.data(instruction.slots.destination)) =
      result ? ~std::uint64_t{0} : 0;
  state_.known(instruction.slots.destination) = is_known ? ~std::uint64_t{0} : 0;
}

void CrossLane::ballot(const Instruction& instruction) {
  const CrossLaneOp& op = state_.program.cross_lane_ops[instruction.detail];
  const std::uint64_t flags =
      *reinterpret_cast<std::uint64_t*>(state_.data(instruction.slots.a)) & state_.active;
  for (unsigned l = 0; l < state_.lanes(); ++l)
    state_.set_lane_bits(instruction.slots.destination, op.type, l, flags);
  state_.known(instruction.slots.destination) =
      (state_.known(instruction.slots.a) & state_.active) == state_.active ? ~std::uint64_t{0} : 0;
}

void CrossLane::match(const Instruction& instruction) {
  const CrossLaneOp& op = state_.program.cross_lane_ops[instruction.detail];
  const LaneArguments& s = instruction.slots;
  const bool sure = (state_.known(s.a) & state_.active) == state_.active;
  bool all_equal = true;
  const std::uint64_t first =
      state_.lane_bits(s.a, op.type, static_cast<unsigned>(std::countr_zero(state_.active)));
  for (std::uint64_t rest = state_.active; rest != 0; rest &= rest - 1) {
    const auto l = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t mine = state_.lane_bits(s.a, op.type, l);
    all_equal = all_equal && mine == first;
    std::uint64_t equal = 0;
    for (std::uint64_t others = state_.active; others != 0; others &= others - 1) {
      const auto o = static_cast<unsigned>(std::countr_zero(others));
      equal |= static_cast<std::uint64_t>(state_.lane_bits(s.a, op.type, o) == mine) << o;
    }
    state_.set_lane_bits(s.destination, LaneType::word, l, equal);
  }
  if (instruction.special == Special::match_all)
    for (unsigned l = 0; l < state_.lanes(); ++l)
      state_.set_lane_bits(s.destination, LaneType::word, l, all_equal ? state_.active : 0);
  state_.known(s.destination) = sure ? ~std::uint64_t{0} : 0;
  if (op.predicate_slot != no_slot) {
    *reinterpret_cast<std::uint64_t*>(state_.data(op.predicate_slot)) = all_equal ? ~std::uint64_t{0} : 0;
    state_.known(op.predicate_slot) = sure ? ~std::uint64_t{0} : 0;
  }
}

void CrossLane::reduce(const Instruction& instruction) {
  const CrossLaneOp& op = state_.program.cross_lane_ops[instruction.detail];
  bool first = true;
  std::uint32_t sum = 0;
  for (std::uint64_t rest = state_.active; rest != 0; rest &= rest - 1) {
    const auto v = static_cast<std::uint32_t>(
        state_.lane_bits(instruction.slots.a, LaneType::word, static_cast<unsigned>(std::countr_zero(rest))));
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
  for (unsigned l = 0; l < state_.lanes(); ++l)
    state_.set_lane_bits(instruction.slots.destination, LaneType::word, l, sum);
  state_.known(instruction.slots.destination) =
      (state_.known(instruction.slots.a) & state_.active) == state_.active ? ~std::uint64_t{0} : 0;
}

void CrossLane::read_lane(const Instruction& instruction) {
  const CrossLaneOp& op = state_.program.cross_lane_ops[instruction.detail];
  const auto first = static_cast<unsigned>(std::countr_zero(state_.active));
  unsigned from = first;
  bool is_known = true;
  if (instruction.slots.b != no_slot) {
    from =
        static_cast<unsigned>(state_.lane_bits(instruction.slots.b, LaneType::word, first)) % state_.lanes();
    is_known = (state_.known(instruction.slots.b) >> first & 1) != 0;
  }
  const std::uint64_t value = state_.lane_bits(instruction.slots.a, op.type, from);
  is_known = is_known && (state_.known(instruction.slots.a) >> from & 1) != 0;
  for (unsigned l = 0; l < state_.lanes(); ++l)
    state_.set_lane_bits(instruction.slots.destination, op.type, l, value);
  state_.known(instruction.slots.destination) = is_known ? lane_mask(state_.lanes()) : 0;
}

void CrossLane::read_clock(const Instruction& instruction) {
  // Time is what the later stages find out; inside the kernel it is unknown.
  state_.known(instruction.slots.destination) = 0;
}

} // namespace forewarp::simt
