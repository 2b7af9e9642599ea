// What lanes see of each other: DPP, permutes, single lanes to and from scalar registers.
#include "lift/amd/rows/rows.h"

#include <llvm/IR/Constants.h>

#include <charconv>
#include <utility>

namespace forewarp::lift::amd {
namespace {

namespace I = llvm::Intrinsic;

/// Whether the lane `number` is one of EXEC.
Value* runs(Lifter& l, Value* number) {
  Value* lanes = l.b.CreateLShr(l.ballot(l.exec()), l.b.CreateZExt(number, l.b.getInt64Ty()));
  return l.b.CreateTrunc(lanes, l.b.getInt1Ty());
}

/// The lowest lane of EXEC; 0 where there is none.
Value* first_lane(Lifter& l) {
  Value* lanes = l.ballot(l.exec());
  Value* found = l.low(l.b.CreateBinaryIntrinsic(I::cttz, lanes, l.b.getFalse()));
  return l.b.CreateSelect(l.b.CreateICmpEQ(lanes, l.b.getInt64(0)), l.word(0), found);
}

void read_first_lane(Lifter& l) {
  Value* made = l.call("llvm.amdgcn.readlane.i32", l.b.getInt32Ty(), {l.u32(1), first_lane(l)});
  l.set(0, made);
}
void read_lane(Lifter& l) {
  Value* number = l.b.CreateAnd(l.u32(2), l.word(l.wave - 1));
  l.set(0, l.call("llvm.amdgcn.readlane.i32", l.b.getInt32Ty(), {l.u32(1), number}));
}
/// Whatever EXEC says.
void write_lane(Lifter& l) {
  const Operand& to = l.operand(0);
  Value* is_this = l.b.CreateICmpEQ(l.lane(), l.b.CreateAnd(l.u32(2), l.word(l.wave - 1)));
  Value* made = l.b.CreateSelect(is_this, l.u32(1), l.vector(to.kind, to.number));
  l.set_vector_whole(to.kind, to.number, made);
}
template <bool upper> void count_below(Lifter& l) {
  auto& b = l.b;
  Value *mask = l.u32(1), *lane = l.lane();
  Value* below = nullptr;
  if (upper)
    below = b.CreateSelect(b.CreateICmpUGT(lane, l.word(31)),
                           b.CreateSub(b.CreateShl(l.word(1), b.CreateAnd(lane, l.word(31))), l.word(1)),
                           l.word(0));
  else
    below = b.CreateSelect(b.CreateICmpUGT(lane, l.word(31)), l.word(~0U),
                           b.CreateSub(b.CreateShl(l.word(1), b.CreateAnd(lane, l.word(31))), l.word(1)));
  l.set(0, b.CreateAdd(b.CreateUnaryIntrinsic(I::ctpop, b.CreateAnd(mask, below)), l.u32(2)));
}

/// Lanes that do not run give zero.
void permute_backward(Lifter& l) {
  auto& b = l.b;
  const auto offset = static_cast<std::uint64_t>(l.at().modifier("offset", 0));
  Value* from = b.CreateAnd(b.CreateLShr(b.CreateAdd(l.u32(1), l.word(offset)), 2), l.word(l.wave - 1));
  l.set(0, b.CreateSelect(runs(l, from), l.from_lane(l.u32(2), from), l.word(0)));
}

/// In groups of 32 lanes: four of them by a table, or and, or, xor with parts of the lane's number.
void swizzle(Lifter& l) {
  auto& b = l.b;
  if (l.at().immediates.empty())
    return l.refuse("its pattern");
  const auto pattern = static_cast<std::uint32_t>(l.at().immediates.front()) & 0xFFFF;
  Value* lane = l.lane();
  Value* from = nullptr;
  if ((pattern & 0x8000) != 0) {
    if ((pattern & 0x7F00) != 0)
      return l.refuse("this pattern");
    Value* shift = b.CreateShl(b.CreateAnd(lane, l.word(3)), 1);
    from = b.CreateOr(b.CreateAnd(lane, l.word(~3U)),
                      b.CreateAnd(b.CreateLShr(l.word(pattern & 0xFF), shift), l.word(3)));
  } else {
    Value* inside = b.CreateAnd(lane, l.word(pattern & 31));
    inside = b.CreateXor(b.CreateOr(inside, l.word(pattern >> 5 & 31)), l.word(pattern >> 10 & 31));
    from = b.CreateOr(b.CreateAnd(lane, l.word(~31U)), inside);
  }
  l.set(0, b.CreateSelect(runs(l, from), l.from_lane(l.u32(1), from), l.word(0)));
}

/// v_permlane32_swap, v_permlane16_swap (gfx950): halves of two registers change places.
template <unsigned distance> void swap_lanes(Lifter& l) {
  auto& b = l.b;
  Value *first = l.u32(0), *second = l.u32(1), *lane = l.lane();
  Value* upper = b.CreateICmpNE(b.CreateAnd(lane, l.word(distance)), l.word(0));
  Value* other = b.CreateXor(lane, l.word(distance));
  Value *first_there = l.from_lane(first, other), *second_there = l.from_lane(second, other);
  l.set(0, b.CreateSelect(upper, second_there, first));
  l.set(1, b.CreateSelect(upper, second, first_there));
}

/// v_permlanex16: the lane's selector (four bits of two words) in the other half of 32 lanes.
template <bool across> void permute_row(Lifter& l) {
  auto& b = l.b;
  Value* lane = l.lane();
  Value* in_row = b.CreateAnd(lane, l.word(15));
  Value* selectors = l.pair(l.u32(2), l.u32(3));
  Value* chosen = l.low(b.CreateAnd(
      b.CreateLShr(selectors, b.CreateZExt(b.CreateShl(in_row, 2), b.getInt64Ty())), b.getInt64(15)));
  Value* row = b.CreateAnd(across ? b.CreateXor(lane, l.word(16)) : lane, l.word(~15U));
  l.set(0, l.from_lane(l.u32(1), b.CreateOr(row, chosen)));
}

struct Source {
  Value *lane = nullptr, *valid = nullptr;
};

unsigned number_behind(std::string_view text) {
  unsigned number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Four lanes by a table: "[1,0,3,2]".
Source of_four(Lifter& l, std::string_view table) {
  auto& b = l.b;
  std::uint32_t packed = 0;
  for (unsigned k = 0; k < 4; ++k)
    if (1 + 2 * k < table.size())
      packed |= static_cast<std::uint32_t>((table[1 + 2 * k] - '0') & 3) << (2 * k);
  Value* shift = b.CreateShl(b.CreateAnd(l.lane(), l.word(3)), 1);
  Value* chosen = b.CreateAnd(b.CreateLShr(l.word(packed), shift), l.word(3));
  return {b.CreateOr(b.CreateAnd(l.lane(), l.word(~3U)), chosen), b.getTrue()};
}

Source source_of(Lifter& l) {
  auto& b = l.b;
  Value* lane = l.lane();
  Value* in_row = b.CreateAnd(lane, l.word(15));
  Value* row = b.CreateAnd(lane, l.word(~15U));
  const Instruction& at = l.at();
  const auto amount = [&](const char* name) { return number_behind(at.modifier(name)); };
  if (at.has("quad_perm"))
    return of_four(l, at.modifier("quad_perm"));
  if (at.has("row_shr"))
    return {b.CreateSub(lane, l.word(amount("row_shr"))), b.CreateICmpUGE(in_row, l.word(amount("row_shr")))};
  if (at.has("row_shl"))
    return {b.CreateAdd(lane, l.word(amount("row_shl"))),
            b.CreateICmpULT(in_row, l.word(16 - amount("row_shl")))};
  if (at.has("row_ror"))
    return {b.CreateOr(row, b.CreateAnd(b.CreateSub(in_row, l.word(amount("row_ror"))), l.word(15))),
            b.getTrue()};
  if (at.has("row_mirror"))
    return {b.CreateXor(lane, l.word(15)), b.getTrue()};
  if (at.has("row_half_mirror"))
    return {b.CreateXor(lane, l.word(7)), b.getTrue()};
  if (at.has("row_newbcast"))
    return {b.CreateOr(row, l.word(amount("row_newbcast"))), b.getTrue()};
  if (at.has("row_share"))
    return {b.CreateOr(row, l.word(amount("row_share"))), b.getTrue()};
  if (at.has("row_xmask"))
    return {b.CreateXor(lane, l.word(amount("row_xmask"))), b.getTrue()};
  if (at.has("row_bcast")) { // the last lane of a row to the next one; lane 31 to the rows behind it
    const bool of_half = amount("row_bcast") == 31;
    Value* from = of_half ? l.word(31) : b.CreateSub(row, l.word(1));
    return {b.CreateSelect(b.CreateICmpULT(lane, l.word(16)), lane, from),
            b.CreateICmpUGE(lane, l.word(of_half ? 32 : 16))};
  }
  if (at.has("wave_shr"))
    return {b.CreateSub(lane, l.word(1)), b.CreateICmpNE(lane, l.word(0))};
  if (at.has("wave_shl"))
    return {b.CreateAdd(lane, l.word(1)), b.CreateICmpNE(lane, l.word(l.wave - 1))};
  if (at.has("wave_ror"))
    return {b.CreateAnd(b.CreateSub(lane, l.word(1)), l.word(l.wave - 1)), b.getTrue()};
  if (at.has("wave_rol"))
    return {b.CreateAnd(b.CreateAdd(lane, l.word(1)), l.word(l.wave - 1)), b.getTrue()};
  return {};
}

constexpr MnemonicRow rows[] = {
    {"v_readfirstlane_b32", read_first_lane},
    {"v_readlane_b32", read_lane},
    {"v_writelane_b32", write_lane},
    {"v_mbcnt_lo_u32_b32", count_below<false>},
    {"v_mbcnt_hi_u32_b32", count_below<true>},
    {"ds_bpermute_b32", permute_backward},
    {"ds_swizzle_b32", swizzle},
    {"v_permlane32_swap_b32", swap_lanes<32>},
    {"v_permlane16_swap_b32", swap_lanes<16>},
    {"v_permlane16_b32", permute_row<false>},
    {"v_permlanex16_b32", permute_row<true>},
};

} // namespace

std::span<const MnemonicRow> lane_rows() {
  return rows;
}

/// A lane whose source is not there, or does not run, reads zero (bound_ctrl) or is not written.
void Lifter::begin_data_parallel() {
  const Source from = source_of(*this);
  if (from.lane == nullptr)
    return refuse("this exchange between lanes");
  Value* number = b.CreateAnd(from.lane, word(wave - 1));
  Value* valid = b.CreateAnd(from.valid, runs(*this, number));
  Value *row = b.CreateLShr(lane(), 4), *bank = b.CreateAnd(b.CreateLShr(lane(), 2), word(3));
  const auto enabled = [&](const char* name, Value* which) -> Value* {
    const auto mask = static_cast<std::uint64_t>(at().modifier(name, 15));
    if (mask == 15)
      return b.getTrue();
    return b.CreateTrunc(b.CreateLShr(word(mask), which), b.getInt1Ty());
  };
  written_lanes_ = b.CreateAnd(enabled("row_mask", row), enabled("bank_mask", bank));
  if (!at().has("bound_ctrl"))
    written_lanes_ = b.CreateAnd(written_lanes_, valid);
  other_lane_ = number;
  other_valid_ = valid;
}

} // namespace forewarp::lift::amd
