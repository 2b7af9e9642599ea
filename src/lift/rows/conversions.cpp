// Between integers and floats of all widths.
#include "lift/rows/rows.h"

#include <llvm/IR/Intrinsics.h>

namespace forewarp::lift {
namespace {

using M = Modifier;

bool is_float(M modifier) {
  return modifier == M::f16 || modifier == M::f32 || modifier == M::f64 || modifier == M::bf16;
}

unsigned bits_of(M modifier) {
  switch (modifier) {
  case M::u8:
  case M::s8:
    return 8;
  case M::u16:
  case M::s16:
  case M::f16:
  case M::bf16:
    return 16;
  case M::u64:
  case M::s64:
  case M::f64:
    return 64;
  default:
    return 32;
  }
}

struct IntegerType {
  unsigned bits = 32;
  bool is_signed = true;
};

/// S32 where no modifier says otherwise.
IntegerType integer_of(const Instruction& instruction) {
  static constexpr M types[] = {M::u8, M::s8, M::u16, M::s16, M::u32, M::s32, M::u64, M::s64};
  for (const M modifier : instruction.modifiers)
    if (std::find(std::begin(types), std::end(types), modifier) != std::end(types))
      return {bits_of(modifier),
              modifier == M::s8 || modifier == M::s16 || modifier == M::s32 || modifier == M::s64};
  return {};
}

/// The n-th float type of the modifiers; F32 where there is none.
M float_of(const Instruction& instruction, unsigned n) {
  for (const M modifier : instruction.modifiers)
    if (is_float(modifier) && n-- == 0)
      return modifier;
  return M::f32;
}

unsigned byte_of(const Operand& operand) {
  static constexpr M bytes[] = {M::b0, M::b1, M::b2, M::b3};
  for (unsigned k = 0; k < 4; ++k)
    if (std::find(operand.suffixes.begin(), operand.suffixes.end(), bytes[k]) != operand.suffixes.end())
      return k;
  return std::find(operand.suffixes.begin(), operand.suffixes.end(), M::h1_h1) != operand.suffixes.end() ? 2
                                                                                                         : 0;
}

Value* integer_source(Lifter& l, IntegerType type) {
  auto& b = l.b;
  if (type.bits == 64)
    return l.u64(l.source(0));
  Value* value = l.u32(l.source(0));
  if (type.bits < 32)
    value = b.CreateTrunc(b.CreateLShr(value, 8 * byte_of(*l.source(0))), b.getIntNTy(type.bits));
  return value;
}

Value* as_float(Lifter& l, Value* value, IntegerType from, llvm::Type* to) {
  return from.is_signed ? l.b.CreateSIToFP(value, to) : l.b.CreateUIToFP(value, to);
}

/// Of 64 bits by its halves; rounding in one direction twice is rounding once.
Value* rounded_double(Lifter& l, Value* value, bool is_signed, const std::string& direction) {
  auto& b = l.b;
  llvm::Type* type = b.getDoubleTy();
  Value* high = is_signed ? b.CreateSIToFP(b.CreateAShr(value, 32), type)
                          : b.CreateUIToFP(b.CreateLShr(value, 32), type);
  Value* low = b.CreateUIToFP(b.CreateTrunc(value, b.getInt32Ty()), type);
  return l.call("forewarp.machine.fma_" + direction + ".f64", type,
                {high, llvm::ConstantFP::get(type, 0x1p32), low});
}

void set_half(Lifter& l, Value* value) {
  auto& b = l.b;
  l.set(l.result(0), b.CreateZExt(b.CreateBitCast(value, b.getInt16Ty()), b.getInt32Ty()));
}

void integer_to_float(Lifter& l) {
  auto& b = l.b;
  const IntegerType from = integer_of(l.at());
  Value* value = integer_source(l, from);
  switch (float_of(l.at(), 0)) {
  case M::f64:
    return l.set_double(l.result(0), as_float(l, value, from, b.getDoubleTy()));
  case M::f16:
    return set_half(l, as_float(l, value, from, b.getHalfTy()));
  case M::f32:
    break;
  default:
    return l.refuse("this type");
  }
  const char* direction = l.has(M::rp) ? "up" : l.has(M::rm) ? "down" : l.has(M::rz) ? "zero" : nullptr;
  if (direction == nullptr)
    return l.set_float(l.result(0), as_float(l, value, from, b.getFloatTy()));
  Value* wide = from.bits == 64 ? rounded_double(l, value, from.is_signed, direction)
                                : as_float(l, value, from, b.getDoubleTy());
  l.set_float(l.result(0),
              l.call(std::string("forewarp.machine.narrow_") + direction, b.getFloatTy(), {wide}));
}

Value* float_source(Lifter& l, M type) {
  auto& b = l.b;
  switch (type) {
  case M::f64:
    return l.f64(l.source(0));
  case M::f16:
    return b.CreateFPExt(b.CreateExtractElement(l.half2(l.source(0)), std::uint64_t{0}), b.getFloatTy());
  default:
    return l.f32(l.source(0));
  }
}

/// Whole numbers, rounded as the modifiers say; nearest even where they say nothing.
Value* rounded(Lifter& l, Value* value) {
  const llvm::Intrinsic::ID how = l.has(M::trunc)   ? llvm::Intrinsic::trunc
                                  : l.has(M::floor) ? llvm::Intrinsic::floor
                                  : l.has(M::ceil)  ? llvm::Intrinsic::ceil
                                                    : llvm::Intrinsic::rint;
  return l.b.CreateUnaryIntrinsic(how, value);
}

/// Saturates; no number gives 0.
void float_to_integer(Lifter& l) {
  auto& b = l.b;
  const IntegerType to = integer_of(l.at());
  Value* value = rounded(l, float_source(l, float_of(l.at(), 0)));
  llvm::Type* type = b.getIntNTy(std::max(to.bits, 32U));
  Value* whole = b.CreateIntrinsic(to.is_signed ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat,
                                   {type, value->getType()}, {value});
  if (to.bits == 64)
    return l.set64(l.result(0), whole);
  if (to.bits < 32) {
    const std::uint64_t most = (std::uint64_t{1} << (to.bits - (to.is_signed ? 1 : 0))) - 1;
    if (to.is_signed) {
      whole = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, whole, l.word(most));
      whole = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, whole, l.word(~most));
    } else {
      whole = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, whole, l.word(most));
    }
  }
  l.set(l.result(0), whole);
}

void float_to_float(Lifter& l) {
  auto& b = l.b;
  const M to = float_of(l.at(), 0), from = float_of(l.at(), 1);
  Value* value = float_source(l, from);
  switch (to) {
  case M::f64:
    return l.set_double(l.result(0), b.CreateFPExt(value, b.getDoubleTy()));
  case M::f16:
    return set_half(l, b.CreateFPTrunc(value, b.getHalfTy()));
  case M::f32:
    return l.set_float(l.result(0),
                       value->getType()->isDoubleTy() ? b.CreateFPTrunc(value, b.getFloatTy()) : value);
  default:
    l.refuse("this type");
  }
}

/// Two floats into one register: the first source is the upper half.
void pack_floats(Lifter& l) {
  auto& b = l.b;
  if (!l.has(M::pack_ab) || l.has(M::merge_c) || l.has(M::relu))
    return l.refuse("this form");
  llvm::Type* narrow = l.has(M::bf16) ? b.getBFloatTy() : b.getHalfTy();
  const auto bits = [&](const Operand* operand) {
    Value* value = b.CreateBitCast(b.CreateFPTrunc(l.f32(operand), narrow), b.getInt16Ty());
    return b.CreateZExt(value, b.getInt32Ty());
  };
  l.set(l.result(0), b.CreateOr(b.CreateShl(bits(l.source(0)), 16), bits(l.source(1))));
}

void round_float(Lifter& l) {
  if (float_of(l.at(), 0) == M::f64)
    return l.set_double(l.result(0), rounded(l, l.f64(l.source(0))));
  l.set_float(l.result(0), rounded(l, l.f32(l.source(0))));
}

constexpr OpcodeRow conversion_row_list[] = {
    {Opcode::i2f, integer_to_float},  {Opcode::i2fp, integer_to_float}, {Opcode::ui2fp, integer_to_float},
    {Opcode::ui2f, integer_to_float}, {Opcode::f2i, float_to_integer},  {Opcode::uf2i, float_to_integer},
    {Opcode::f2f, float_to_float},    {Opcode::uf2f, float_to_float},   {Opcode::f2fp, pack_floats},
    {Opcode::frnd, round_float},
};

} // namespace

std::span<const OpcodeRow> conversion_rows() {
  return conversion_row_list;
}

} // namespace forewarp::lift
