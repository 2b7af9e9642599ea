// Arithmetic of floats and doubles, their comparisons, the special function unit.
#include "lift/rows/rows.h"

#include <llvm/IR/Intrinsics.h>

namespace forewarp::lift {
namespace {

using M = Modifier;

/// "" for the nearest even.
std::string rounding(const Lifter& l) {
  return l.has(M::rm) ? "down" : l.has(M::rp) ? "up" : l.has(M::rz) ? "zero" : "";
}

Value* fused(Lifter& l, Value* x, Value* y, Value* z) {
  const std::string mode = rounding(l);
  if (mode.empty())
    return l.b.CreateIntrinsic(x->getType(), llvm::Intrinsic::fma, {x, y, z});
  const char* of_type = x->getType()->isDoubleTy() ? "double_" : "";
  return l.call(std::string("forewarp.machine.fma_") + of_type + mode, x->getType(), {x, y, z});
}

/// `.D2`, `.M4` and so on: a power of two.
double scale(const Lifter& l) {
  static constexpr std::pair<M, double> scales[] = {{M::d2, 0.5}, {M::d4, 0.25}, {M::d8, 0.125},
                                                    {M::m2, 2},   {M::m4, 4},    {M::m8, 8}};
  for (const auto& [modifier, factor] : scales)
    if (l.has(modifier))
      return factor;
  return 1;
}

void multiply_add(Lifter& l) {
  l.set_float(l.result(0), fused(l, l.f32(l.source(0)), l.f32(l.source(1)), l.f32(l.source(2))));
}

void add(Lifter& l) {
  auto& b = l.b;
  Value *x = l.f32(l.source(0)), *y = l.f32(l.source(1));
  Value* one = llvm::ConstantFP::get(b.getFloatTy(), 1);
  l.set_float(l.result(0), rounding(l).empty() ? b.CreateFAdd(x, y) : fused(l, x, one, y));
}

void multiply(Lifter& l) {
  auto& b = l.b;
  Value *x = l.f32(l.source(0)), *y = l.f32(l.source(1));
  Value* zero = llvm::ConstantFP::getNegativeZero(b.getFloatTy());
  Value* product = rounding(l).empty() ? b.CreateFMul(x, y) : fused(l, x, y, zero);
  if (scale(l) != 1)
    product = b.CreateFMul(product, llvm::ConstantFP::get(b.getFloatTy(), scale(l)));
  l.set_float(l.result(0), product);
}

/// How floats compare: `LT` is false, `LTU` true where one is no number.
std::optional<llvm::CmpInst::Predicate> comparison(const Lifter& l) {
  using P = llvm::CmpInst;
  static constexpr std::pair<M, P::Predicate> table[] = {
      {M::lt, P::FCMP_OLT},  {M::eq, P::FCMP_OEQ},  {M::le, P::FCMP_OLE},  {M::gt, P::FCMP_OGT},
      {M::ne, P::FCMP_ONE},  {M::ge, P::FCMP_OGE},  {M::num, P::FCMP_ORD}, {M::nan, P::FCMP_UNO},
      {M::ltu, P::FCMP_ULT}, {M::equ, P::FCMP_UEQ}, {M::leu, P::FCMP_ULE}, {M::gtu, P::FCMP_UGT},
      {M::neu, P::FCMP_UNE}, {M::geu, P::FCMP_UGE}, {M::t, P::FCMP_TRUE},  {M::f, P::FCMP_FALSE}};
  for (const auto& [modifier, predicate] : table)
    if (l.has(modifier))
      return predicate;
  return std::nullopt;
}

template <Value* (Lifter::*Read)(const Operand*)> void compare(Lifter& l) {
  const auto kind = comparison(l);
  if (!kind)
    return l.refuse("its comparison");
  set_comparison(l, l.b.CreateFCmp(*kind, (l.*Read)(l.source(0)), (l.*Read)(l.source(1))));
}

/// DSETP.MIN and .MAX: the first predicate takes the first source (the other is no number, or is not less, or
/// not more), the second says that neither is a number: so the code that compilers write around them asks.
void choose_double(Lifter& l) {
  auto& b = l.b;
  if (!l.has(M::max) && !l.has(M::min))
    return compare<&Lifter::f64>(l);
  Value *x = l.f64(l.source(0)), *y = l.f64(l.source(1));
  const auto of_sign = [&](Value* value) {
    return b.CreateICmpSLT(b.CreateBitCast(value, b.getInt64Ty()), b.getInt64(0));
  };
  Value* beyond = l.has(M::max) ? b.CreateFCmpOGT(x, y) : b.CreateFCmpOLT(x, y);
  Value* zero = b.CreateAnd(b.CreateFCmpOEQ(x, y), of_sign(l.has(M::max) ? y : x));
  Value *x_none = b.CreateFCmpUNO(x, x), *y_none = b.CreateFCmpUNO(y, y);
  Value* other = l.predicate(l.source_predicate(0), true);
  l.set_predicate(l.result_predicate(0), b.CreateAnd(b.CreateOr(b.CreateOr(beyond, zero), y_none), other));
  l.set_predicate(l.result_predicate(1), b.CreateAnd(b.CreateAnd(x_none, y_none), other));
}

/// One with `.BF`, else all ones.
void compare_to_word(Lifter& l) {
  auto& b = l.b;
  const auto kind = comparison(l);
  if (!kind)
    return l.refuse("its comparison");
  Value* answer = b.CreateFCmp(*kind, l.f32(l.source(0)), l.f32(l.source(1)));
  Value* other = l.predicate(l.source_predicate(0), true);
  answer = l.has(M::or_) ? b.CreateOr(answer, other) : b.CreateAnd(answer, other);
  if (l.has(M::bf))
    return l.set_float(l.result(0), b.CreateUIToFP(answer, b.getFloatTy()));
  l.set(l.result(0), b.CreateSExt(answer, b.getInt32Ty()));
}

void choose(Lifter& l) {
  auto& b = l.b;
  l.set_float(l.result(0), b.CreateSelect(l.predicate(l.source_predicate(0), true), l.f32(l.source(0)),
                                          l.f32(l.source(1))));
}

Value* least_or_most(Lifter& l, Value* x, Value* y, Value* least) {
  auto& b = l.b;
  using namespace llvm::Intrinsic;
  if (l.has(M::xorsign))
    l.refuse("the sign of the product");
  const bool keeps_nan = l.has(M::nan);
  Value* low = b.CreateBinaryIntrinsic(keeps_nan ? minimum : minnum, x, y);
  Value* high = b.CreateBinaryIntrinsic(keeps_nan ? maximum : maxnum, x, y);
  return b.CreateSelect(least, low, high);
}

void minimum_of_two(Lifter& l) {
  l.set_float(l.result(0), least_or_most(l, l.f32(l.source(0)), l.f32(l.source(1)),
                                         l.predicate(l.source_predicate(0), true)));
}
void minimum_of_three(Lifter& l) {
  Value* least = l.predicate(l.source_predicate(0), true);
  Value* two = least_or_most(l, l.f32(l.source(0)), l.f32(l.source(1)), least);
  l.set_float(l.result(0), least_or_most(l, two, l.f32(l.source(2)), least));
}

/// True where a / b has to leave the short way of a division: see `forewarp.machine.division_check`.
void check_division(Lifter& l) {
  Value* answer =
      l.call("forewarp.machine.division_check", l.b.getInt32Ty(), {l.f32(l.source(0)), l.f32(l.source(1))});
  l.set_predicate(l.result_predicate(0), l.b.CreateICmpNE(answer, l.word(0)));
}

/// At full accuracy; the hardware's last bits are not known. Sine and cosine take revolutions.
void special_function(Lifter& l) {
  static constexpr std::pair<M, const char*> functions[] = {
      {M::rcp, "llvm.nvvm.rcp.approx.ftz.f"},       {M::rsq, "llvm.nvvm.rsqrt.approx.f"},
      {M::sqrt, "llvm.nvvm.sqrt.approx.f"},         {M::ex2, "llvm.nvvm.ex2.approx.f"},
      {M::lg2, "llvm.nvvm.lg2.approx.f"},           {M::sin, "forewarp.machine.sin_revolutions"},
      {M::cos, "forewarp.machine.cos_revolutions"}, {M::tanh, "forewarp.machine.tanh"}};
  auto& b = l.b;
  for (const auto& [modifier, name] : {std::pair(M::rcp64h, "forewarp.machine.rcp_high"),
                                       std::pair(M::rsq64h, "forewarp.machine.rsqrt_high")})
    if (l.has(modifier))
      return l.set(l.result(0), l.call(name, b.getInt32Ty(), {l.u32(l.source(0))}));
  if (l.has(M::f16))
    return l.refuse("halves");
  for (const auto& [modifier, name] : functions)
    if (l.has(modifier))
      return l.set_float(l.result(0), l.call(name, b.getFloatTy(), {l.f32(l.source(0))}));
  l.refuse("this function");
}

void double_multiply_add(Lifter& l) {
  l.set_double(l.result(0), fused(l, l.f64(l.source(0)), l.f64(l.source(1)), l.f64(l.source(2))));
}
void double_add(Lifter& l) {
  auto& b = l.b;
  Value *x = l.f64(l.source(0)), *y = l.f64(l.source(1));
  Value* one = llvm::ConstantFP::get(b.getDoubleTy(), 1);
  l.set_double(l.result(0), rounding(l).empty() ? b.CreateFAdd(x, y) : fused(l, x, one, y));
}
void double_multiply(Lifter& l) {
  auto& b = l.b;
  Value *x = l.f64(l.source(0)), *y = l.f64(l.source(1));
  Value* zero = llvm::ConstantFP::getNegativeZero(b.getDoubleTy());
  l.set_double(l.result(0), rounding(l).empty() ? b.CreateFMul(x, y) : fused(l, x, y, zero));
}
void double_minimum(Lifter& l) {
  l.set_double(l.result(0), least_or_most(l, l.f64(l.source(0)), l.f64(l.source(1)),
                                          l.predicate(l.source_predicate(0), true)));
}

constexpr OpcodeRow float_row_list[] = {
    {Opcode::ffma, multiply_add},
    {Opcode::uffma, multiply_add},
    {Opcode::fadd, add},
    {Opcode::ufadd, add},
    {Opcode::fmul, multiply},
    {Opcode::ufmul, multiply},
    {Opcode::fsetp, compare<&Lifter::f32>},
    {Opcode::ufsetp, compare<&Lifter::f32>},
    {Opcode::fset, compare_to_word},
    {Opcode::fsel, choose},
    {Opcode::ufsel, choose},
    {Opcode::fmnmx, minimum_of_two},
    {Opcode::ufmnmx, minimum_of_two},
    {Opcode::fmnmx3, minimum_of_three},
    {Opcode::fchk, check_division},
    {Opcode::mufu, special_function},
    {Opcode::dfma, double_multiply_add},
    {Opcode::dadd, double_add},
    {Opcode::dmul, double_multiply},
    {Opcode::dsetp, choose_double},
    {Opcode::dmnmx, double_minimum},
};

} // namespace

std::span<const OpcodeRow> float_rows() {
  return float_row_list;
}

} // namespace forewarp::lift
