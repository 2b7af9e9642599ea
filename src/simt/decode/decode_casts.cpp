// Conversions. Float to integer clamps as PTX and AMD instructions do.
#include "simt/decode/decoder.h"

#include <fmt/format.h>

namespace forewarp::simt {

void Decoder::integer_resize(bool is_signed, unsigned from, unsigned to, std::int32_t d, std::int32_t a) {
  if (from == 1) {
    const bool word = to <= 32;
    const LaneOp op =
        is_signed ? (word ? LaneOp::sextb32 : LaneOp::sextb64) : (word ? LaneOp::zextb32 : LaneOp::zextb64);
    return is_signed && to != 32 && to != 64 ? masked(d, emit(op, a), to) : put(op, d, a);
  }
  if (to == 1)
    return put(from <= 32 ? LaneOp::truncb32 : LaneOp::truncb64, d, a);
  if (to < from) {
    if (from <= 32 || to > 32)
      return masked(d, a, to);
    if (to == 32)
      return put(LaneOp::trunc64to32, d, a);
    return masked(d, emit(LaneOp::trunc64to32, a), to);
  }
  if (is_signed)
    a = sign_extended(a, from);
  if (to > 32 && from <= 32) {
    const LaneOp op = is_signed ? LaneOp::sext32to64 : LaneOp::zext32to64;
    if (to == 64 || !is_signed)
      return put(op, d, a);
    return masked(d, emit(op, a), to);
  }
  masked(d, a, to);
}

void Decoder::float_to_integer(bool is_signed, llvm::Type* from, unsigned width, std::int32_t d,
                               std::int32_t a) {
  const bool is_double = from->getScalarType()->isDoubleTy(), word = width <= 32;
  a = to_float(from, a);
  LaneOp op =
      is_double
          ? (is_signed ? (word ? LaneOp::dtos32 : LaneOp::dtos64) : (word ? LaneOp::dtou32 : LaneOp::dtou64))
          : (is_signed ? (word ? LaneOp::ftos32 : LaneOp::ftos64) : (word ? LaneOp::ftou32 : LaneOp::ftou64));
  if (width == 32 || width == 64)
    return put(op, d, a);
  if (width == 1)
    return put(LaneOp::truncb32, d, emit(op, a));
  masked(d, emit(op, a), width);
}

void Decoder::integer_to_float(bool is_signed, unsigned width, llvm::Type* to, std::int32_t d,
                               std::int32_t a) {
  to = to->getScalarType();
  if (width == 1) {
    a = emit(is_signed ? LaneOp::sextb32 : LaneOp::zextb32, a);
    width = 32;
  }
  if (is_signed)
    a = sign_extended(a, width);
  const bool word = width <= 32;
  const LaneOp to_double =
      is_signed ? (word ? LaneOp::s32tod : LaneOp::s64tod) : (word ? LaneOp::u32tod : LaneOp::u64tod);
  if (to->isDoubleTy())
    return put(to_double, d, a);
  if (to->isHalfTy())
    return put(LaneOp::dtoh, d, emit(to_double, a));
  const LaneOp op =
      is_signed ? (word ? LaneOp::s32tof : LaneOp::s64tof) : (word ? LaneOp::u32tof : LaneOp::u64tof);
  if (to->isFloatTy())
    return put(op, d, a);
  from_float(to, d, emit(op, a));
}

std::int32_t Decoder::as_quad(std::int32_t a, unsigned width) {
  return width == 1 ? emit(LaneOp::zextb64, a) : width <= 32 ? emit(LaneOp::zext32to64, a) : a;
}

void Decoder::bit_cast(const llvm::Instruction& result, const Slots& from, llvm::Type* from_type,
                       llvm::Type* to_type) {
  const std::vector<Leaf> source = leaves(from_type), target = leaves(to_type);
  const unsigned from_bits = integer_width(source.front().type), to_bits = integer_width(target.front().type);
  if (from_bits == to_bits)
    return alias(result, from);
  if (from_bits == 1 || to_bits == 1) {
    const Slots d = define(result);
    if (from_bits == 1 && d.size() == 1 && to_bits <= 64) {
      std::int32_t sum = constant(LaneType::quad, 0);
      for (std::size_t k = 0; k < from.size(); ++k)
        sum = emit(LaneOp::or64, sum, emit(LaneOp::shl64, as_quad(from[k], 1), constant(LaneType::quad, k)));
      return to_bits == 64 ? put(LaneOp::copy64, d[0], sum) : integer_resize(false, 64, to_bits, d[0], sum);
    }
    if (to_bits == 1 && from.size() == 1) {
      const std::int32_t whole = as_quad(from[0], from_bits);
      for (std::size_t k = 0; k < d.size(); ++k)
        put(LaneOp::truncb64, d[k], emit(LaneOp::lshr64, whole, constant(LaneType::quad, k)));
      return;
    }
    return reject("this bit cast of a vector of bits is not supported");
  }
  const Slots d = define(result);
  if (from_bits < to_bits) {
    const unsigned ratio = to_bits / from_bits;
    for (std::size_t k = 0; k < d.size(); ++k) {
      if (to_bits == 64 && from_bits == 32) {
        put(LaneOp::pack64, d[k], from[2 * k], from[2 * k + 1]);
        continue;
      }
      std::int32_t sum = as_quad(from[k * ratio], from_bits);
      for (unsigned part = 1; part < ratio; ++part)
        sum = emit(LaneOp::or64, sum,
                   emit(LaneOp::shl64, as_quad(from[k * ratio + part], from_bits),
                        constant(LaneType::quad, part * from_bits)));
      put(to_bits <= 32 ? LaneOp::trunc64to32 : LaneOp::copy64, d[k], sum);
    }
    return;
  }
  const unsigned ratio = from_bits / to_bits;
  for (std::size_t k = 0; k < d.size(); ++k) {
    const std::int32_t whole = from[k / ratio];
    const unsigned part = static_cast<unsigned>(k) % ratio;
    if (from_bits == 64 && to_bits == 32) {
      put(part == 0 ? LaneOp::trunc64to32 : LaneOp::hi64, d[k], whole);
      continue;
    }
    const bool word = from_bits <= 32;
    const std::int32_t shifted = part == 0
                                     ? whole
                                     : emit(word ? LaneOp::lshr32 : LaneOp::lshr64, whole,
                                            constant(word ? LaneType::word : LaneType::quad, part * to_bits));
    masked(d[k], word ? shifted : emit(LaneOp::trunc64to32, shifted), to_bits);
  }
}

void Decoder::cast_leaf(const llvm::CastInst& cast, llvm::Type* from, llvm::Type* to, std::int32_t d,
                        std::int32_t a) {
  using I = llvm::Instruction;
  switch (cast.getOpcode()) {
  case I::Trunc:
  case I::ZExt:
  case I::PtrToInt:
  case I::IntToPtr:
    return integer_resize(false, integer_width(from), integer_width(to), d, a);
  case I::SExt:
    return integer_resize(true, integer_width(from), integer_width(to), d, a);
  case I::FPTrunc:
    if (from->isDoubleTy() && to->isFloatTy())
      return put(LaneOp::dtof, d, a);
    if (from->isDoubleTy() && to->isHalfTy())
      return put(LaneOp::dtoh, d, a);
    return from_float(to, d, from->isDoubleTy() ? emit(LaneOp::dtof, a) : a);
  case I::FPExt:
    if (from->isFloatTy())
      return put(LaneOp::ftod, d, a);
    if (to->isDoubleTy())
      return put(LaneOp::ftod, d, to_float(from, a));
    return put(from->isHalfTy() ? LaneOp::htof : LaneOp::bftof, d, a);
  case I::FPToSI:
  case I::FPToUI:
    return float_to_integer(cast.getOpcode() == I::FPToSI, from, integer_width(to), d, a);
  case I::SIToFP:
  case I::UIToFP:
    return integer_to_float(cast.getOpcode() == I::SIToFP, integer_width(from), to, d, a);
  default:
    return reject(fmt::format("conversion '{}' is not supported", cast.getOpcodeName()));
  }
}

void Decoder::decode_cast(const llvm::CastInst& cast) {
  using I = llvm::Instruction;
  const Slots a = slots(cast.getOperand(0));
  llvm::Type* from = cast.getSrcTy()->getScalarType();
  llvm::Type* to = cast.getDestTy()->getScalarType();
  if (cast.getOpcode() == I::BitCast)
    return bit_cast(cast, a, cast.getSrcTy(), cast.getDestTy());
  // One address space of numbers: a pointer keeps its value in every space.
  if (cast.getOpcode() == I::AddrSpaceCast)
    return alias(cast, a);
  if ((cast.getOpcode() == I::PtrToInt || cast.getOpcode() == I::IntToPtr) &&
      integer_width(from) == integer_width(to))
    return alias(cast, a);
  const unsigned from_width = from->isFPOrFPVectorTy() ? 0 : integer_width(from);
  const unsigned to_width = to->isFPOrFPVectorTy() ? 0 : integer_width(to);
  if (from_width > 64 && cast.getOpcode() == I::Trunc) {
    if (to_width == 64)
      return alias(cast, {a[0]});
    return integer_resize(false, 64, to_width, define(cast).front(), a[0]);
  }
  if (to_width > 64 && (cast.getOpcode() == I::ZExt || cast.getOpcode() == I::SExt)) {
    const bool is_signed = cast.getOpcode() == I::SExt;
    const Slots d = define(cast);
    if (from_width == 64)
      put(LaneOp::copy64, d[0], a[0]);
    else
      integer_resize(is_signed, from_width, 64, d[0], a[0]);
    return is_signed ? put(LaneOp::ashr64, d[1], d[0], constant(LaneType::quad, 63))
                     : put(LaneOp::copy64, d[1], constant(LaneType::quad, 0));
  }
  if (from_width > 64 || to_width > 64)
    return reject("this conversion of a 128-bit integer is not supported");
  const Slots d = define(cast);
  for (std::size_t k = 0; k < d.size() && !error_; ++k)
    cast_leaf(cast, from, to, d[k], a[k]);
}

} // namespace forewarp::simt
