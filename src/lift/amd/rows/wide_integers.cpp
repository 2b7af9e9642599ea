// Integers of 64 bits in the vector unit.
#include "lift/amd/rows/rows.h"

#include <llvm/IR/Constants.h>

namespace forewarp::lift::amd {
namespace {

using llvm::Instruction;

template <Instruction::BinaryOps how> void shift_reversed(Lifter& l) {
  Value* by = l.b.CreateZExt(l.b.CreateAnd(l.u32(1), l.word(63)), l.b.getInt64Ty());
  l.set64(0, l.b.CreateBinOp(how, l.u64(2), by));
}

/// Result, carry out, two factors of 32 bits, a sum of 64.
template <bool is_signed> void multiply_add(Lifter& l) {
  auto& b = l.b;
  llvm::Type* wide = b.getInt64Ty();
  Value* product =
      b.CreateMul(b.CreateIntCast(l.u32(2), wide, is_signed), b.CreateIntCast(l.u32(3), wide, is_signed));
  Value* made = b.CreateAdd(product, l.u64(4));
  Value* over = b.CreateICmpULT(made, product);
  l.set64(0, made);
  l.set_mask(1, over);
}

void move(Lifter& l) {
  l.set64(0, l.u64(1));
}

/// v_lshl_add_u64 of gfx940: addresses.
void left_and_add(Lifter& l) {
  Value* by = l.b.CreateZExt(l.b.CreateAnd(l.u32(2), l.word(7)), l.b.getInt64Ty());
  l.set64(0, l.b.CreateAdd(l.b.CreateShl(l.u64(1), by), l.u64(3)));
}

/// Two moves: op_sel says which word of each source.
void packed_move(Lifter& l) {
  const std::string_view halves = l.at().modifier("op_sel");
  const auto from = [&](std::size_t n, std::size_t at) {
    return l.u32(n, at < halves.size() && halves[at] == '1' ? 1 : 0);
  };
  Value *first = from(1, 1), *second = from(2, 3);
  l.set(0, first);
  l.set(0, second, 1);
}

constexpr MnemonicRow rows[] = {
    {"v_lshlrev_b64", shift_reversed<Instruction::Shl>},
    {"v_lshrrev_b64", shift_reversed<Instruction::LShr>},
    {"v_ashrrev_i64", shift_reversed<Instruction::AShr>},
    {"v_mad_u64_u32", multiply_add<false>},
    {"v_mad_i64_i32", multiply_add<true>},
    {"v_mov_b64", move},
    {"v_lshl_add_u64", left_and_add},
    {"v_pk_mov_b32", packed_move},
};

} // namespace

std::span<const MnemonicRow> wide_integer_rows() {
  return rows;
}

} // namespace forewarp::lift::amd
