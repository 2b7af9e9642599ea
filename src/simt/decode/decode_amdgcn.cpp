// Calls of llvm.amdgcn.* intrinsics.
#include "simt/decode/decoder.h"
#include "simt/decode/target_calls.h"

namespace forewarp::simt {
namespace {

constexpr FloatCall amdgcn_math[] = {
    {"rcp.", LaneOp::rcpf, LaneOp::rcpd},     {"rsq.", LaneOp::rsqrtf, LaneOp::rsqrtd},
    {"sqrt.", LaneOp::sqrtf_, LaneOp::sqrtd}, {"exp2.", LaneOp::exp2f_, LaneOp::exp2d},
    {"log.", LaneOp::log2f_, LaneOp::log2d},
};

} // namespace

bool Decoder::decode_amdgcn(const llvm::CallBase& call, llvm::StringRef name) {
  if (name == "wave.barrier" || name.starts_with("s.waitcnt") || name.starts_with("sched.") ||
      name.starts_with("s.sleep") || name.starts_with("s.setprio") || name.starts_with("s.sendmsg") ||
      name.starts_with("iglp."))
    return true;
  if (decode_wave_product(call, name))
    return true;
  // Sparse factors, and which lane a row operation reads, are not modelled.
  if (name.starts_with("mfma.") || name.starts_with("smfmac.") || name.starts_with("wmma.") ||
      name.starts_with("update.dpp") || name.starts_with("ds.permute") || name.starts_with("fdot2") ||
      name.starts_with("sudot") || name.starts_with("sdot2") || name.starts_with("udot2") ||
      name.starts_with("sdot8") || name.starts_with("udot8")) {
    for (const std::int32_t each : define(call))
      emit_special(Special::unknown_value, each);
    return true;
  }
  if (name == "s.barrier") {
    program_.has_barrier = true;
    emit_special(Special::barrier, no_slot);
    return true;
  }
  if (name.starts_with("s.memtime") || name.starts_with("s.memrealtime")) {
    emit_special(Special::clock, define(call).front());
    return true;
  }
  if (decode_amdgcn_register(call, name) || decode_amdgcn_exchange(call, name) ||
      decode_amdgcn_arithmetic(call, name))
    return true;
  if (!call.doesNotAccessMemory())
    return false;
  for (const std::int32_t each : define(call)) // of pure ones only the values are missing
    emit_special(Special::unknown_value, each);
  return true;
}

bool Decoder::decode_amdgcn_register(const llvm::CallBase& call, llvm::StringRef name) {
  if (auto v = by_axis(name, "workitem.id.", WarpValue::tid_x))
    return assign(call, warp_value(*v)), true;
  if (auto v = by_axis(name, "workgroup.id.", GroupValue::group_x))
    return assign(call, group_value(*v)), true;
  if (name == "dispatch.ptr")
    return assign(call, group_value(GroupValue::packet)), true;
  if (name == "implicitarg.ptr")
    return assign(call, group_value(GroupValue::implicit_arguments)), true;
  if (name == "wavefrontsize")
    return assign(call, constant(LaneType::word, program_.warp_width)), true;
  return false;
}

bool Decoder::decode_amdgcn_exchange(const llvm::CallBase& call, llvm::StringRef name) {
  CrossLaneOp op;
  if (name.starts_with("readfirstlane") || name.starts_with("readlane")) {
    op.type = leaves(call.getType()).front().lane;
    const std::int32_t value = slot(call.getArgOperand(0)),
                       lane = call.arg_size() > 1 ? slot(call.getArgOperand(1)) : no_slot,
                       d = define(call).front();
    Instruction& out = emit_cross_lane(Special::read_lane, d, op);
    out.slots.a = value;
    out.slots.b = lane;
    return true;
  }
  if (name.starts_with("ballot")) {
    op.type = leaves(call.getType()).front().lane;
    const std::int32_t value = slot(call.getArgOperand(0)), d = define(call).front();
    emit_cross_lane(Special::ballot, d, op).slots.a = value;
    return true;
  }
  if (!name.starts_with("ds.bpermute"))
    return false;
  const std::int32_t lane = slot(call.getArgOperand(0)), value = slot(call.getArgOperand(1)),
                     d = define(call).front();
  Instruction& out = emit_cross_lane(Special::bpermute, d, op);
  out.slots.a = value;
  out.slots.b = lane;
  return true;
}

bool Decoder::decode_amdgcn_arithmetic(const llvm::CallBase& call, llvm::StringRef name) {
  for (const FloatCall& entry : amdgcn_math)
    if (name.starts_with(entry.prefix))
      return elementwise(call, entry.f, entry.d), true;
  if (name == "sdot4" || name == "udot4") { // saturation, where it is asked for, is left out
    put(name == "sdot4" ? LaneOp::dp4a_s : LaneOp::dp4a_u, define(call).front(), slot(call.getArgOperand(0)),
        slot(call.getArgOperand(1)), slot(call.getArgOperand(2)));
    return true;
  }
  if (name == "mbcnt.lo" || name == "mbcnt.hi") {
    const std::int32_t below = warp_value(WarpValue::lt_mask);
    const std::int32_t half = emit(name == "mbcnt.lo" ? LaneOp::trunc64to32 : LaneOp::hi64,
                                   program_.warp_width == 64 ? below : emit(LaneOp::zext32to64, below));
    const std::int32_t count = emit(LaneOp::ctpop32, emit(LaneOp::and32, half, slot(call.getArgOperand(0))));
    put(LaneOp::add32, define(call).front(), count, slot(call.getArgOperand(1)));
    return true;
  }
  if (name.starts_with("fmed3.")) { // median of three = max(min(a, b), min(max(a, b), c))
    const std::int32_t a = slot(call.getArgOperand(0)), b = slot(call.getArgOperand(1)),
                       c = slot(call.getArgOperand(2));
    if (!call.getType()->isFloatTy())
      return false;
    const std::int32_t high = emit(LaneOp::fmaxf_, a, b), low = emit(LaneOp::fminf_, a, b);
    put(LaneOp::fmaxf_, define(call).front(), low, emit(LaneOp::fminf_, high, c));
    return true;
  }
  if (name.starts_with("mul.i24") || name.starts_with("mul.u24")) {
    const bool is_signed = name.starts_with("mul.i24");
    const auto cut = [&](std::int32_t x) {
      return is_signed ? sign_extended(x, 24) : emit(LaneOp::and32, x, constant(LaneType::word, 0xFFFFFF));
    };
    put(LaneOp::mul32, define(call).front(), cut(slot(call.getArgOperand(0))),
        cut(slot(call.getArgOperand(1))));
    return true;
  }
  return false;
}

} // namespace forewarp::simt
