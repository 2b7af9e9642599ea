// Registers, masks and operands of the instruction at hand.
#include "lift/amd/lifter.h"

#include <llvm/ADT/APFloat.h>
#include <llvm/IR/Constants.h>

#include <bit>
#include <fmt/format.h>

namespace forewarp::lift::amd {
namespace {

bool is_literal(const Operand& operand) {
  return operand.word.find("0x") != std::string::npos;
}

/// BYTE_0 .. BYTE_3, WORD_0, WORD_1: first bit and width; DWORD or nothing: the whole.
struct Part {
  unsigned first = 0, bits = 32;
};
Part part_named(std::string_view text) {
  if (text.starts_with("BYTE_") && text.size() == 6)
    return {8 * static_cast<unsigned>(text[5] - '0'), 8};
  if (text.starts_with("WORD_") && text.size() == 6)
    return {16 * static_cast<unsigned>(text[5] - '0'), 16};
  return {};
}

/// The n-th entry of "[0,1,1]".
bool flag_of(std::string_view list, std::size_t n) {
  const std::size_t at = 1 + 2 * n;
  return at < list.size() && list[at] == '1';
}

} // namespace

const Operand& Lifter::operand(std::size_t n) {
  static const Operand none;
  if (n < at_->operands.size())
    return at_->operands[n];
  refuse(fmt::format("operand {} is not there", n));
  return none;
}

std::size_t Lifter::first_source() const {
  return at_->mnemonic.find("_co_") != std::string::npos ? 2 : 1;
}

Value* Lifter::scalar(unsigned number) {
  const unsigned exec_high = amdgcn::exec_register + 1;
  if (number == amdgcn::exec_register)
    return low(ballot(exec()));
  if (number == exec_high)
    return high(ballot(exec()));
  return b.CreateLoad(b.getInt32Ty(), home(scalars_, number, b.getInt32Ty(), "s"));
}

Value* Lifter::mask_at(unsigned number) {
  return b.CreateLoad(b.getInt1Ty(), home(masks_, mask_of(number), b.getInt1Ty(), "mask"));
}

/// The mask that the number in a register (and its neighbour) stands for.
void Lifter::renew_mask(unsigned number) {
  const unsigned first = mask_of(number);
  if (!mask_registers_.contains(first))
    return;
  Value* whole =
      wave == 64 ? pair(scalar(first), scalar(first + 1)) : b.CreateZExt(scalar(first), b.getInt64Ty());
  b.CreateStore(bit_of(whole), home(masks_, first, b.getInt1Ty(), "mask"));
}

void Lifter::set_scalar(unsigned number, Value* value) {
  if (number >= amdgcn::exec_register) {
    // A half of EXEC: with the other half as it is.
    Value* other = scalar(number ^ 1U);
    const bool is_low = number == amdgcn::exec_register;
    return set_exec(bit_of(wave == 32 ? b.CreateZExt(value, b.getInt64Ty())
                           : is_low   ? pair(value, other)
                                      : pair(other, value)));
  }
  b.CreateStore(value, home(scalars_, number, b.getInt32Ty(), "s"));
  renew_mask(number);
}

Value* Lifter::vector(OperandKind file, unsigned number) {
  auto& homes = file == OperandKind::vector ? vectors_ : accumulators_;
  return b.CreateLoad(b.getInt32Ty(),
                      home(homes, number, b.getInt32Ty(), file == OperandKind::vector ? "v" : "a"));
}

void Lifter::set_vector_whole(OperandKind file, unsigned number, Value* value) {
  if (delayed_ != nullptr) {
    delayed_->push_back({file, number, value});
    return;
  }
  auto& homes = file == OperandKind::vector ? vectors_ : accumulators_;
  b.CreateStore(value, home(homes, number, b.getInt32Ty(), file == OperandKind::vector ? "v" : "a"));
}

void Lifter::set_vector(OperandKind file, unsigned number, Value* value) {
  Value* lanes = whole_ ? b.getTrue() : exec();
  if (written_lanes_ != nullptr)
    lanes = b.CreateAnd(lanes, written_lanes_);
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(lanes); known == nullptr || !known->isOne())
    value = b.CreateSelect(lanes, value, vector(file, number));
  set_vector_whole(file, number, value);
}

Value* Lifter::exec() {
  return mask_at(amdgcn::exec_register);
}

void Lifter::set_exec(Value* bit) {
  b.CreateStore(bit, home(masks_, amdgcn::exec_register, b.getInt1Ty(), "mask"));
}

Value* Lifter::scc() {
  return b.CreateLoad(b.getInt1Ty(), scc_);
}

void Lifter::set_scc(Value* bit) {
  b.CreateStore(bit, scc_);
}

/// What SDWA and DPP make of a source.
Value* Lifter::selected_part(std::size_t n, Value* bits) {
  const std::size_t source = n - first_source();
  if (at_->encoding == Encoding::dpp && source == 0) {
    if (other_lane_ == nullptr)
      return bits;
    return b.CreateSelect(other_valid_, from_lane(bits, other_lane_), word(0));
  }
  if (at_->encoding != Encoding::sdwa || source > 1)
    return bits;
  const Part part = part_named(at_->modifier(source == 0 ? "src0_sel" : "src1_sel"));
  if (part.bits == 32)
    return bits;
  Value* cut = b.CreateTrunc(b.CreateLShr(bits, part.first), b.getIntNTy(part.bits));
  return at_->operands[n].sign_extend ? b.CreateSExt(cut, b.getInt32Ty()) : b.CreateZExt(cut, b.getInt32Ty());
}

Value* Lifter::u32(std::size_t n, unsigned word_of_it) {
  const Operand& from = operand(n);
  Value* bits = nullptr;
  switch (from.kind) {
  case OperandKind::vector:
  case OperandKind::accumulator:
    bits = vector(from.kind, from.number + word_of_it);
    break;
  case OperandKind::scalar:
    bits = scalar(from.number + word_of_it);
    break;
  case OperandKind::number:
    return word(static_cast<std::uint64_t>(word_of_it == 0 ? from.value : from.value >> 32));
  case OperandKind::floating:
    return word(std::bit_cast<std::uint32_t>(static_cast<float>(from.floating)));
  case OperandKind::off:
    return word(0);
  case OperandKind::special:
    if (from.word == "src_scc")
      return b.CreateZExt(scc(), b.getInt32Ty());
    if (from.word == "src_execz")
      return b.CreateZExt(b.CreateNot(any(exec())), b.getInt32Ty());
    if (from.word == "src_vccz")
      return b.CreateZExt(b.CreateNot(any(mask_at(amdgcn::vcc_register))), b.getInt32Ty());
    refuse(fmt::format("the operand {}", from.word));
    return word(0);
  }
  if (at_->encoding != Encoding::plain && n >= first_source())
    return selected_part(n, bits);
  return bits;
}

Value* Lifter::u64(std::size_t n) {
  const Operand& from = operand(n);
  if (from.kind == OperandKind::number)
    return b.getInt64(static_cast<std::uint64_t>(from.value));
  if (from.kind == OperandKind::floating)
    return b.getInt64(std::bit_cast<std::uint64_t>(from.floating));
  if (from.kind == OperandKind::off)
    return b.getInt64(0);
  if (from.kind == OperandKind::special)
    return b.CreateZExt(u32(n), b.getInt64Ty());
  return pair(u32(n), from.width > 1 ? u32(n, 1) : word(0));
}

Value* Lifter::with_sign(const Operand& from, Value* value) {
  if (from.absolute)
    value = b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value);
  return from.negate ? b.CreateFNeg(value) : value;
}

Value* Lifter::f32(std::size_t n) {
  return with_sign(operand(n), as_float(u32(n)));
}

Value* Lifter::f64(std::size_t n) {
  const Operand& from = operand(n);
  Value* bits = from.kind == OperandKind::number && is_literal(from)
                    ? b.getInt64(static_cast<std::uint64_t>(from.value) << 32)
                    : u64(n);
  return with_sign(from, b.CreateBitCast(bits, b.getDoubleTy()));
}

Value* Lifter::u16(std::size_t n) {
  const Operand& from = operand(n);
  if (from.kind == OperandKind::floating) {
    bool lost = false;
    llvm::APFloat half(from.floating);
    half.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven, &lost);
    return llvm::ConstantInt::get(b.getContext(), half.bitcastToAPInt());
  }
  Value* bits = u32(n);
  if (n >= first_source() && at_->encoding == Encoding::plain &&
      (from.half == amdgcn::Half::upper || flag_of(at_->modifier("op_sel"), n - first_source())))
    bits = b.CreateLShr(bits, 16);
  return b.CreateTrunc(bits, b.getInt16Ty());
}

Value* Lifter::f16(std::size_t n) {
  return with_sign(operand(n), b.CreateBitCast(u16(n), b.getHalfTy()));
}

Value* Lifter::mask(std::size_t n) {
  const Operand& from = operand(n);
  if (is_mask(from))
    return mask_at(from.number);
  if (from.kind == OperandKind::number)
    return bit_of(b.getInt64(static_cast<std::uint64_t>(from.value)));
  return bit_of(wave == 64 ? u64(n) : b.CreateZExt(u32(n), b.getInt64Ty()));
}

void Lifter::set(std::size_t n, Value* value, unsigned word_of_it) {
  const Operand& to = operand(n);
  switch (to.kind) {
  case OperandKind::vector:
  case OperandKind::accumulator:
    break;
  case OperandKind::scalar:
    return set_scalar(to.number + word_of_it, value);
  case OperandKind::off:
    return;
  default:
    return refuse("its result");
  }
  if (at_->encoding == Encoding::sdwa) {
    const Part part = part_named(at_->modifier("dst_sel"));
    if (part.bits < 32) {
      const std::uint32_t ones = (1U << part.bits) - 1;
      Value* cut = b.CreateAnd(value, word(ones));
      const std::string_view rest = at_->modifier("dst_unused");
      if (rest == "UNUSED_SEXT")
        value =
            b.CreateShl(b.CreateSExt(b.CreateTrunc(cut, b.getIntNTy(part.bits)), b.getInt32Ty()), part.first);
      else
        value = b.CreateShl(cut, part.first);
      if (rest == "UNUSED_PRESERVE")
        value = b.CreateOr(value, b.CreateAnd(vector(to.kind, to.number), word(~(ones << part.first))));
    }
  }
  set_vector(to.kind, to.number + word_of_it, value);
}

void Lifter::set64(std::size_t n, Value* value) {
  if (operand(n).kind == OperandKind::scalar && operand(n).number == amdgcn::exec_register)
    return set_exec(bit_of(value));
  set(n, low(value));
  set(n, high(value), 1);
}

/// The other half of the register stays on gfx9 and later only where the encoding says so.
void Lifter::set16(std::size_t n, Value* value) {
  Value* bits = b.CreateZExt(value, b.getInt32Ty());
  const Operand& to = operand(n);
  if (at_->encoding != Encoding::plain || to.kind != OperandKind::vector)
    return set(n, bits);
  const std::string_view halves = at_->modifier("op_sel");
  Value* old = vector(to.kind, to.number);
  // The last entry is the result's.
  const bool upper =
      to.half == amdgcn::Half::upper || (halves.size() >= 3 && halves[halves.size() - 2] == '1');
  if (upper)
    return set(n, b.CreateOr(b.CreateAnd(old, word(0xFFFF)), b.CreateShl(bits, 16)));
  if (!halves.empty() || !machine_code.target.starts_with("gfx9"))
    return set(n, b.CreateOr(b.CreateAnd(old, word(0xFFFF0000)), bits));
  set(n, bits);
}

namespace {

Value* clamped(Lifter& l, Value* value) {
  llvm::Type* type = value->getType();
  Value* above = l.b.CreateBinaryIntrinsic(llvm::Intrinsic::maxnum, value, llvm::ConstantFP::get(type, 0));
  return l.b.CreateBinaryIntrinsic(llvm::Intrinsic::minnum, above, llvm::ConstantFP::get(type, 1));
}

/// Multiplied by 2 or 4 or halved, then clamped to 0 .. 1.
Value* modified(Lifter& l, Value* value) {
  const auto times = [&](double factor) {
    value = l.b.CreateFMul(value, llvm::ConstantFP::get(value->getType(), factor));
  };
  if (const std::string_view factor = l.at().modifier("mul"); !factor.empty())
    times(factor == "4" ? 4 : 2);
  if (l.at().has("div"))
    times(0.5);
  return l.at().has("clamp") ? clamped(l, value) : value;
}

} // namespace

void Lifter::set_f32(std::size_t n, Value* value) {
  value = modified(*this, value);
  if (!kernel.setup.keeps_fp32_denormals)
    value = call("forewarp.machine.flush", b.getFloatTy(), {value});
  set(n, as_word(value));
}

void Lifter::set_f64(std::size_t n, Value* value) {
  set64(n, b.CreateBitCast(modified(*this, value), b.getInt64Ty()));
}

void Lifter::set_f16(std::size_t n, Value* value) {
  set16(n, b.CreateBitCast(modified(*this, value), b.getInt16Ty()));
}

void Lifter::set_mask(std::size_t n, Value* bit) {
  set_whole_mask(n, b.CreateAnd(bit, exec()), nullptr);
}

void Lifter::set_whole_mask(std::size_t n, Value* bit, Value* number) {
  const Operand& to = operand(n);
  if (to.kind == OperandKind::off)
    return;
  if (to.kind != OperandKind::scalar)
    return refuse("its result is no scalar register");
  if (to.number == amdgcn::exec_register)
    return set_exec(bit);
  if (number == nullptr)
    number = ballot(bit);
  b.CreateStore(low(number), home(scalars_, to.number, b.getInt32Ty(), "s"));
  if (wave == 64)
    b.CreateStore(high(number), home(scalars_, to.number + 1U, b.getInt32Ty(), "s"));
  b.CreateStore(bit, home(masks_, mask_of(to.number), b.getInt1Ty(), "mask"));
}

} // namespace forewarp::lift::amd
