// LLVM's target-independent intrinsics.
#include "simt/decode/decoder.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

namespace forewarp::simt {
namespace {

namespace intrinsics = llvm::Intrinsic;

/// The operation of each element: in words or floats, and in quads or doubles.
struct Elementwise {
  llvm::Intrinsic::ID id;
  LaneOp narrow, wide;
  bool is_signed = false; ///< of integers: narrow types are extended by their sign
};

constexpr Elementwise of_floats[] = {
    {intrinsics::fma, LaneOp::fmaf_, LaneOp::fmad}, // the hardware fuses
    {intrinsics::fmuladd, LaneOp::fmaf_, LaneOp::fmad},
    {intrinsics::sqrt, LaneOp::sqrtf_, LaneOp::sqrtd},
    {intrinsics::sin, LaneOp::sinf_, LaneOp::sind},
    {intrinsics::cos, LaneOp::cosf_, LaneOp::cosd},
    {intrinsics::tan, LaneOp::tanf_, LaneOp::tand},
    {intrinsics::asin, LaneOp::asinf_, LaneOp::asind},
    {intrinsics::acos, LaneOp::acosf_, LaneOp::acosd},
    {intrinsics::atan, LaneOp::atanf_, LaneOp::atand},
    {intrinsics::sinh, LaneOp::sinhf_, LaneOp::sinhd},
    {intrinsics::cosh, LaneOp::coshf_, LaneOp::coshd},
    {intrinsics::tanh, LaneOp::tanhf_, LaneOp::tanhd},
    {intrinsics::exp, LaneOp::expf_, LaneOp::expd},
    {intrinsics::exp2, LaneOp::exp2f_, LaneOp::exp2d},
    {intrinsics::exp10, LaneOp::exp10f_, LaneOp::exp10d},
    {intrinsics::log, LaneOp::logf_, LaneOp::logd},
    {intrinsics::log2, LaneOp::log2f_, LaneOp::log2d},
    {intrinsics::log10, LaneOp::log10f_, LaneOp::log10d},
    {intrinsics::pow, LaneOp::powf_, LaneOp::powd},
    {intrinsics::floor, LaneOp::floorf_, LaneOp::floord},
    {intrinsics::ceil, LaneOp::ceilf_, LaneOp::ceild},
    {intrinsics::trunc, LaneOp::truncf_, LaneOp::truncd},
    {intrinsics::rint, LaneOp::rintf_, LaneOp::rintd},
    {intrinsics::nearbyint, LaneOp::rintf_, LaneOp::rintd},
    {intrinsics::roundeven, LaneOp::rintf_, LaneOp::rintd},
    {intrinsics::round, LaneOp::roundf_, LaneOp::roundd},
    {intrinsics::minnum, LaneOp::fminf_, LaneOp::fmind},
    {intrinsics::maxnum, LaneOp::fmaxf_, LaneOp::fmaxd},
    {intrinsics::minimum, LaneOp::fminimumf, LaneOp::fminimumd},
    {intrinsics::maximum, LaneOp::fmaximumf, LaneOp::fmaximumd},
    {intrinsics::copysign, LaneOp::copysignf_, LaneOp::copysignd},
    {intrinsics::fabs, LaneOp::fabsf_, LaneOp::fabsd},
};

constexpr Elementwise of_integers[] = {
    {intrinsics::umin, LaneOp::umin32, LaneOp::umin64},
    {intrinsics::umax, LaneOp::umax32, LaneOp::umax64},
    {intrinsics::smin, LaneOp::smin32, LaneOp::smin64, true},
    {intrinsics::smax, LaneOp::smax32, LaneOp::smax64, true},
    {intrinsics::abs, LaneOp::abs32, LaneOp::abs64, true},
    {intrinsics::ctpop, LaneOp::ctpop32, LaneOp::ctpop64},
};

/// Of 32 and 64 bits.
constexpr Elementwise saturating_sums[] = {
    {intrinsics::uadd_sat, LaneOp::uaddsat32, LaneOp::uaddsat64},
    {intrinsics::usub_sat, LaneOp::usubsat32, LaneOp::usubsat64},
    {intrinsics::sadd_sat, LaneOp::saddsat32, LaneOp::saddsat64},
    {intrinsics::ssub_sat, LaneOp::ssubsat32, LaneOp::ssubsat64},
};

const Elementwise* find(const Elementwise* first, const Elementwise* last, llvm::Intrinsic::ID id) {
  const Elementwise* row = std::find_if(first, last, [id](const Elementwise& each) { return each.id == id; });
  return row == last ? nullptr : row;
}

} // namespace

/// Conversions of 32 and 64 bits clamp by themselves; narrower results are clamped behind a 32-bit one.
void Decoder::saturating_to_integer(bool is_signed, llvm::Type* from, unsigned width, std::int32_t d,
                                    std::int32_t a) {
  if (width >= 32)
    return float_to_integer(is_signed, from, width, d, a);
  const std::uint64_t top = (std::uint64_t{1} << (is_signed ? width - 1 : width)) - 1;
  std::int32_t value = new_register(LaneType::word);
  float_to_integer(true, from, 32, value, a);
  value = emit(LaneOp::smin32, value, constant(LaneType::word, top));
  value = emit(LaneOp::smax32, value, constant(LaneType::word, is_signed ? ~top & 0xFFFFFFFF : 0));
  masked(d, value, width);
}

void Decoder::decode_saturating_conversion(const llvm::CallBase& call, unsigned width) {
  const bool is_signed = call.getIntrinsicID() == intrinsics::fptosi_sat;
  const Slots a = slots(call.getArgOperand(0)), d = define(call);
  for (std::size_t k = 0; k < d.size(); ++k)
    saturating_to_integer(is_signed, call.getArgOperand(0)->getType(), width, d[k], a[k]);
}

bool Decoder::decode_overflow(const llvm::CallBase& call) {
  const auto* overflow = llvm::dyn_cast<llvm::WithOverflowInst>(&call);
  if (!overflow)
    return false;
  const unsigned width = integer_width(overflow->getLHS()->getType());
  if ((width != 32 && width != 64) || overflow->getLHS()->getType()->isVectorTy()) {
    reject("overflow arithmetic of this width is not supported");
    return true;
  }
  const bool word = width == 32;
  const std::int32_t a = slot(overflow->getLHS()), b = slot(overflow->getRHS());
  const Slots d = define(call);
  integer_binary(overflow->getBinaryOp(), width, d[0], a, b);
  auto pick = [word](LaneOp w, LaneOp q) { return word ? w : q; };
  if (overflow->getBinaryOp() == llvm::Instruction::Mul) {
    const std::int32_t high = overflow->isSigned() ? emit(pick(LaneOp::smulh32, LaneOp::smulh64), a, b)
                                                   : emit(pick(LaneOp::umulh32, LaneOp::umulh64), a, b);
    const std::int32_t expected = overflow->isSigned()
                                      ? emit(pick(LaneOp::ashr32, LaneOp::ashr64), d[0],
                                             constant(word ? LaneType::word : LaneType::quad, width - 1))
                                      : constant(word ? LaneType::word : LaneType::quad, 0);
    put(pick(LaneOp::ne32, LaneOp::ne64), d[1], high, expected);
  } else if (!overflow->isSigned()) {
    const bool add = overflow->getBinaryOp() == llvm::Instruction::Add;
    put(pick(LaneOp::ult32, LaneOp::ult64), d[1], add ? d[0] : a, add ? a : b);
  } else {
    const bool add = overflow->getBinaryOp() == llvm::Instruction::Add;
    const LaneOp exor = pick(LaneOp::xor32, LaneOp::xor64), conj = pick(LaneOp::and32, LaneOp::and64);
    const std::int32_t first = emit(exor, a, add ? d[0] : b), second = emit(exor, add ? b : a, d[0]);
    put(pick(LaneOp::slt32, LaneOp::slt64), d[1], emit(conj, first, second),
        constant(word ? LaneType::word : LaneType::quad, 0));
  }
  return true;
}

/// In a narrow type the value is moved to the top (or a guard bit set above it) first.
void Decoder::decode_bit_search(const llvm::CallBase& call, unsigned width) {
  const Slots a = slots(call.getArgOperand(0)), d = define(call);
  const bool word = width <= 32;
  const unsigned spare = (word ? 32 : 64) - width;
  const LaneType lane = word ? LaneType::word : LaneType::quad;
  auto pick = [word](LaneOp w, LaneOp q) { return word ? w : q; };
  for (std::size_t k = 0; k < d.size(); ++k) {
    std::int32_t value = a[k];
    const auto id = call.getIntrinsicID();
    if (id == intrinsics::cttz) {
      if (spare != 0)
        value = emit(pick(LaneOp::or32, LaneOp::or64), value, constant(lane, std::uint64_t{1} << width));
      put(pick(LaneOp::cttz32, LaneOp::cttz64), d[k], value);
    } else if (id == intrinsics::ctlz) {
      put(pick(LaneOp::umin32, LaneOp::umin64), d[k],
          emit(pick(LaneOp::ctlz32, LaneOp::ctlz64),
               emit(pick(LaneOp::shl32, LaneOp::shl64), value, constant(lane, spare))),
          constant(lane, width));
    } else {
      const LaneOp op = id == intrinsics::bswap ? pick(LaneOp::bswap32, LaneOp::bswap64)
                                                : pick(LaneOp::bitreverse32, LaneOp::bitreverse64);
      put(pick(LaneOp::lshr32, LaneOp::lshr64), d[k], emit(op, value), constant(lane, spare));
    }
  }
}

bool Decoder::decode_funnel_shift(const llvm::CallBase& call, unsigned width) {
  const bool left = call.getIntrinsicID() == intrinsics::fshl;
  if (width == 32 || width == 64) {
    elementwise_int(call, left ? LaneOp::fshl32 : LaneOp::fshr32, left ? LaneOp::fshl64 : LaneOp::fshr64);
    return true;
  }
  if (width != 8 && width != 16)
    return false;
  const Slots a = slots(call.getArgOperand(0)), b = slots(call.getArgOperand(1)),
              n = slots(call.getArgOperand(2)), d = define(call);
  for (std::size_t k = 0; k < d.size(); ++k) {
    const std::int32_t both_halves =
        emit(LaneOp::or32, emit(LaneOp::shl32, a[k], constant(LaneType::word, width)), b[k]);
    std::int32_t amount = emit(LaneOp::and32, n[k], constant(LaneType::word, width - 1));
    if (left)
      amount = emit(LaneOp::sub32, constant(LaneType::word, width), amount);
    masked(d[k], emit(LaneOp::lshr32, both_halves, amount), width);
  }
  return true;
}

bool Decoder::decode_saturating_sum(const llvm::CallBase& call, unsigned width) {
  const auto id = call.getIntrinsicID();
  if (width == 32 || width == 64) {
    const Elementwise* row = find(std::begin(saturating_sums), std::end(saturating_sums), id);
    elementwise_int(call, row->narrow, row->wide);
    return true;
  }
  if (width > 31)
    return false;
  const bool is_signed = id == intrinsics::sadd_sat || id == intrinsics::ssub_sat,
             add = id == intrinsics::uadd_sat || id == intrinsics::sadd_sat;
  const std::uint64_t top = (std::uint64_t{1} << (is_signed ? width - 1 : width)) - 1;
  const Slots a = slots(call.getArgOperand(0)), b = slots(call.getArgOperand(1)), d = define(call);
  for (std::size_t k = 0; k < d.size(); ++k) {
    const std::int32_t x = is_signed ? sign_extended(a[k], width) : a[k],
                       y = is_signed ? sign_extended(b[k], width) : b[k];
    const std::int32_t sum = emit(add ? LaneOp::add32 : LaneOp::sub32, x, y);
    const std::int32_t low =
        emit(LaneOp::smax32, sum, constant(LaneType::word, is_signed ? ~top & 0xFFFFFFFF : 0));
    masked(d[k], emit(LaneOp::smin32, low, constant(LaneType::word, top)), width);
  }
  return true;
}

/// powi, ldexp: the second operand is an integer.
void Decoder::decode_integer_power(const llvm::CallBase& call) {
  const bool power = call.getIntrinsicID() == intrinsics::powi;
  const Slots a = slots(call.getArgOperand(0)), n = slots(call.getArgOperand(1)), d = define(call);
  const bool is_double = call.getType()->getScalarType()->isDoubleTy();
  for (std::size_t k = 0; k < d.size(); ++k)
    put(power ? (is_double ? LaneOp::powid : LaneOp::powif) : (is_double ? LaneOp::ldexpd : LaneOp::ldexpf_),
        d[k], a[k], n.size() == d.size() ? n[k] : n[0]);
}

void Decoder::decode_frexp(const llvm::CallBase& call) {
  const bool is_double = call.getArgOperand(0)->getType()->getScalarType()->isDoubleTy();
  const Slots a = slots(call.getArgOperand(0)), d = define(call);
  for (std::size_t k = 0; k < a.size(); ++k) {
    put(is_double ? LaneOp::frexpmd : LaneOp::frexpmf, d[k], a[k]);
    put(is_double ? LaneOp::frexped : LaneOp::frexpef, d[a.size() + k], a[k]);
  }
}

void Decoder::decode_float_class(const llvm::CallBase& call) {
  llvm::Type* type = call.getArgOperand(0)->getType();
  const Slots a = slots(call.getArgOperand(0)), d = define(call);
  const auto test =
      static_cast<std::uint32_t>(llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->getZExtValue());
  for (std::size_t k = 0; k < d.size(); ++k) {
    const std::int32_t value = to_float(type, a[k]);
    put(type->getScalarType()->isDoubleTy() ? LaneOp::isfpclassd : LaneOp::isfpclassf, d[k], value, no_slot,
        no_slot, test);
  }
}

bool Decoder::decode_elementwise(const llvm::CallBase& call) {
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  if (id == intrinsics::fabs && call.getType()->getScalarType()->isHalfTy()) {
    const Slots a = slots(call.getArgOperand(0)), d = define(call);
    for (std::size_t k = 0; k < d.size(); ++k)
      put(LaneOp::and32, d[k], a[k], constant(LaneType::word, 0x7FFF));
    return true;
  }
  if (const Elementwise* row = find(std::begin(of_floats), std::end(of_floats), id)) {
    elementwise(call, row->narrow, row->wide);
    return true;
  }
  const Elementwise* row = find(std::begin(of_integers), std::end(of_integers), id);
  if (!row)
    return false;
  elementwise_int(call, row->narrow, row->wide, row->is_signed);
  return true;
}

bool Decoder::decode_generic_intrinsic(const llvm::CallBase& call) {
  if (decode_elementwise(call))
    return true;
  const unsigned width = call.getType()->isIntOrIntVectorTy() ? integer_width(call.getType()) : 0;
  switch (call.getIntrinsicID()) {
  case intrinsics::lifetime_start:
  case intrinsics::lifetime_end:
  case intrinsics::assume:
  case intrinsics::donothing:
  case intrinsics::sideeffect:
  case intrinsics::experimental_noalias_scope_decl:
  case intrinsics::invariant_start:
  case intrinsics::invariant_end:
  case intrinsics::prefetch:
  case intrinsics::var_annotation:
  case intrinsics::trap:
  case intrinsics::debugtrap:
    return true;
  case intrinsics::memcpy:
  case intrinsics::memmove:
  case intrinsics::memset:
  case intrinsics::memcpy_inline:
  case intrinsics::memset_inline:
    decode_memory_intrinsic(call);
    return true;
  case intrinsics::expect:
  case intrinsics::launder_invariant_group:
  case intrinsics::strip_invariant_group:
  case intrinsics::annotation:
  case intrinsics::ptr_annotation:
  case intrinsics::arithmetic_fence:
  case intrinsics::canonicalize:
  case intrinsics::ssa_copy:
  case intrinsics::expect_with_probability:
  case intrinsics::threadlocal_address:
    alias(call, slots(call.getArgOperand(0)));
    return true;
  case intrinsics::powi:
  case intrinsics::ldexp:
    decode_integer_power(call);
    return true;
  case intrinsics::frexp:
    decode_frexp(call);
    return true;
  case intrinsics::is_fpclass:
    decode_float_class(call);
    return true;
  case intrinsics::ctlz:
  case intrinsics::cttz:
  case intrinsics::bitreverse:
  case intrinsics::bswap:
    decode_bit_search(call, width);
    return true;
  case intrinsics::fshl:
  case intrinsics::fshr:
    return decode_funnel_shift(call, width);
  case intrinsics::uadd_sat:
  case intrinsics::usub_sat:
  case intrinsics::sadd_sat:
  case intrinsics::ssub_sat:
    return decode_saturating_sum(call, width);
  case intrinsics::fptosi_sat:
  case intrinsics::fptoui_sat:
    decode_saturating_conversion(call, width);
    return true;
  case intrinsics::readcyclecounter:
    emit_special(Special::clock, define(call).front());
    return true;
  case intrinsics::vector_reduce_add:
  case intrinsics::vector_reduce_mul:
  case intrinsics::vector_reduce_and:
  case intrinsics::vector_reduce_or:
  case intrinsics::vector_reduce_xor:
  case intrinsics::vector_reduce_fadd:
  case intrinsics::vector_reduce_fmul:
  case intrinsics::vector_reduce_fmax:
  case intrinsics::vector_reduce_fmin:
  case intrinsics::vector_reduce_smax:
  case intrinsics::vector_reduce_smin:
  case intrinsics::vector_reduce_umax:
  case intrinsics::vector_reduce_umin:
    return decode_reduction(call);
  default:
    return decode_overflow(call);
  }
}

} // namespace forewarp::simt
