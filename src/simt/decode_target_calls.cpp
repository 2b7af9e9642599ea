// Calls of target intrinsics (llvm.nvvm.*, llvm.amdgcn.*) and work-item functions.
#include "simt/decoder.h"

#include <fmt/format.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>

namespace forewarp::simt {
namespace {

template <class T> std::optional<T> by_axis(llvm::StringRef name, llvm::StringRef prefix, T x) {
  if (!name.consume_front(prefix) || name.size() != 1 || name[0] < 'x' || name[0] > 'z')
    return std::nullopt;
  return static_cast<T>(static_cast<int>(x) + (name[0] - 'x'));
}

struct FloatCall {
  const char* prefix;
  LaneOp f, d;
};

constexpr FloatCall nvvm_math[] = {
    {"sin.approx", LaneOp::sinf_, LaneOp::sind},
    {"cos.approx", LaneOp::cosf_, LaneOp::cosd},
    {"ex2.approx", LaneOp::exp2f_, LaneOp::exp2d},
    {"lg2.approx", LaneOp::log2f_, LaneOp::log2d},
    {"rsqrt.approx", LaneOp::rsqrtf, LaneOp::rsqrtd},
    {"sqrt.", LaneOp::sqrtf_, LaneOp::sqrtd},
    {"rcp.", LaneOp::rcpf, LaneOp::rcpd},
    {"div.", LaneOp::fdivf, LaneOp::fdivd},
    {"tanh.approx", LaneOp::tanhf_, LaneOp::tanhd},
    {"fma.", LaneOp::fmaf_, LaneOp::fmad},
    {"fabs", LaneOp::fabsf_, LaneOp::fabsd},
    {"floor", LaneOp::floorf_, LaneOp::floord},
    {"ceil", LaneOp::ceilf_, LaneOp::ceild},
    {"trunc", LaneOp::truncf_, LaneOp::truncd},
    {"round", LaneOp::rintf_, LaneOp::rintd},
    {"saturate", LaneOp::saturatef, LaneOp::saturated},
    {"fmin.nan", LaneOp::fminimumf, LaneOp::fminimumd},
    {"fmax.nan", LaneOp::fmaximumf, LaneOp::fmaximumd},
    {"fmin", LaneOp::fminf_, LaneOp::fmind},
    {"fmax", LaneOp::fmaxf_, LaneOp::fmaxd},
    {"add.rn", LaneOp::faddf, LaneOp::faddd},
    {"mul.rn", LaneOp::fmulf, LaneOp::fmuld},
};

struct IntCall {
  const char* name;
  LaneOp word, quad;
};

constexpr IntCall nvvm_integer[] = {
    {"mulhi.i", LaneOp::smulh32, LaneOp::smulh64},
    {"mulhi.ui", LaneOp::umulh32, LaneOp::umulh64},
    {"mulhi.ll", LaneOp::smulh32, LaneOp::smulh64},
    {"mulhi.ull", LaneOp::umulh32, LaneOp::umulh64},
    {"prmt", LaneOp::prmt, LaneOp::prmt},
    {"idp4a.s.s", LaneOp::dp4a_s, LaneOp::dp4a_s},
    {"idp4a.u.u", LaneOp::dp4a_u, LaneOp::dp4a_u},
    {"bitcast.f2i", LaneOp::copy32, LaneOp::copy64},
    {"bitcast.i2f", LaneOp::copy32, LaneOp::copy64},
    {"bitcast.d2ll", LaneOp::copy32, LaneOp::copy64},
    {"bitcast.ll2d", LaneOp::copy32, LaneOp::copy64},
};

struct ConvertCall {
  const char* prefix;
  LaneOp op;
};

constexpr ConvertCall nvvm_convert[] = {
    {"f2i.r", LaneOp::ftos32},   {"f2ui.r", LaneOp::ftou32},  {"f2ll.r", LaneOp::ftos64},
    {"f2ull.r", LaneOp::ftou64}, {"d2i.r", LaneOp::dtos32},   {"d2ui.r", LaneOp::dtou32},
    {"d2ll.r", LaneOp::dtos64},  {"d2ull.r", LaneOp::dtou64}, {"i2f.r", LaneOp::s32tof},
    {"ui2f.r", LaneOp::u32tof},  {"ll2f.r", LaneOp::s64tof},  {"ull2f.r", LaneOp::u64tof},
    {"i2d.r", LaneOp::s32tod},   {"ui2d.r", LaneOp::u32tod},  {"ll2d.r", LaneOp::s64tod},
    {"ull2d.r", LaneOp::u64tod}, {"d2f.r", LaneOp::dtof},     {"f2h.r", LaneOp::ftoh},
};

/// Rounding that a conversion's name asks for, applied to the float before it: "f2i.rn", "f2i.rm", ...
std::optional<std::pair<LaneOp, LaneOp>> rounding(llvm::StringRef name) {
  if (name.contains(".rn"))
    return std::pair(LaneOp::rintf_, LaneOp::rintd);
  if (name.contains(".rm"))
    return std::pair(LaneOp::floorf_, LaneOp::floord);
  if (name.contains(".rp"))
    return std::pair(LaneOp::ceilf_, LaneOp::ceild);
  return std::nullopt;
}

} // namespace

bool Decoder::decode_nvvm(const llvm::CallBase& call, llvm::StringRef name) {
  if (name.starts_with("read.ptx.sreg.")) {
    llvm::StringRef reg = name.drop_front(14);
    if (auto v = by_axis(reg, "tid.", WarpValue::tid_x))
      return assign(call, warp_value(*v)), true;
    if (auto v = by_axis(reg, "ctaid.", GroupValue::group_x))
      return assign(call, group_value(*v)), true;
    if (auto v = by_axis(reg, "ntid.", GroupValue::size_x))
      return assign(call, group_value(*v)), true;
    if (auto v = by_axis(reg, "nctaid.", GroupValue::groups_x))
      return assign(call, group_value(*v)), true;
    if (reg.starts_with("clock") || reg.starts_with("globaltimer")) {
      emit_special(Special::clock, define(call).front());
      return true;
    }
    const int found = llvm::StringSwitch<int>(reg)
                          .Case("laneid", static_cast<int>(WarpValue::lane))
                          .Case("warpid", static_cast<int>(WarpValue::warp))
                          .Case("lanemask.eq", static_cast<int>(WarpValue::eq_mask))
                          .Case("lanemask.lt", static_cast<int>(WarpValue::lt_mask))
                          .Case("lanemask.le", static_cast<int>(WarpValue::le_mask))
                          .Case("lanemask.gt", static_cast<int>(WarpValue::gt_mask))
                          .Case("lanemask.ge", static_cast<int>(WarpValue::ge_mask))
                          .Default(-1);
    if (found >= 0)
      return assign(call, warp_value(static_cast<WarpValue>(found))), true;
    if (reg == "warpsize")
      return assign(call, constant(LaneType::word, program_.warp_width)), true;
    if (reg == "nwarpid")
      return assign(call, group_value(GroupValue::warps)), true;
    return false;
  }
  if (name == "barrier0" || name == "bar.sync" || name == "barrier.sync" || name == "barrier.cta.sync.all" ||
      name.starts_with("barrier.sync.cnt") || name.starts_with("barrier.cta.sync")) {
    if (call.arg_size() > 0)
      if (const auto* id = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0)); !id || !id->isZero()) {
        reject("a named barrier other than 0 is not supported");
        return true;
      }
    program_.has_barrier = true;
    emit_special(Special::barrier, no_slot);
    return true;
  }
  if (name.starts_with("barrier0.")) { // barrier with reduction over the group
    program_.has_barrier = true;
    CrossLaneOp op;
    op.reduce = name == "barrier0.popc"  ? ReduceMode::count
                : name == "barrier0.and" ? ReduceMode::all_true
                                         : ReduceMode::any_true;
    program_.cross_lane_ops.push_back(op);
    const std::int32_t value = slot(call.getArgOperand(0)), d = define(call).front();
    Instruction& out =
        emit_special(Special::barrier, d, static_cast<std::uint32_t>(program_.cross_lane_ops.size()));
    out.slots.a = value;
    return true;
  }
  if (name.starts_with("membar.") || name.starts_with("fence.") || name.starts_with("bar.warp.sync") ||
      name.starts_with("nanosleep") || name.starts_with("prefetch") || name.starts_with("cp.async.commit") ||
      name.starts_with("cp.async.wait"))
    return true;
  // Which elements of the matrices a lane holds, no document says of every target: the products are unknown.
  if (name.starts_with("mma.") || (name.starts_with("wmma.") && name.contains(".mma."))) {
    for (const std::int32_t each : define(call))
      emit_special(Special::unknown_value, each);
    return true;
  }
  if (name.starts_with("ptr.") || name.starts_with("move.") || name.starts_with("compiler."))
    return alias(call, slots(call.getArgOperand(0))), true;
  if (name.starts_with("ldg.") || name.starts_with("ldu.")) {
    emit_load(call, call.getArgOperand(0), call.getType(), define(call));
    return true;
  }
  if (decode_nvvm_exchange(call, name))
    return true;
  for (const IntCall& entry : nvvm_integer)
    if (name == entry.name)
      return elementwise_int(call, entry.word, entry.quad), true;
  for (const ConvertCall& entry : nvvm_convert)
    if (name.starts_with(entry.prefix)) {
      std::int32_t a = slot(call.getArgOperand(0));
      llvm::Type* from = call.getArgOperand(0)->getType();
      if (auto first =
              from->isFloatingPointTy() && call.getType()->isIntegerTy() ? rounding(name) : std::nullopt;
          first && !name.starts_with("f2h"))
        a = emit(from->isDoubleTy() ? first->second : first->first, a);
      put(entry.op, define(call).front(), a);
      return true;
    }
  if (call.getType()->getScalarType()->isFloatingPointTy())
    for (const FloatCall& entry : nvvm_math)
      if (name.starts_with(entry.prefix))
        return elementwise(call, entry.f, entry.d), true;
  return false;
}

bool Decoder::decode_nvvm_exchange(const llvm::CallBase& call, llvm::StringRef name) {
  CrossLaneOp op;
  auto push = [&] {
    program_.cross_lane_ops.push_back(op);
    return static_cast<std::uint32_t>(program_.cross_lane_ops.size() - 1);
  };
  if (name.starts_with("shfl.")) {
    const unsigned first = name.starts_with("shfl.sync.") ? 1 : 0; // member mask comes first
    op.shuffle = name.contains(".up.")     ? ShuffleMode::up
                 : name.contains(".down.") ? ShuffleMode::down
                 : name.contains(".bfly.") ? ShuffleMode::butterfly
                                           : ShuffleMode::index;
    const Slots d = define(call);
    if (d.size() > 1)
      op.predicate_slot = d[1];
    const std::int32_t value = slot(call.getArgOperand(first)), lane = slot(call.getArgOperand(first + 1)),
                       clamp = slot(call.getArgOperand(first + 2));
    Instruction& out = emit_special(Special::shuffle, d[0], push());
    out.slots.a = value;
    out.slots.b = lane;
    out.slots.c = clamp;
    return true;
  }
  if (name.starts_with("vote.")) {
    const unsigned first = name.contains(".sync") ? 1 : 0;
    const std::int32_t value = slot(call.getArgOperand(first)), d = define(call).front();
    if (name.starts_with("vote.ballot")) {
      op.type = LaneType::word;
      emit_special(Special::ballot, d, push()).slots.a = value;
      return true;
    }
    op.vote = name.starts_with("vote.all")   ? VoteMode::all
              : name.starts_with("vote.any") ? VoteMode::any
                                             : VoteMode::uniform;
    emit_special(Special::vote, d, push()).slots.a = value;
    return true;
  }
  if (name.starts_with("match.")) {
    const bool any = name.starts_with("match.any");
    op.type = name.contains("i64") ? LaneType::quad : LaneType::word;
    const Slots d = define(call);
    if (d.size() > 1)
      op.predicate_slot = d[1];
    const std::int32_t value = slot(call.getArgOperand(1));
    emit_special(any ? Special::match_any : Special::match_all, d[0], push()).slots.a = value;
    return true;
  }
  if (name.starts_with("redux.sync.")) {
    llvm::StringRef kind = name.drop_front(11);
    op.reduce = llvm::StringSwitch<ReduceMode>(kind)
                    .Case("add", ReduceMode::add)
                    .Case("min", ReduceMode::min)
                    .Case("max", ReduceMode::max)
                    .Case("umin", ReduceMode::umin)
                    .Case("umax", ReduceMode::umax)
                    .Case("and", ReduceMode::and_)
                    .Case("or", ReduceMode::or_)
                    .Default(ReduceMode::xor_);
    const std::int32_t value = slot(call.getArgOperand(0)), d = define(call).front();
    emit_special(Special::reduce, d, push()).slots.a = value;
    return true;
  }
  if (name.starts_with("activemask")) {
    const std::int32_t d = define(call).front();
    emit_special(Special::ballot, d, push()).slots.a = constant(LaneType::bit, 1);
    return true;
  }
  return false;
}

bool Decoder::decode_amdgcn(const llvm::CallBase& call, llvm::StringRef name) {
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
  if (name == "s.barrier") {
    program_.has_barrier = true;
    emit_special(Special::barrier, no_slot);
    return true;
  }
  if (name == "wave.barrier" || name.starts_with("s.waitcnt") || name.starts_with("sched.") ||
      name.starts_with("s.sleep"))
    return true;
  CrossLaneOp op;
  auto push = [&] {
    program_.cross_lane_ops.push_back(op);
    return static_cast<std::uint32_t>(program_.cross_lane_ops.size() - 1);
  };
  if (name.starts_with("readfirstlane") || name.starts_with("readlane")) {
    op.type = leaves(call.getType()).front().lane;
    const std::int32_t value = slot(call.getArgOperand(0)),
                       lane = call.arg_size() > 1 ? slot(call.getArgOperand(1)) : no_slot,
                       d = define(call).front();
    Instruction& out = emit_special(Special::read_lane, d, push());
    out.slots.a = value;
    out.slots.b = lane;
    return true;
  }
  if (name.starts_with("ballot")) {
    op.type = leaves(call.getType()).front().lane;
    const std::int32_t value = slot(call.getArgOperand(0)), d = define(call).front();
    emit_special(Special::ballot, d, push()).slots.a = value;
    return true;
  }
  if (name.starts_with("ds.bpermute")) {
    const std::int32_t lane = slot(call.getArgOperand(0)), value = slot(call.getArgOperand(1)),
                       d = define(call).front();
    Instruction& out = emit_special(Special::bpermute, d, push());
    out.slots.a = value;
    out.slots.b = lane;
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
  if (name.starts_with("rcp."))
    return elementwise(call, LaneOp::rcpf, LaneOp::rcpd), true;
  if (name.starts_with("rsq."))
    return elementwise(call, LaneOp::rsqrtf, LaneOp::rsqrtd), true;
  if (name.starts_with("sqrt."))
    return elementwise(call, LaneOp::sqrtf_, LaneOp::sqrtd), true;
  if (name.starts_with("exp2."))
    return elementwise(call, LaneOp::exp2f_, LaneOp::exp2d), true;
  if (name.starts_with("log."))
    return elementwise(call, LaneOp::log2f_, LaneOp::log2d), true;
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
    auto cut = [&](std::int32_t x) {
      return is_signed ? sign_extended(x, 24) : emit(LaneOp::and32, x, constant(LaneType::word, 0xFFFFFF));
    };
    put(LaneOp::mul32, define(call).front(), cut(slot(call.getArgOperand(0))),
        cut(slot(call.getArgOperand(1))));
    return true;
  }
  if (name.starts_with("s.memtime") || name.starts_with("s.memrealtime")) {
    emit_special(Special::clock, define(call).front());
    return true;
  }
  return false;
}

} // namespace forewarp::simt
