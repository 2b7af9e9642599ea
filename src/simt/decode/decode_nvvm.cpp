// Calls of llvm.nvvm.* intrinsics.
#include "simt/decode/decoder.h"
#include "simt/decode/target_calls.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace forewarp::simt {
namespace {

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

/// Ordering and hints: nothing that a run sees.
bool is_nothing(llvm::StringRef name) {
  constexpr std::array prefixes = {
      "membar.",       "fence.",      "bar.warp.sync",      "nanosleep",  "prefetch",      "cp.async.commit",
      "cp.async.wait", "wgmma.fence", "wgmma.commit_group", "setmaxnreg", "griddepcontrol"};
  return std::ranges::any_of(prefixes, [&](const char* prefix) { return name.starts_with(prefix); });
}

bool is_plain_barrier(llvm::StringRef name) {
  return name == "barrier0" || name == "bar.sync" || name.starts_with("barrier.sync") ||
         name.starts_with("barrier.cta.sync");
}

} // namespace

bool Decoder::decode_nvvm(const llvm::CallBase& call, llvm::StringRef name) {
  if (llvm::StringRef special_register = name; special_register.consume_front("read.ptx.sreg."))
    return decode_nvvm_register(call, special_register);
  if (is_nothing(name))
    return true;
  if (name.starts_with("mma.") && decode_product(call, name))
    return true;
  // Which elements of the matrices a lane holds, no document says of wmma: the products are unknown.
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
  return decode_nvvm_barrier(call, name) || decode_nvvm_shuffle(call, name) || decode_nvvm_vote(call, name) ||
         decode_nvvm_arithmetic(call, name);
}

bool Decoder::decode_nvvm_register(const llvm::CallBase& call, llvm::StringRef name) {
  if (auto v = by_axis(name, "tid.", WarpValue::tid_x))
    return assign(call, warp_value(*v)), true;
  if (auto v = by_axis(name, "ctaid.", GroupValue::group_x))
    return assign(call, group_value(*v)), true;
  if (auto v = by_axis(name, "ntid.", GroupValue::size_x))
    return assign(call, group_value(*v)), true;
  if (auto v = by_axis(name, "nctaid.", GroupValue::groups_x))
    return assign(call, group_value(*v)), true;
  for (const auto& [prefix, x] :
       {std::pair("cluster.ctaid.", GroupValue::in_cluster_x),
        std::pair("cluster.nctaid.", GroupValue::cluster_x),
        std::pair("clusterid.", GroupValue::cluster_id_x), std::pair("nclusterid.", GroupValue::clusters_x)})
    if (auto v = by_axis(name, prefix, x))
      return assign(call, group_value(*v)), true;
  if (name == "cluster.ctarank" || name == "cluster.nctarank")
    return assign(call, group_value(name == "cluster.ctarank" ? GroupValue::cluster_rank
                                                              : GroupValue::cluster_count)),
           true;
  if (name.starts_with("clock") || name.starts_with("globaltimer")) {
    emit_special(Special::clock, define(call).front());
    return true;
  }
  const auto of_warp = llvm::StringSwitch<std::optional<WarpValue>>(name)
                           .Case("laneid", WarpValue::lane)
                           .Case("warpid", WarpValue::warp)
                           .Case("lanemask.eq", WarpValue::eq_mask)
                           .Case("lanemask.lt", WarpValue::lt_mask)
                           .Case("lanemask.le", WarpValue::le_mask)
                           .Case("lanemask.gt", WarpValue::gt_mask)
                           .Case("lanemask.ge", WarpValue::ge_mask)
                           .Default(std::nullopt);
  if (of_warp)
    return assign(call, warp_value(*of_warp)), true;
  if (name == "warpsize")
    return assign(call, constant(LaneType::word, program_.warp_width)), true;
  if (name == "nwarpid")
    return assign(call, group_value(GroupValue::warps)), true;
  return false;
}

bool Decoder::decode_nvvm_barrier(const llvm::CallBase& call, llvm::StringRef name) {
  if (is_plain_barrier(name)) {
    if (call.arg_size() > 0)
      if (const auto* id = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0)); !id || !id->isZero()) {
        reject("a named barrier other than 0 is not supported");
        return true;
      }
    program_.has_barrier = true;
    emit_special(Special::barrier, no_slot);
    return true;
  }
  if (!name.starts_with("barrier0.")) // with a reduction over the group
    return false;
  program_.has_barrier = true;
  CrossLaneOp op;
  op.reduce = name == "barrier0.popc"  ? ReduceMode::count
              : name == "barrier0.and" ? ReduceMode::all_true
                                       : ReduceMode::any_true;
  program_.cross_lane_ops.push_back(op);
  const std::int32_t value = slot(call.getArgOperand(0)), d = define(call).front();
  // A barrier's detail is one more than the index: 0 is a barrier without one.
  emit_special(Special::barrier, d, static_cast<std::uint32_t>(program_.cross_lane_ops.size())).slots.a =
      value;
  return true;
}

bool Decoder::decode_nvvm_shuffle(const llvm::CallBase& call, llvm::StringRef name) {
  if (!name.starts_with("shfl."))
    return false;
  const unsigned first = name.starts_with("shfl.sync.") ? 1 : 0; // member mask comes first
  CrossLaneOp op;
  op.shuffle = name.contains(".up.")     ? ShuffleMode::up
               : name.contains(".down.") ? ShuffleMode::down
               : name.contains(".bfly.") ? ShuffleMode::butterfly
                                         : ShuffleMode::index;
  const Slots d = define(call);
  if (d.size() > 1)
    op.predicate_slot = d[1];
  const std::int32_t value = slot(call.getArgOperand(first)), lane = slot(call.getArgOperand(first + 1)),
                     clamp = slot(call.getArgOperand(first + 2));
  Instruction& out = emit_cross_lane(Special::shuffle, d[0], op);
  out.slots.a = value;
  out.slots.b = lane;
  out.slots.c = clamp;
  return true;
}

/// Votes, matches and reductions over a warp.
bool Decoder::decode_nvvm_vote(const llvm::CallBase& call, llvm::StringRef name) {
  CrossLaneOp op;
  if (name.starts_with("vote.")) {
    const std::int32_t value = slot(call.getArgOperand(name.contains(".sync") ? 1 : 0)),
                       d = define(call).front();
    const bool ballot = name.starts_with("vote.ballot");
    if (ballot)
      op.type = LaneType::word;
    op.vote = name.starts_with("vote.all")   ? VoteMode::all
              : name.starts_with("vote.any") ? VoteMode::any
                                             : VoteMode::uniform;
    emit_cross_lane(ballot ? Special::ballot : Special::vote, d, op).slots.a = value;
    return true;
  }
  if (name.starts_with("match.")) {
    const bool any = name.starts_with("match.any");
    op.type = name.contains("i64") ? LaneType::quad : LaneType::word;
    const Slots d = define(call);
    if (d.size() > 1)
      op.predicate_slot = d[1];
    const std::int32_t value = slot(call.getArgOperand(1));
    emit_cross_lane(any ? Special::match_any : Special::match_all, d[0], op).slots.a = value;
    return true;
  }
  if (llvm::StringRef kind = name; kind.consume_front("redux.sync.")) {
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
    emit_cross_lane(Special::reduce, d, op).slots.a = value;
    return true;
  }
  if (!name.starts_with("activemask"))
    return false;
  emit_cross_lane(Special::ballot, define(call).front(), op).slots.a = constant(LaneType::bit, 1);
  return true;
}

bool Decoder::decode_nvvm_arithmetic(const llvm::CallBase& call, llvm::StringRef name) {
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

} // namespace forewarp::simt
