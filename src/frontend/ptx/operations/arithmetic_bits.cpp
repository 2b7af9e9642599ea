// Shifts, logic and fields of bits.
#include "frontend/ptx/operations/arithmetic.h"

#include "frontend/lowering/builtin_call.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace forewarp::frontend::ptx {
namespace {

namespace intrinsics = llvm::Intrinsic;
using Builder = llvm::IRBuilder<>;

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

/// Amounts beyond the width give what the last step gives; LLVM's shifts do not.
llvm::Value* shifted(Builder& b, bool left, bool arithmetic, llvm::Value* value, llvm::Value* amount) {
  const unsigned bits = value->getType()->getIntegerBitWidth();
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(amount)) {
    const std::uint64_t steps = std::min<std::uint64_t>(constant->getZExtValue(), bits);
    if (arithmetic)
      return b.CreateAShr(value, std::min<std::uint64_t>(steps, bits - 1));
    if (steps == bits)
      return llvm::ConstantInt::get(value->getType(), 0);
    return left ? b.CreateShl(value, steps) : b.CreateLShr(value, steps);
  }
  llvm::Value* most = b.getInt32(bits - 1);
  llvm::Value* within = b.CreateICmpULE(amount, most);
  llvm::Value* bounded = b.CreateZExtOrTrunc(b.CreateSelect(within, amount, most), value->getType());
  if (arithmetic)
    return b.CreateAShr(value, bounded);
  llvm::Value* made = left ? b.CreateShl(value, bounded) : b.CreateLShr(value, bounded);
  return b.CreateSelect(within, made, llvm::ConstantInt::get(made->getType(), 0));
}

/// `count` ones from bit `first` on, of `bits`; both are at most 255.
llvm::Value* ones(Builder& b, unsigned bits, llvm::Value* first, llvm::Value* count) {
  llvm::Type *wide = b.getIntNTy(2 * bits), *narrow = b.getIntNTy(bits);
  const auto bounded = [&](llvm::Value* value) {
    llvm::Value* byte = b.CreateAnd(value, b.getInt32(255));
    return b.CreateZExt(b.CreateBinaryIntrinsic(intrinsics::umin, byte, b.getInt32(bits)), wide);
  };
  llvm::Value* one = llvm::ConstantInt::get(wide, 1);
  llvm::Value* mask = b.CreateSub(b.CreateShl(one, bounded(count)), one);
  return b.CreateTrunc(b.CreateShl(mask, bounded(first)), narrow);
}

/// Selector of prmt's modes for the last two bits of its third source.
std::uint32_t selector_of(std::string_view mode, std::uint32_t control) {
  static constexpr std::array<std::uint32_t, 4> forward = {0x3210, 0x4321, 0x5432, 0x6543},
                                                backward = {0x5670, 0x6701, 0x7012, 0x0123},
                                                byte = {0x0000, 0x1111, 0x2222, 0x3333},
                                                left = {0x3210, 0x3211, 0x3222, 0x3333},
                                                right = {0x0000, 0x1110, 0x2210, 0x3210},
                                                half = {0x1010, 0x3232, 0x1010, 0x3232};
  const auto& table = mode == "f4e"   ? forward
                      : mode == "b4e" ? backward
                      : mode == "rc8" ? byte
                      : mode == "ecl" ? left
                      : mode == "ecr" ? right
                                      : half;
  return table[control & 3];
}

} // namespace

llvm::Value* shift(Builder& b, const Statement& s, Sources v) {
  const bool left = s.operation == "shl";
  return shifted(b, left, !left && s.kind() == 's', v[0], v[1]);
}

/// Sources: low word, high word, amount.
llvm::Value* funnel_shift(Builder& b, const Statement& s, Sources v) {
  llvm::Value* amount = v[2];
  const bool left = s.has("l");
  if (!s.has("wrap")) {
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(amount)) {
      if (constant->getZExtValue() >= 32)
        return left ? v[0] : v[1];
    } else {
      llvm::Value* made = b.CreateIntrinsic(left ? intrinsics::fshl : intrinsics::fshr, {v[0]->getType()},
                                            {v[1], v[0], amount});
      llvm::Value* all = part(b.CreateICmpUGE(amount, b.getInt32(32)));
      return part(b.CreateSelect(all, left ? v[0] : v[1], made));
    }
  }
  return b.CreateIntrinsic(left ? intrinsics::fshl : intrinsics::fshr, {v[0]->getType()},
                           {v[1], v[0], amount});
}

llvm::Value* permuted_bytes(Builder& b, const Statement& s, Sources v) {
  llvm::Value* selector = v[2];
  if (s.modifiers.size() == 2) {
    const std::string& mode = s.modifiers.back() == "b32" ? s.modifiers.front() : s.modifiers.back();
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(selector)) {
      selector = b.getInt32(selector_of(mode, static_cast<std::uint32_t>(constant->getZExtValue())));
    } else {
      std::uint64_t all = 0;
      for (std::uint32_t control = 0; control < 4; ++control)
        all |= std::uint64_t{selector_of(mode, control)} << (16 * control);
      llvm::Value* first = part(b.CreateShl(part(b.CreateAnd(selector, b.getInt32(3))), 4));
      llvm::Value* moved = part(b.CreateLShr(b.getInt64(all), part(b.CreateZExt(first, b.getInt64Ty()))));
      selector = part(b.CreateTrunc(moved, b.getInt32Ty()));
    }
  }
  return b.CreateIntrinsic(intrinsics::nvvm_prmt, {}, {v[0], v[1], selector});
}

/// Entry 4 a + 2 b + c of the table. The machine step joins logic of three values again.
llvm::Value* logic_of_three(Builder& b, const Statement&, Sources v) {
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

/// Unsigned: bits behind the end are 0. Signed: the field's highest bit is repeated above it; the last bit of
/// the value stands for what lies behind the end.
llvm::Value* field(Builder& b, const Statement& s, Sources v) {
  const unsigned bits = s.bits();
  llvm::Value* first = b.CreateAnd(v[1], b.getInt32(255));
  llvm::Value* count = b.CreateAnd(v[2], b.getInt32(255));
  if (s.kind() != 's')
    return b.CreateAnd(shifted(b, false, false, v[0], first), ones(b, bits, b.getInt32(0), count));
  llvm::Value* moved = shifted(b, false, true, v[0], first);
  llvm::Value* most = b.getInt32(bits);
  llvm::Value* unused =
      b.CreateSub(most, b.CreateBinaryIntrinsic(intrinsics::umin, count, most)); // above the field
  llvm::Value* up = shifted(b, true, false, moved, unused);
  return shifted(b, false, true, up, unused);
}

llvm::Value* inserted_field(Builder& b, const Statement& s, Sources v) {
  llvm::Value* mask = ones(b, s.bits(), v[2], v[3]);
  llvm::Value* moved = shifted(b, true, false, v[0], b.CreateAnd(v[2], b.getInt32(255)));
  return b.CreateOr(b.CreateAnd(v[1], b.CreateNot(mask)), b.CreateAnd(moved, mask));
}

llvm::Value* mask_of_bits(Builder& b, const Statement& s, Sources v) {
  if (s.has("clamp"))
    return ones(b, 32, v[0], v[1]);
  const auto wrapped = [&](llvm::Value* value) { return b.CreateAnd(value, b.getInt32(31)); };
  return s.has("wrap") ? ones(b, 32, wrapped(v[0]), wrapped(v[1])) : nullptr;
}

/// The lowest bits, as many as the second source says: up to 32, or its remainder by 32. None: nothing.
llvm::Value* extended_field(Builder& b, const Statement& s, Sources v) {
  llvm::Value* most = b.getInt32(32);
  llvm::Value* count = s.has("wrap") ? part(b.CreateAnd(v[1], b.getInt32(31)))
                                     : part(b.CreateBinaryIntrinsic(intrinsics::umin, v[1], most));
  llvm::Value* unused = part(b.CreateSub(most, count));
  llvm::Value* up = part(b.CreateShl(v[0], part(b.CreateAnd(unused, b.getInt32(31)))));
  llvm::Value* amount = part(b.CreateAnd(unused, b.getInt32(31)));
  llvm::Value* made = s.kind() == 's' ? b.CreateAShr(up, amount) : b.CreateLShr(up, amount);
  llvm::Value* none = part(b.CreateICmpEQ(count, b.getInt32(0)));
  return part(b.CreateSelect(none, b.getInt32(0), made));
}

/// dp4a: of four bytes each; dp2a: of two halves and the lower or upper two bytes. Added to the third source.
llvm::Value* dot_of_bytes(Builder& b, const Statement& s, Sources v) {
  const std::vector<TypeWord> types = s.types();
  const bool four = s.operation == "dp4a";
  if (four && types[0].kind == types[1].kind)
    return lowering::call_marker(b, types[0].kind == 's' ? "dot4.s" : "dot4.u", b.getInt32Ty(), v,
                                 lowering::MarkerEffect::pure);
  if (!four && !s.has("lo") && !s.has("hi"))
    return nullptr;
  const auto element = [&](std::size_t source, unsigned first, unsigned bits) {
    llvm::Value* up = part(b.CreateShl(v[source], 32 - bits - first));
    return part(types[source].kind == 's' ? b.CreateAShr(up, 32 - bits) : b.CreateLShr(up, 32 - bits));
  };
  llvm::Value* sum = v[2];
  const unsigned count = four ? 4 : 2, wide = 32 / count, first = s.has("hi") ? 16 : 0;
  for (unsigned k = 0; k < count; ++k) {
    llvm::Value* product = part(b.CreateMul(element(0, wide * k, wide), element(1, first + 8 * k, 8)));
    sum = b.CreateAdd(k > 0 ? part(sum) : sum, product);
  }
  return sum;
}

llvm::Value* counted(Builder& b, const Statement& s, Sources v) {
  llvm::Value* made = s.operation == "popc" ? b.CreateUnaryIntrinsic(intrinsics::ctpop, v[0])
                                            : b.CreateBinaryIntrinsic(intrinsics::ctlz, v[0], b.getFalse());
  return b.CreateZExtOrTrunc(made, b.getInt32Ty());
}

/// Position of the highest bit that differs from the sign; all ones where there is none.
llvm::Value* highest_bit(Builder& b, const Statement& s, Sources v) {
  llvm::Value* value = v[0];
  const unsigned bits = s.bits();
  if (s.kind() == 's')
    value = b.CreateXor(value, b.CreateAShr(value, bits - 1));
  llvm::Value* zeros =
      b.CreateZExtOrTrunc(b.CreateBinaryIntrinsic(intrinsics::ctlz, value, b.getFalse()), b.getInt32Ty());
  if (!s.has("shiftamt"))
    return b.CreateSub(b.getInt32(bits - 1), zeros);
  llvm::Value* none = b.CreateICmpEQ(zeros, b.getInt32(bits));
  return b.CreateSelect(none, b.getInt32(~0U), zeros);
}

} // namespace forewarp::frontend::ptx
