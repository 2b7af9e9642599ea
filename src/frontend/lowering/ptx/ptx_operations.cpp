#include "frontend/lowering/ptx/ptx_operations.h"

#include "frontend/lowering/builtin_call.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <algorithm>

namespace forewarp::frontend::lowering {
namespace {

namespace intrinsics = llvm::Intrinsic;
using Builder = llvm::IRBuilder<>;
using Sources = llvm::ArrayRef<llvm::Value*>;

/// Of an integer type such as "u32"; 0: of none.
unsigned bits_of(const std::string& type) {
  unsigned bits = 0;
  const bool integer = !type.empty() && (type[0] == 'u' || type[0] == 's' || type[0] == 'b');
  return integer && !llvm::StringRef(type).drop_front().getAsInteger(10, bits) ? bits : 0;
}

bool integers(const PtxStatement& s) {
  return s.kind() != 'f' && s.kind() != '\0' && !s.has("cc");
}
bool words(const PtxStatement& s) {
  return integers(s) && s.bits() == 32;
}
bool floats(const PtxStatement& s) {
  return s.kind() == 'f';
}
bool fast_floats(const PtxStatement& s) {
  return floats(s) && s.bits() == 32 && s.has("approx");
}
bool any(const PtxStatement&) {
  return true;
}

template <llvm::Instruction::BinaryOps operation>
llvm::Value* binary(Builder& b, const PtxStatement&, Sources s) {
  return b.CreateBinOp(operation, s[0], s[1]);
}

template <llvm::Intrinsic::ID id> llvm::Value* unary_call(Builder& b, const PtxStatement&, Sources s) {
  return b.CreateIntrinsic(id, {}, {s[0]});
}

bool has_half(const PtxStatement& s) {
  return s.has("lo") || s.has("hi") || s.has("wide");
}
bool products(const PtxStatement& s) {
  return integers(s) && has_half(s);
}

llvm::Value* product(Builder& b, const PtxStatement& s, Sources v) {
  if (s.has("lo"))
    return b.CreateMul(v[0], v[1]);
  llvm::Type* wide = b.getIntNTy(2 * s.bits());
  const bool is_signed = s.kind() == 's';
  llvm::Value* whole =
      b.CreateMul(b.CreateIntCast(v[0], wide, is_signed), b.CreateIntCast(v[1], wide, is_signed));
  return s.has("wide") ? whole : b.CreateTrunc(b.CreateLShr(whole, s.bits()), v[0]->getType());
}

llvm::Value* product_and_sum(Builder& b, const PtxStatement& s, Sources v) {
  llvm::Value* made = product(b, s, v);
  return b.CreateAdd(made, as_bits(b, v[2], made->getType()));
}

llvm::Value* fused(Builder& b, const PtxStatement&, Sources v) {
  return b.CreateIntrinsic(intrinsics::fma, {v[0]->getType()}, {v[0], v[1], v[2]});
}

template <bool larger> llvm::Value* extreme(Builder& b, const PtxStatement& s, Sources v) {
  const llvm::Intrinsic::ID id = s.kind() == 'f'   ? (larger ? intrinsics::maxnum : intrinsics::minnum)
                                 : s.kind() == 's' ? (larger ? intrinsics::smax : intrinsics::smin)
                                                   : (larger ? intrinsics::umax : intrinsics::umin);
  return b.CreateBinaryIntrinsic(id, v[0], v[1]);
}

/// Amounts beyond the width give what the last step gives; LLVM's shifts do not.
llvm::Value* shift(Builder& b, const PtxStatement& s, Sources v) {
  const unsigned bits = s.bits();
  const bool left = s.operation == "shl", arithmetic = !left && s.kind() == 's';
  llvm::Value* most = b.getInt32(bits - 1);
  llvm::Value* within = b.CreateICmpULE(v[1], most);
  llvm::Value* amount = b.CreateZExtOrTrunc(b.CreateSelect(within, v[1], most), v[0]->getType());
  if (arithmetic)
    return b.CreateAShr(v[0], amount);
  llvm::Value* shifted = left ? b.CreateShl(v[0], amount) : b.CreateLShr(v[0], amount);
  return b.CreateSelect(within, shifted, llvm::ConstantInt::get(shifted->getType(), 0));
}

bool wrapping_words(const PtxStatement& s) {
  return words(s) && s.has("wrap");
}

llvm::Value* funnel_shift(Builder& b, const PtxStatement& s, Sources v) {
  return b.CreateIntrinsic(s.has("l") ? intrinsics::fshl : intrinsics::fshr, {v[0]->getType()},
                           {v[1], v[0], v[2]});
}

bool plain_words(const PtxStatement& s) {
  return s.modifiers.size() == 1 && words(s);
}

llvm::Value* permuted_bytes(Builder& b, const PtxStatement&, Sources v) {
  return b.CreateIntrinsic(intrinsics::nvvm_prmt, {}, {v[0], v[1], v[2]});
}

bool words_of_one_sign(const PtxStatement& s) {
  return s.modifiers.size() == 2 && words(s) && s.modifiers.front() == s.modifiers.back();
}

llvm::Value* dot_of_bytes(Builder& b, const PtxStatement& s, Sources v) {
  return call_marker(b, s.kind() == 's' ? "dot4.s" : "dot4.u", b.getInt32Ty(), v, MarkerEffect::pure);
}

/// Of two values by its table; entry 2 x + y.
llvm::Value* logic_of_two(Builder& b, unsigned table, llvm::Value* x, llvm::Value* y) {
  if (table & 1) // true where both are false: the complement is simpler
    return b.CreateNot(logic_of_two(b, ~table & 15, x, y));
  switch (table) {
  case 2:
    return b.CreateAnd(b.CreateNot(x), y);
  case 4:
    return b.CreateAnd(x, b.CreateNot(y));
  case 6:
    return b.CreateXor(x, y);
  case 8:
    return b.CreateAnd(x, y);
  case 10:
    return y;
  case 12:
    return x;
  case 14:
    return b.CreateOr(x, y);
  default:
    return llvm::ConstantInt::get(x->getType(), 0);
  }
}

/// Entry 4 a + 2 b + c of the table. The machine step joins logic of three values again.
llvm::Value* logic_of_three(Builder& b, const PtxStatement&, Sources v) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(v[3]);
  if (!constant)
    return nullptr;
  const auto table = static_cast<unsigned>(constant->getZExtValue());
  const unsigned without = table & 15, with = table >> 4 & 15;
  llvm::Value* low = logic_of_two(b, without, v[1], v[2]);
  if (without == with)
    return low;
  if (without == (~with & 15))
    return b.CreateXor(v[0], low);
  llvm::Value* high = logic_of_two(b, with, v[1], v[2]);
  return b.CreateOr(b.CreateAnd(v[0], high), b.CreateAnd(b.CreateNot(v[0]), low));
}

/// `count` ones from bit `first` on, of 32; both are at most 255.
llvm::Value* ones(Builder& b, llvm::Value* first, llvm::Value* count) {
  const auto bounded = [&](llvm::Value* value) {
    llvm::Value* byte = b.CreateAnd(value, b.getInt32(255));
    return b.CreateZExt(b.CreateBinaryIntrinsic(intrinsics::umin, byte, b.getInt32(32)), b.getInt64Ty());
  };
  llvm::Value* mask = b.CreateSub(b.CreateShl(b.getInt64(1), bounded(count)), b.getInt64(1));
  return b.CreateTrunc(b.CreateShl(mask, bounded(first)), b.getInt32Ty());
}

bool unsigned_words(const PtxStatement& s) {
  return words(s) && s.kind() != 's';
}

llvm::Value* field(Builder& b, const PtxStatement& s, Sources v) {
  PtxStatement shift_right = s;
  shift_right.operation = "shr";
  llvm::Value* first = b.CreateAnd(v[1], b.getInt32(255));
  return b.CreateAnd(shift(b, shift_right, {v[0], first}), ones(b, b.getInt32(0), v[2]));
}

llvm::Value* inserted_field(Builder& b, const PtxStatement& s, Sources v) {
  PtxStatement shift_left = s;
  shift_left.operation = "shl";
  llvm::Value* mask = ones(b, v[2], v[3]);
  llvm::Value* moved = shift(b, shift_left, {v[0], b.CreateAnd(v[2], b.getInt32(255))});
  return b.CreateOr(b.CreateAnd(v[1], b.CreateNot(mask)), b.CreateAnd(moved, mask));
}

llvm::Value* counted(Builder& b, const PtxStatement& s, Sources v) {
  llvm::Value* made = s.operation == "popc" ? b.CreateUnaryIntrinsic(intrinsics::ctpop, v[0])
                                            : b.CreateBinaryIntrinsic(intrinsics::ctlz, v[0], b.getFalse());
  return b.CreateZExtOrTrunc(made, b.getInt32Ty());
}

llvm::Value* reversed(Builder& b, const PtxStatement&, Sources v) {
  return b.CreateUnaryIntrinsic(intrinsics::bitreverse, v[0]);
}

llvm::Value* complement(Builder& b, const PtxStatement&, Sources v) {
  return b.CreateNot(v[0]);
}
llvm::Value* same(Builder&, const PtxStatement&, Sources v) {
  return v[0];
}

/// "cvt.u32.u64": two integer types, that of the result first.
bool between_integers(const PtxStatement& s) {
  return s.modifiers.size() == 2 && integers(s) && bits_of(s.modifiers.front()) > 0;
}
llvm::Value* resized(Builder& b, const PtxStatement& s, Sources v) {
  return b.CreateIntCast(v[0], b.getIntNTy(bits_of(s.modifiers.front())), s.kind() == 's');
}

llvm::Value* negated(Builder& b, const PtxStatement& s, Sources v) {
  return s.kind() == 'f' ? b.CreateFNeg(v[0]) : b.CreateNeg(v[0]);
}

llvm::Value* magnitude(Builder& b, const PtxStatement& s, Sources v) {
  return s.kind() == 'f' ? b.CreateUnaryIntrinsic(intrinsics::fabs, v[0])
                         : b.CreateBinaryIntrinsic(intrinsics::abs, v[0], b.getFalse());
}

llvm::Value* quotient(Builder& b, const PtxStatement& s, Sources v) {
  return s.kind() == 's' ? b.CreateSDiv(v[0], v[1]) : b.CreateUDiv(v[0], v[1]);
}
llvm::Value* remainder(Builder& b, const PtxStatement& s, Sources v) {
  return s.kind() == 's' ? b.CreateSRem(v[0], v[1]) : b.CreateURem(v[0], v[1]);
}

using I = llvm::Instruction;
constexpr PtxOperation operations[] = {
    {"add", 2, integers, binary<I::Add>},
    {"add", 2, floats, binary<I::FAdd>},
    {"sub", 2, integers, binary<I::Sub>},
    {"sub", 2, floats, binary<I::FSub>},
    {"mul", 2, products, product},
    {"mul", 2, floats, binary<I::FMul>},
    {"mad", 3, products, product_and_sum},
    {"mad", 3, floats, fused},
    {"fma", 3, floats, fused},
    {"div", 2, integers, quotient},
    {"div", 2, floats, binary<I::FDiv>},
    {"rem", 2, integers, remainder},
    {"min", 2, any, extreme<false>},
    {"max", 2, any, extreme<true>},
    {"neg", 1, any, negated},
    {"abs", 1, any, magnitude},
    {"and", 2, integers, binary<I::And>},
    {"or", 2, integers, binary<I::Or>},
    {"xor", 2, integers, binary<I::Xor>},
    {"not", 1, integers, complement},
    {"mov", 1, any, same},
    {"cvt", 1, between_integers, resized},
    {"shl", 2, integers, shift, 1},
    {"shr", 2, integers, shift, 1},
    {"shf", 3, wrapping_words, funnel_shift},
    {"prmt", 3, plain_words, permuted_bytes},
    {"dp4a", 3, words_of_one_sign, dot_of_bytes},
    {"lop3", 4, plain_words, logic_of_three},
    {"bfe", 3, unsigned_words, field},
    {"bfi", 4, words, inserted_field},
    {"brev", 1, integers, reversed},
    {"popc", 1, integers, counted},
    {"clz", 1, integers, counted},
    {"ex2", 1, fast_floats, unary_call<intrinsics::nvvm_ex2_approx_f>},
    {"lg2", 1, fast_floats, unary_call<intrinsics::nvvm_lg2_approx_f>},
    {"sin", 1, fast_floats, unary_call<intrinsics::nvvm_sin_approx_f>},
    {"cos", 1, fast_floats, unary_call<intrinsics::nvvm_cos_approx_f>},
    {"rcp", 1, fast_floats, unary_call<intrinsics::nvvm_rcp_approx_ftz_f>},
    {"rsqrt", 1, fast_floats, unary_call<intrinsics::nvvm_rsqrt_approx_f>},
    {"sqrt", 1, fast_floats, unary_call<intrinsics::nvvm_sqrt_approx_f>},
};

} // namespace

const PtxOperation* find_ptx_operation(const PtxStatement& statement) {
  const auto row = std::find_if(std::begin(operations), std::end(operations), [&](const PtxOperation& each) {
    return statement.operation == each.name && each.applies(statement);
  });
  return row == std::end(operations) ? nullptr : row;
}

llvm::Type* ptx_type(llvm::LLVMContext& context, const PtxStatement& statement) {
  const unsigned bits = statement.bits();
  if (statement.kind() != 'f') {
    constexpr unsigned widths[] = {1, 8, 16, 32, 64};
    const bool known = std::find(std::begin(widths), std::end(widths), bits) != std::end(widths);
    return known ? llvm::Type::getIntNTy(context, bits) : nullptr;
  }
  return bits == 16   ? llvm::Type::getHalfTy(context)
         : bits == 32 ? llvm::Type::getFloatTy(context)
         : bits == 64 ? llvm::Type::getDoubleTy(context)
                      : nullptr;
}

} // namespace forewarp::frontend::lowering
