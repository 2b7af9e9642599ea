// Packed halves. `.MMA` says which pipe, `-RZ, RZ, x, y` with it is how a constant of two halves is moved.
#include "lift/rows/rows.h"

#include <llvm/IR/Intrinsics.h>

namespace forewarp::lift {
namespace {

using M = Modifier;

/// A half of a pair as a float, for the forms that give floats.
void set_half2(Lifter& l, Value* value) {
  auto& b = l.b;
  if (l.has(M::sat)) {
    llvm::Type* type = value->getType();
    value = b.CreateBinaryIntrinsic(llvm::Intrinsic::maxnum, value, llvm::ConstantFP::get(type, 0));
    value = b.CreateBinaryIntrinsic(llvm::Intrinsic::minnum, value, llvm::ConstantFP::get(type, 1));
  }
  if (l.has(M::f32)) {
    Value* first = b.CreateExtractElement(value, std::uint64_t{0});
    return l.set(l.result(0), b.CreateBitCast(b.CreateFPExt(first, b.getFloatTy()), b.getInt32Ty()));
  }
  l.set(l.result(0), b.CreateBitCast(value, b.getInt32Ty()));
}

bool plain(Lifter& l) {
  if (!l.has(M::bf16) && !l.has(M::bf16_v2))
    return true;
  l.refuse("pairs of bfloat16");
  return false;
}

/// The product's factors, and a summand that may be spread over two immediates.
void multiply_add(Lifter& l) {
  auto& b = l.b;
  if (!plain(l))
    return;
  Value *x = l.half2(l.source(0)), *y = l.half2(l.source(1)), *z = l.half2(l.source(2));
  set_half2(l, b.CreateIntrinsic(x->getType(), llvm::Intrinsic::fma, {x, y, z}));
}
void add(Lifter& l) {
  if (plain(l))
    set_half2(l, l.b.CreateFAdd(l.half2(l.source(0)), l.half2(l.source(1))));
}
void multiply(Lifter& l) {
  if (plain(l))
    set_half2(l, l.b.CreateFMul(l.half2(l.source(0)), l.half2(l.source(1))));
}
void minimum(Lifter& l) {
  auto& b = l.b;
  if (!plain(l))
    return;
  Value *x = l.half2(l.source(0)), *y = l.half2(l.source(1));
  set_half2(l, b.CreateSelect(l.predicate(l.source_predicate(0), true),
                              b.CreateBinaryIntrinsic(llvm::Intrinsic::minnum, x, y),
                              b.CreateBinaryIntrinsic(llvm::Intrinsic::maxnum, x, y)));
}

constexpr OpcodeRow half_row_list[] = {
    {Opcode::hfma2, multiply_add},
    {Opcode::hadd2, add},
    {Opcode::hmul2, multiply},
    {Opcode::hmnmx2, minimum},
};

} // namespace

std::span<const OpcodeRow> half_rows() {
  return half_row_list;
}

} // namespace forewarp::lift
