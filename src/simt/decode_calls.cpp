// Calls of LLVM's target-independent intrinsics.
#include "simt/decoder.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>

namespace forewarp::simt {

void Decoder::assign(const llvm::Instruction& instruction, std::int32_t slot_of_value) {
  alias(instruction, {slot_of_value});
}

void Decoder::elementwise(const llvm::CallBase& call, LaneOp f, LaneOp d) {
  std::vector<Slots> operands;
  for (unsigned k = 0; k < call.arg_size() && k < 3; ++k)
    operands.push_back(slots(call.getArgOperand(k)));
  const Slots result = define(call);
  auto part = [&](std::size_t operand, std::size_t k) {
    if (operand >= operands.size())
      return no_slot;
    return operands[operand][operands[operand].size() == result.size() ? k : 0];
  };
  for (std::size_t k = 0; k < result.size(); ++k)
    float_op(f, d, call.getType(), result[k], part(0, k), part(1, k), part(2, k));
}

void Decoder::elementwise_int(const llvm::CallBase& call, LaneOp word, LaneOp quad, bool is_signed) {
  const unsigned width = integer_width(call.getType());
  if (width > 64)
    return reject(
        fmt::format("'{}' on 128-bit integers is not supported", call.getCalledFunction()->getName().str()));
  const Slots result = define(call);
  std::vector<Slots> operands;
  for (unsigned k = 0; k < call.arg_size() && k < 3; ++k)
    if (call.getArgOperand(k)->getType() == call.getType())
      operands.push_back(slots(call.getArgOperand(k)));
  for (std::size_t k = 0; k < result.size(); ++k) {
    std::int32_t part[3] = {no_slot, no_slot, no_slot};
    for (std::size_t o = 0; o < operands.size(); ++o)
      part[o] = is_signed ? sign_extended(operands[o][k], width) : operands[o][k];
    const LaneOp op = width <= 32 ? word : quad;
    if (is_signed && width != 32 && width != 64)
      masked(result[k], emit(op, part[0], part[1], part[2]), width);
    else
      put(op, result[k], part[0], part[1], part[2]);
  }
}

bool Decoder::decode_reduction(const llvm::CallBase& call) {
  using I = llvm::Intrinsic::ID;
  const I id = call.getIntrinsicID();
  const bool ordered = id == llvm::Intrinsic::vector_reduce_fadd || id == llvm::Intrinsic::vector_reduce_fmul;
  const Slots v = slots(call.getArgOperand(ordered ? 1 : 0));
  llvm::Type* type = call.getType();
  const std::int32_t d = define(call).front();
  std::int32_t sum = ordered ? slot(call.getArgOperand(0)) : v[0];
  for (std::size_t k = ordered ? 0 : 1; k < v.size(); ++k) {
    const std::int32_t next = k + 1 == v.size() ? d : new_register();
    switch (id) {
    case llvm::Intrinsic::vector_reduce_add:
      integer_binary(llvm::Instruction::Add, integer_width(type), next, sum, v[k]);
      break;
    case llvm::Intrinsic::vector_reduce_mul:
      integer_binary(llvm::Instruction::Mul, integer_width(type), next, sum, v[k]);
      break;
    case llvm::Intrinsic::vector_reduce_and:
      integer_binary(llvm::Instruction::And, integer_width(type), next, sum, v[k]);
      break;
    case llvm::Intrinsic::vector_reduce_or:
      integer_binary(llvm::Instruction::Or, integer_width(type), next, sum, v[k]);
      break;
    case llvm::Intrinsic::vector_reduce_xor:
      integer_binary(llvm::Instruction::Xor, integer_width(type), next, sum, v[k]);
      break;
    case llvm::Intrinsic::vector_reduce_fadd:
      float_binary(llvm::Instruction::FAdd, type, next, sum, v[k]);
      break;
    case llvm::Intrinsic::vector_reduce_fmul:
      float_binary(llvm::Instruction::FMul, type, next, sum, v[k]);
      break;
    case llvm::Intrinsic::vector_reduce_fmax:
      float_op(LaneOp::fmaxf_, LaneOp::fmaxd, type, next, sum, v[k]);
      break;
    case llvm::Intrinsic::vector_reduce_fmin:
      float_op(LaneOp::fminf_, LaneOp::fmind, type, next, sum, v[k]);
      break;
    default: {
      const bool is_max =
          id == llvm::Intrinsic::vector_reduce_smax || id == llvm::Intrinsic::vector_reduce_umax;
      const bool is_signed =
          id == llvm::Intrinsic::vector_reduce_smax || id == llvm::Intrinsic::vector_reduce_smin;
      const unsigned width = integer_width(type);
      const std::int32_t less = new_register();
      integer_compare(is_signed ? llvm::CmpInst::ICMP_SLT : llvm::CmpInst::ICMP_ULT, width, less, sum, v[k]);
      put(width == 1    ? LaneOp::selectb
          : width <= 32 ? LaneOp::select32
                        : LaneOp::select64,
          next, less, is_max ? v[k] : sum, is_max ? sum : v[k]);
    }
    }
    sum = next;
  }
  if (sum != d)
    alias(call, {sum});
  return true;
}

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

bool Decoder::decode_generic_intrinsic(const llvm::CallBase& call) {
  namespace I = llvm::Intrinsic;
  auto both = [&](LaneOp f, LaneOp d) {
    elementwise(call, f, d);
    return true;
  };
  auto ints = [&](LaneOp w, LaneOp q, bool is_signed = false) {
    elementwise_int(call, w, q, is_signed);
    return true;
  };
  const unsigned width = call.getType()->isIntOrIntVectorTy() ? integer_width(call.getType()) : 0;
  switch (call.getIntrinsicID()) {
  case I::lifetime_start:
  case I::lifetime_end:
  case I::assume:
  case I::donothing:
  case I::sideeffect:
  case I::experimental_noalias_scope_decl:
  case I::invariant_start:
  case I::invariant_end:
  case I::prefetch:
  case I::var_annotation:
  case I::trap:
  case I::debugtrap:
    return true;
  case I::memcpy:
  case I::memmove:
  case I::memset:
  case I::memcpy_inline:
  case I::memset_inline:
    decode_memory_intrinsic(call);
    return true;
  case I::expect:
  case I::launder_invariant_group:
  case I::strip_invariant_group:
  case I::annotation:
  case I::ptr_annotation:
  case I::arithmetic_fence:
  case I::canonicalize:
  case I::ssa_copy:
  case I::expect_with_probability:
  case I::threadlocal_address:
    alias(call, slots(call.getArgOperand(0)));
    return true;
  case I::fma:
  case I::fmuladd:
    return both(LaneOp::fmaf_, LaneOp::fmad); // the hardware fuses
  case I::sqrt:
    return both(LaneOp::sqrtf_, LaneOp::sqrtd);
  case I::sin:
    return both(LaneOp::sinf_, LaneOp::sind);
  case I::cos:
    return both(LaneOp::cosf_, LaneOp::cosd);
  case I::tan:
    return both(LaneOp::tanf_, LaneOp::tand);
  case I::asin:
    return both(LaneOp::asinf_, LaneOp::asind);
  case I::acos:
    return both(LaneOp::acosf_, LaneOp::acosd);
  case I::atan:
    return both(LaneOp::atanf_, LaneOp::atand);
  case I::sinh:
    return both(LaneOp::sinhf_, LaneOp::sinhd);
  case I::cosh:
    return both(LaneOp::coshf_, LaneOp::coshd);
  case I::tanh:
    return both(LaneOp::tanhf_, LaneOp::tanhd);
  case I::exp:
    return both(LaneOp::expf_, LaneOp::expd);
  case I::exp2:
    return both(LaneOp::exp2f_, LaneOp::exp2d);
  case I::exp10:
    return both(LaneOp::exp10f_, LaneOp::exp10d);
  case I::log:
    return both(LaneOp::logf_, LaneOp::logd);
  case I::log2:
    return both(LaneOp::log2f_, LaneOp::log2d);
  case I::log10:
    return both(LaneOp::log10f_, LaneOp::log10d);
  case I::pow:
    return both(LaneOp::powf_, LaneOp::powd);
  case I::fabs:
    if (call.getType()->getScalarType()->isHalfTy()) {
      const Slots a = slots(call.getArgOperand(0)), d = define(call);
      for (std::size_t k = 0; k < d.size(); ++k)
        put(LaneOp::and32, d[k], a[k], constant(LaneType::word, 0x7FFF));
      return true;
    }
    return both(LaneOp::fabsf_, LaneOp::fabsd);
  case I::floor:
    return both(LaneOp::floorf_, LaneOp::floord);
  case I::ceil:
    return both(LaneOp::ceilf_, LaneOp::ceild);
  case I::trunc:
    return both(LaneOp::truncf_, LaneOp::truncd);
  case I::rint:
  case I::nearbyint:
  case I::roundeven:
    return both(LaneOp::rintf_, LaneOp::rintd);
  case I::round:
    return both(LaneOp::roundf_, LaneOp::roundd);
  case I::minnum:
    return both(LaneOp::fminf_, LaneOp::fmind);
  case I::maxnum:
    return both(LaneOp::fmaxf_, LaneOp::fmaxd);
  case I::minimum:
    return both(LaneOp::fminimumf, LaneOp::fminimumd);
  case I::maximum:
    return both(LaneOp::fmaximumf, LaneOp::fmaximumd);
  case I::copysign:
    return both(LaneOp::copysignf_, LaneOp::copysignd);
  case I::powi:
  case I::ldexp: {
    const bool power = call.getIntrinsicID() == I::powi;
    const Slots a = slots(call.getArgOperand(0)), n = slots(call.getArgOperand(1)), d = define(call);
    const bool is_double = call.getType()->getScalarType()->isDoubleTy();
    for (std::size_t k = 0; k < d.size(); ++k)
      put(power ? (is_double ? LaneOp::powid : LaneOp::powif)
                : (is_double ? LaneOp::ldexpd : LaneOp::ldexpf_),
          d[k], a[k], n.size() == d.size() ? n[k] : n[0]);
    return true;
  }
  case I::frexp: {
    const bool is_double = call.getArgOperand(0)->getType()->getScalarType()->isDoubleTy();
    const Slots a = slots(call.getArgOperand(0)), d = define(call);
    for (std::size_t k = 0; k < a.size(); ++k) {
      put(is_double ? LaneOp::frexpmd : LaneOp::frexpmf, d[k], a[k]);
      put(is_double ? LaneOp::frexped : LaneOp::frexpef, d[a.size() + k], a[k]);
    }
    return true;
  }
  case I::is_fpclass: {
    llvm::Type* type = call.getArgOperand(0)->getType();
    const Slots a = slots(call.getArgOperand(0)), d = define(call);
    const auto test =
        static_cast<std::uint32_t>(llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->getZExtValue());
    for (std::size_t k = 0; k < d.size(); ++k) {
      const std::int32_t value = to_float(type, a[k]);
      put(type->getScalarType()->isDoubleTy() ? LaneOp::isfpclassd : LaneOp::isfpclassf, d[k], value, no_slot,
          no_slot, test);
    }
    return true;
  }
  case I::umin:
    return ints(LaneOp::umin32, LaneOp::umin64);
  case I::umax:
    return ints(LaneOp::umax32, LaneOp::umax64);
  case I::smin:
    return ints(LaneOp::smin32, LaneOp::smin64, true);
  case I::smax:
    return ints(LaneOp::smax32, LaneOp::smax64, true);
  case I::abs:
    return ints(LaneOp::abs32, LaneOp::abs64, true);
  case I::ctpop:
    return ints(LaneOp::ctpop32, LaneOp::ctpop64);
  case I::ctlz:
  case I::cttz:
  case I::bitreverse:
  case I::bswap: {
    // In a narrow type the value is moved to the top (or a guard bit set above it) first.
    const Slots a = slots(call.getArgOperand(0)), d = define(call);
    const bool word = width <= 32;
    const unsigned spare = (word ? 32 : 64) - width;
    const LaneType lane = word ? LaneType::word : LaneType::quad;
    auto pick = [word](LaneOp w, LaneOp q) { return word ? w : q; };
    for (std::size_t k = 0; k < d.size(); ++k) {
      std::int32_t value = a[k];
      const auto id = call.getIntrinsicID();
      if (id == I::cttz) {
        if (spare != 0)
          value = emit(pick(LaneOp::or32, LaneOp::or64), value, constant(lane, std::uint64_t{1} << width));
        put(pick(LaneOp::cttz32, LaneOp::cttz64), d[k], value);
      } else if (id == I::ctlz) {
        put(pick(LaneOp::umin32, LaneOp::umin64), d[k],
            emit(pick(LaneOp::ctlz32, LaneOp::ctlz64),
                 emit(pick(LaneOp::shl32, LaneOp::shl64), value, constant(lane, spare))),
            constant(lane, width));
      } else {
        const LaneOp op = id == I::bswap ? pick(LaneOp::bswap32, LaneOp::bswap64)
                                         : pick(LaneOp::bitreverse32, LaneOp::bitreverse64);
        put(pick(LaneOp::lshr32, LaneOp::lshr64), d[k], emit(op, value), constant(lane, spare));
      }
    }
    return true;
  }
  case I::fshl:
  case I::fshr: {
    if (width == 32 || width == 64)
      return call.getIntrinsicID() == I::fshl ? ints(LaneOp::fshl32, LaneOp::fshl64)
                                              : ints(LaneOp::fshr32, LaneOp::fshr64);
    if (width != 8 && width != 16)
      return false;
    const Slots a = slots(call.getArgOperand(0)), b = slots(call.getArgOperand(1)),
                n = slots(call.getArgOperand(2)), d = define(call);
    for (std::size_t k = 0; k < d.size(); ++k) {
      const std::int32_t both_halves =
          emit(LaneOp::or32, emit(LaneOp::shl32, a[k], constant(LaneType::word, width)), b[k]);
      std::int32_t amount = emit(LaneOp::and32, n[k], constant(LaneType::word, width - 1));
      if (call.getIntrinsicID() == I::fshl)
        amount = emit(LaneOp::sub32, constant(LaneType::word, width), amount);
      masked(d[k], emit(LaneOp::lshr32, both_halves, amount), width);
    }
    return true;
  }
  case I::uadd_sat:
  case I::usub_sat:
  case I::sadd_sat:
  case I::ssub_sat: {
    const auto id = call.getIntrinsicID();
    if (width == 32 || width == 64)
      return id == I::uadd_sat   ? ints(LaneOp::uaddsat32, LaneOp::uaddsat64)
             : id == I::usub_sat ? ints(LaneOp::usubsat32, LaneOp::usubsat64)
             : id == I::sadd_sat ? ints(LaneOp::saddsat32, LaneOp::saddsat64)
                                 : ints(LaneOp::ssubsat32, LaneOp::ssubsat64);
    if (width > 31)
      return false;
    const bool is_signed = id == I::sadd_sat || id == I::ssub_sat,
               add = id == I::uadd_sat || id == I::sadd_sat;
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
  case I::fptosi_sat:
  case I::fptoui_sat: {
    const Slots a = slots(call.getArgOperand(0)), d = define(call);
    for (std::size_t k = 0; k < d.size(); ++k)
      saturating_to_integer(call.getIntrinsicID() == I::fptosi_sat, call.getArgOperand(0)->getType(), width,
                            d[k], a[k]);
    return true;
  }
  case I::vector_reduce_add:
  case I::vector_reduce_mul:
  case I::vector_reduce_and:
  case I::vector_reduce_or:
  case I::vector_reduce_xor:
  case I::vector_reduce_fadd:
  case I::vector_reduce_fmul:
  case I::vector_reduce_fmax:
  case I::vector_reduce_fmin:
  case I::vector_reduce_smax:
  case I::vector_reduce_smin:
  case I::vector_reduce_umax:
  case I::vector_reduce_umin:
    return decode_reduction(call);
  case I::readcyclecounter:
    emit_special(Special::clock, define(call).front());
    return true;
  default:
    return decode_overflow(call);
  }
}

void Decoder::decode_call(const llvm::CallBase& call) {
  if (llvm::isa<llvm::InlineAsm>(call.getCalledOperand())) {
    if (!call.getType()->isVoidTy() || !llvm::isa<llvm::UnreachableInst>(call.getParent()->getTerminator()))
      return reject("inline assembly is not supported");
    return; // the target's own "exit;" before the end of a block that nothing follows
  }
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee)
    return reject("a call through a function pointer is not supported");
  llvm::StringRef name = callee->getName();
  if (callee->isIntrinsic() && decode_generic_intrinsic(call))
    return;
  if (error_)
    return;
  const bool done = name.starts_with("llvm.nvvm.")     ? decode_nvvm(call, name.drop_front(10))
                    : name.starts_with("llvm.amdgcn.") ? decode_amdgcn(call, name.drop_front(12))
                    : name.starts_with("forewarp.")    ? decode_marker(call, name.drop_front(9))
                                                       : false;
  if (!done && !error_)
    reject(fmt::format("the call of '{}' is not supported", name.str()));
}

} // namespace forewarp::simt
