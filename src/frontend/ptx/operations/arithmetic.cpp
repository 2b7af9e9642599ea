#include "frontend/ptx/operations/arithmetic.h"

#include "frontend/lowering/builtin_call.h"
#include "frontend/ptx/operations/operations.h"
#include "ir/part_mark.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Metadata.h>

#include <algorithm>
#include <iterator>

namespace forewarp::frontend::ptx {
namespace {

namespace intrinsics = llvm::Intrinsic;
using Builder = llvm::IRBuilder<>;

bool integers(const Statement& s) {
  return (s.kind() == 'u' || s.kind() == 's' || s.kind() == 'b' || s.kind() == 'p') && !s.has("cc");
}
bool words(const Statement& s) {
  return integers(s) && s.bits() == 32;
}
bool words_or_pairs(const Statement& s) {
  return integers(s) && (s.bits() == 32 || s.bits() == 64);
}
bool floats(const Statement& s) {
  return s.type().is_float();
}
bool single_or_double(const Statement& s) {
  return s.kind() == 'f' && s.bits() >= 32 && s.type().lanes == 1;
}
bool approximate(const Statement& s) {
  return floats(s) && s.has("approx");
}
bool has_half(const Statement& s) {
  return s.has("lo") || s.has("hi") || s.has("wide");
}
bool products(const Statement& s) {
  return integers(s) && has_half(s);
}
bool low_or_high(const Statement& s) {
  return words(s) && (s.has("lo") || s.has("hi"));
}
bool saturating_words(const Statement& s) {
  return words(s) && s.has("sat");
}
bool plain_or_mode(const Statement& s) {
  return words(s) && (s.modifiers.size() == 1 ||
                      (s.modifiers.size() == 2 && s.has_any({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"})));
}
bool plain_words(const Statement& s) {
  return s.modifiers.size() == 1 && words(s);
}
bool short_products(const Statement& s) {
  return words(s) && s.types().size() == 2;
}

using I = llvm::Instruction;
template <I::BinaryOps operation> llvm::Value* binary(Builder& b, const Statement&, Sources s) {
  return b.CreateBinOp(operation, s[0], s[1]);
}
template <llvm::Intrinsic::ID id> llvm::Value* binary_call(Builder& b, const Statement&, Sources s) {
  return b.CreateBinaryIntrinsic(id, s[0], s[1]);
}

llvm::Value* product(Builder& b, const Statement& s, Sources v) {
  if (s.has("lo"))
    return b.CreateMul(v[0], v[1]);
  const bool is_signed = s.kind() == 's';
  if (s.bits() == 64 && s.has("hi"))
    return b.CreateIntrinsic(is_signed ? intrinsics::nvvm_mulhi_ll : intrinsics::nvvm_mulhi_ull, {},
                             {v[0], v[1]});
  llvm::Type* wide = b.getIntNTy(2 * s.bits());
  llvm::Value* whole =
      b.CreateMul(b.CreateIntCast(v[0], wide, is_signed), b.CreateIntCast(v[1], wide, is_signed));
  return s.has("wide") ? whole : b.CreateTrunc(b.CreateLShr(whole, s.bits()), v[0]->getType());
}

llvm::Value* product_and_sum(Builder& b, const Statement& s, Sources v) {
  llvm::Value* made = product(b, s, v);
  return s.has("sat") ? b.CreateBinaryIntrinsic(intrinsics::sadd_sat, made, v[2]) : b.CreateAdd(made, v[2]);
}

/// Of the low 24 bits; "hi": bits 16 to 47 of the product.
llvm::Value* product_of_24(Builder& b, const Statement& s, Sources v) {
  const bool is_signed = s.kind() == 's';
  const auto cut = [&](llvm::Value* value) {
    llvm::Value* up = b.CreateShl(value, 8);
    return is_signed ? b.CreateAShr(up, 8) : b.CreateLShr(up, 8);
  };
  llvm::Value *x = cut(v[0]), *y = cut(v[1]);
  if (s.has("lo"))
    return b.CreateMul(x, y);
  llvm::Type* wide = b.getInt64Ty();
  llvm::Value* whole = b.CreateMul(b.CreateIntCast(x, wide, is_signed), b.CreateIntCast(y, wide, is_signed));
  return b.CreateTrunc(b.CreateLShr(whole, 16), b.getInt32Ty());
}
llvm::Value* product_of_24_and_sum(Builder& b, const Statement& s, Sources v) {
  llvm::Value* made = product_of_24(b, s, v);
  return s.has("sat") ? b.CreateBinaryIntrinsic(intrinsics::sadd_sat, made, v[2]) : b.CreateAdd(made, v[2]);
}

llvm::Value* integer_extreme(Builder& b, const Statement& s, Sources v) {
  const bool larger = s.operation == "max", is_signed = s.kind() == 's';
  llvm::Value* made = b.CreateBinaryIntrinsic(is_signed ? (larger ? intrinsics::smax : intrinsics::smin)
                                                        : (larger ? intrinsics::umax : intrinsics::umin),
                                              v[0], v[1]);
  if (!s.has("relu"))
    return made;
  return b.CreateBinaryIntrinsic(intrinsics::smax, made, llvm::Constant::getNullValue(made->getType()));
}

llvm::Value* distance(Builder& b, const Statement& s, Sources v) {
  const bool is_signed = s.kind() == 's';
  llvm::Value* larger = b.CreateBinaryIntrinsic(is_signed ? intrinsics::smax : intrinsics::umax, v[0], v[1]);
  llvm::Value* smaller = b.CreateBinaryIntrinsic(is_signed ? intrinsics::smin : intrinsics::umin, v[0], v[1]);
  return b.CreateAdd(b.CreateSub(larger, smaller), v[2]);
}

bool bytes_of_words(const Statement& s) {
  return words(s) && !s.has_any({"sat", "min", "max"});
}

/// Of the four bytes of each word; ".add": their sum and the third source, else four bytes (all of them:
/// masks of lanes are not modelled). Byte by byte, not as the one instruction that some generations have.
llvm::Value* distances_of_bytes(Builder& b, const Statement& s, Sources v) {
  const bool is_signed = s.modifiers.size() > 1 && s.modifiers[1].front() == 's';
  const auto byte = [&](llvm::Value* word, unsigned k) {
    llvm::Value* low = b.CreateTrunc(b.CreateLShr(word, 8 * k), b.getInt8Ty());
    return b.CreateIntCast(low, b.getInt32Ty(), is_signed);
  };
  llvm::Value* made = s.has("add") ? v[2] : b.getInt32(0);
  for (unsigned k = 0; k < 4; ++k) {
    llvm::Value* difference = b.CreateSub(byte(v[0], k), byte(v[1], k));
    llvm::Value* one = b.CreateBinaryIntrinsic(intrinsics::abs, difference, b.getFalse());
    made = s.has("add") ? b.CreateAdd(made, one)
                        : b.CreateOr(made, b.CreateShl(b.CreateAnd(one, b.getInt32(255)), 8 * k));
  }
  return made;
}

llvm::Value* reversed(Builder& b, const Statement&, Sources v) {
  return b.CreateUnaryIntrinsic(intrinsics::bitreverse, v[0]);
}
llvm::Value* complement(Builder& b, const Statement&, Sources v) {
  return b.CreateNot(v[0]);
}
llvm::Value* logical_complement(Builder& b, const Statement&, Sources v) {
  return b.CreateZExt(b.CreateICmpEQ(v[0], llvm::Constant::getNullValue(v[0]->getType())), v[0]->getType());
}
llvm::Value* negated(Builder& b, const Statement& s, Sources v) {
  return s.type().is_float() ? b.CreateFNeg(v[0]) : b.CreateNeg(v[0]);
}
llvm::Value* magnitude(Builder& b, const Statement& s, Sources v) {
  return s.type().is_float() ? b.CreateUnaryIntrinsic(intrinsics::fabs, v[0])
                             : b.CreateBinaryIntrinsic(intrinsics::abs, v[0], b.getFalse());
}
llvm::Value* quotient(Builder& b, const Statement& s, Sources v) {
  return s.kind() == 's' ? b.CreateSDiv(v[0], v[1]) : b.CreateUDiv(v[0], v[1]);
}
llvm::Value* remainder(Builder& b, const Statement& s, Sources v) {
  return s.kind() == 's' ? b.CreateSRem(v[0], v[1]) : b.CreateURem(v[0], v[1]);
}

constexpr Arithmetic arithmetic[] = {
    {"add", 2, saturating_words, binary_call<intrinsics::sadd_sat>},
    {"add", 2, integers, binary<I::Add>},
    {"add", 2, floats, float_sum},
    {"sub", 2, saturating_words, binary_call<intrinsics::ssub_sat>},
    {"sub", 2, integers, binary<I::Sub>},
    {"sub", 2, floats, float_sum},
    {"mul", 2, products, product},
    {"mul", 2, floats, float_product},
    {"mad", 3, products, product_and_sum},
    {"mad", 3, floats, fused},
    {"fma", 3, floats, fused},
    {"mul24", 2, low_or_high, product_of_24},
    {"mad24", 3, low_or_high, product_of_24_and_sum},
    {"div", 2, integers, quotient},
    {"div", 2, single_or_double, float_quotient},
    {"rem", 2, integers, remainder},
    {"sad", 3, integers, distance},
    {"min", 2, integers, integer_extreme},
    {"max", 2, integers, integer_extreme},
    {"min", 2, floats, float_extreme},
    {"max", 2, floats, float_extreme},
    {"neg", 1, integers, negated},
    {"neg", 1, floats, negated},
    {"abs", 1, integers, magnitude},
    {"abs", 1, floats, magnitude},
    {"and", 2, integers, binary<I::And>},
    {"or", 2, integers, binary<I::Or>},
    {"xor", 2, integers, binary<I::Xor>},
    {"not", 1, integers, complement},
    {"cnot", 1, integers, logical_complement},
    {"shl", 2, integers, shift, 1},
    {"shr", 2, integers, shift, 1},
    {"shf", 3, words, funnel_shift},
    {"prmt", 3, plain_or_mode, permuted_bytes},
    {"dp2a", 3, short_products, dot_of_bytes},
    {"dp4a", 3, short_products, dot_of_bytes},
    {"lop3", 4, plain_words, logic_of_three},
    {"bfe", 3, words_or_pairs, field, 2},
    {"bfi", 4, words_or_pairs, inserted_field, 2},
    {"bfind", 1, words_or_pairs, highest_bit},
    {"bmsk", 2, words, mask_of_bits},
    {"szext", 2, words, extended_field},
    {"brev", 1, words_or_pairs, reversed},
    {"popc", 1, words_or_pairs, counted},
    {"clz", 1, words_or_pairs, counted},
    {"ex2", 1, approximate, fast_function},
    {"lg2", 1, approximate, fast_function},
    {"sin", 1, approximate, fast_function},
    {"cos", 1, approximate, fast_function},
    {"tanh", 1, approximate, fast_function},
    {"rcp", 1, single_or_double, reciprocal},
    {"rsqrt", 1, approximate, reciprocal_root},
    {"sqrt", 1, single_or_double, root},
    {"copysign", 2, single_or_double, sign_copied},
    {"testp", 1, single_or_double, class_tested},
    {"vabsdiff4", 3, bytes_of_words, distances_of_bytes},
};

/// A register declared for floats is no operand of integer arithmetic, nor the other way round; ".b32" is
/// either.
bool kinds_agree(Expansion& e, const Statement& s, const std::string& operand) {
  const Register* held = e.registers.find_register(operand);
  if (!held || held->kind == '\0' || held->kind == 'b')
    return true;
  const bool integer = s.kind() == 'u' || s.kind() == 's' || s.kind() == 'b';
  const bool agrees = held->kind == 'p'                        ? s.kind() == 'p'
                      : held->kind == 'u' || held->kind == 's' ? integer
                                                               : s.kind() == 'b' || s.type().is_float();
  return agrees || e.refuse("'" + operand + "' is declared for another type");
}

/// add.f32.bf16 d, a, c; fma.rn.f32.f16 d, a, b, c: all but the last source are halves.
bool is_mixed(const Statement& s) {
  const std::vector<TypeWord> types = s.types();
  return types.size() == 2 && types[0].kind == 'f' && types[0].size() == 32 && types[1].is_float() &&
         types[1].size() == 16 && (s.operation == "add" || s.operation == "sub" || s.operation == "fma");
}

bool compute(Expansion& e, const Statement& s) {
  const Arithmetic* row = find_arithmetic(s);
  llvm::Type* type = value_type(e.context(), s.type());
  if (!row || !type)
    return false;
  const bool of_three = row->emit == float_extreme && s.operands.size() == 4 && s.bits() == 32;
  const unsigned count = of_three ? 3 : row->sources;
  if (s.operands.size() != count + 1)
    return e.refuse("it has " + std::to_string(s.operands.size()) + " operands, not " +
                    std::to_string(count + 1));
  const bool mixed = is_mixed(s);
  llvm::SmallVector<llvm::Value*, 4> sources;
  for (unsigned i = 0; i < count; ++i) {
    const std::string& operand = s.operands[i + 1];
    const bool word = i + row->last_words >= count;
    const bool addend = i == 2 && s.has("wide"), single = mixed && i + 1 == count;
    if (!word && !addend && !mixed && !kinds_agree(e, s, operand))
      return false;
    llvm::Type* wanted = word     ? e.b.getInt32Ty()
                         : addend ? e.b.getIntNTy(2 * s.bits())
                         : single ? e.b.getFloatTy()
                                  : type;
    sources.push_back(e.registers.read(operand, wanted));
    if (!sources.back())
      return false;
    if (mixed && !single)
      sources.back() = part(e.b.CreateFPExt(sources.back(), e.b.getFloatTy()));
  }
  llvm::Value* made = row->emit(e.b, s, sources);
  return made && e.registers.write(s.operands[0], made, s.kind() == 's');
}

constexpr const char* any_integer = "u, s and b of 16 to 64 bits";
constexpr const char* words_and_pairs = "32 and 64 bits";

constexpr Operation arithmetic_row_list[] = {
    {"abs", compute, "s16 to s64; f16, bf16, f32, f64, f16x2, bf16x2"},
    {"add", compute,
     "u and s of 16 to 64 bits, u16x2, s16x2; .sat.s32; f16, bf16, f32, f64, f16x2, bf16x2, f32x2 with .sat; "
     "f32 and f16 or bf16"},
    {"and", compute, "b16 to b64, pred"},
    {"bfe", compute, words_and_pairs},
    {"bfi", compute, words_and_pairs},
    {"bfind", compute, "32 and 64 bits, .shiftamt"},
    {"bmsk", compute, ".clamp.b32, .wrap.b32"},
    {"brev", compute, words_and_pairs},
    {"clz", compute, words_and_pairs},
    {"cnot", compute, "b16 to b64"},
    {"copysign", compute, "f32, f64"},
    {"cos", compute, ".approx.f32"},
    {"div", compute, "u and s of 16 to 64 bits; f32 with .approx, .full and rounded, f64"},
    {"dp2a", compute, ".lo, .hi of u32 and s32"},
    {"dp4a", compute, "of u32 and s32"},
    {"ex2", compute, ".approx of f32, f16, bf16, f16x2, bf16x2"},
    {"fma", compute,
     "f16, bf16, f32, f64, f16x2, bf16x2, f32x2 with .sat, .relu, .oob; f16 or bf16 factors with f32"},
    {"lg2", compute, ".approx.f32"},
    {"lop3", compute, ".b32 with a constant table"},
    {"mad", compute, ".lo, .hi, .wide of integers, .sat; f32, f64"},
    {"mad24", compute, ".lo, .hi, .sat"},
    {"max", compute,
     "u and s of 16 to 64 bits, u16x2, s16x2, .relu; floats with .NaN, .abs, .xorsign, of f32 of two and "
     "three sources"},
    {"min", compute,
     "u and s of 16 to 64 bits, u16x2, s16x2, .relu; floats with .NaN, .abs, .xorsign, of f32 of two and "
     "three sources"},
    {"mul", compute, ".lo, .hi, .wide of integers; f16, bf16, f32, f64, f16x2, bf16x2, f32x2 with .sat"},
    {"mul24", compute, ".lo, .hi"},
    {"neg", compute, "s16 to s64; f16, bf16, f32, f64, f16x2, bf16x2"},
    {"not", compute, "b16 to b64, pred"},
    {"or", compute, "b16 to b64, pred"},
    {"popc", compute, words_and_pairs},
    {"prmt", compute, ".b32; the modes f4e, b4e, rc8, ecl, ecr, rc16"},
    {"rcp", compute, "f32 and f64, .approx and rounded"},
    {"rem", compute, any_integer},
    {"rsqrt", compute, ".approx of f32 and f64"},
    {"sad", compute, any_integer},
    {"shf", compute, ".l, .r; .wrap, .clamp"},
    {"shl", compute, "b16 to b64"},
    {"shr", compute, any_integer},
    {"sin", compute, ".approx.f32"},
    {"sqrt", compute, "f32 with .approx and rounded, f64"},
    {"sub", compute, "as add"},
    {"szext", compute, ".wrap and .clamp of u32 and s32"},
    {"tanh", compute, ".approx of f16, bf16, f32, f16x2, bf16x2"},
    {"testp", compute, "f32, f64"},
    {"vabsdiff4", compute, "of u32 and s32 (without .sat), .add; all four bytes"},
    {"xor", compute, "b16 to b64, pred"},
};

} // namespace

llvm::Value* part(llvm::Value* value) {
  if (auto* made = llvm::dyn_cast<llvm::Instruction>(value))
    made->setMetadata(llvm::StringRef(ir::builtins::part), llvm::MDNode::get(made->getContext(), {}));
  return value;
}

const Arithmetic* find_arithmetic(const Statement& statement) {
  static const llvm::StringMap<std::vector<const Arithmetic*>> by_name = [] {
    llvm::StringMap<std::vector<const Arithmetic*>> made;
    for (const Arithmetic& row : arithmetic)
      made[row.name].push_back(&row);
    return made;
  }();
  const auto found = by_name.find(statement.operation);
  if (found == by_name.end())
    return nullptr;
  const auto row = std::find_if(found->second.begin(), found->second.end(),
                                [&](const Arithmetic* each) { return each->applies(statement); });
  return row == found->second.end() ? nullptr : *row;
}

std::span<const Operation> arithmetic_rows() {
  return arithmetic_row_list;
}

} // namespace forewarp::frontend::ptx
