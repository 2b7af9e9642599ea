// Sub-groups (a sub-group is a warp) and work-group functions: markers, see ir/builtins.h.
#include "frontend/lowering/group_exchange.h"
#include "frontend/lowering/tables/tables.h"
#include "frontend/lowering/work_item.h"

#include <llvm/IR/Intrinsics.h>

namespace forewarp::frontend::lowering {

namespace {

using Effect = BuiltinCall::Effect;

llvm::Value* exchange_call(BuiltinCall& call, const std::string& name) {
  llvm::SmallVector<llvm::Value*, 4> arguments(call.call.args());
  return call.per_component(call.type(), arguments, [&](llvm::ArrayRef<llvm::Value*> p) -> llvm::Value* {
    return call.marker(name + "." + type_suffix(p[0]->getType()), p[0]->getType(), p, Effect::convergent);
  });
}

llvm::Value* emit_exchange(BuiltinCall& call) {
  return exchange_call(call, call.row.word);
}

/// reduce and scan: min and max are named by signedness.
llvm::Value* emit_reduction(BuiltinCall& call) {
  std::string name = call.row.word;
  bool ordered = name.ends_with("_min") || name.ends_with("_max");
  if (ordered && call.is_unsigned(0))
    name.insert(name.size() - 3, "u");
  return exchange_call(call, name);
}

llvm::Value* emit_vote(BuiltinCall& call) {
  return call.marker(call.row.word, call.b.getInt32Ty(), {call.arg(0)}, Effect::convergent);
}

/// OpenCL's predicates are any integers.
llvm::Value* emit_group_vote(BuiltinCall& call) {
  llvm::Value* holds = call.b.CreateICmpNE(call.arg(0), call.b.getInt32(0));
  return group_vote(call, static_cast<Vote>(call.row.code), call.b.CreateZExt(holds, call.b.getInt32Ty()));
}

/// "reduce_", "scan_inclusive_" or "scan_exclusive_" and the operation.
llvm::Value* emit_group_reduction(BuiltinCall& call) {
  llvm::StringRef rest = call.row.word;
  const bool reduction = rest.consume_front("reduce_"), inclusive = rest.consume_front("scan_inclusive_");
  rest.consume_front("scan_exclusive_");
  const std::string operation = (rest != "add" && call.is_unsigned(0) ? "u" : "") + rest.str();
  llvm::Value* value = call.arg(0);
  if (value->getType()->isVectorTy())
    return nullptr; // the language has scalars only
  return reduction ? group_reduction(call, operation, value) : group_scan(call, operation, inclusive, value);
}

llvm::Value* emit_group_broadcast(BuiltinCall& call) {
  llvm::SmallVector<llvm::Value*, 3> index;
  for (unsigned i = 1; i < call.count(); ++i)
    index.push_back(call.arg(i));
  return call.arg(0)->getType()->isVectorTy() ? nullptr : group_broadcast(call, call.arg(0), index);
}

llvm::Value* emit_ballot(BuiltinCall& call) {
  llvm::Value* predicate =
      call.b.CreateICmpNE(call.arg(0), llvm::Constant::getNullValue(call.arg(0)->getType()));
  llvm::Value* mask = call.marker("warp.ballot", call.b.getInt64Ty(), {predicate}, Effect::convergent);
  if (!call.type()->isVectorTy())
    return call.b.CreateZExtOrTrunc(mask, call.type());
  llvm::Value* halves = call.b.CreateBitCast(mask, llvm::FixedVectorType::get(call.b.getInt32Ty(), 2));
  llvm::Value* result = llvm::Constant::getNullValue(call.type());
  for (unsigned i = 0; i < 2; ++i)
    result = call.b.CreateInsertElement(result, call.b.CreateExtractElement(halves, i), i);
  return result;
}

enum Position : unsigned { lane, warp, warp_count, warp_size, max_warp_size };

llvm::Value* emit_position(BuiltinCall& call) {
  llvm::Type* i32 = call.b.getInt32Ty();
  switch (static_cast<Position>(call.row.code)) {
  case lane:
    return call.marker("item.lane", i32, {});
  case warp:
    return call.marker("item.warp", i32, {});
  case warp_count:
    return call.marker("item.warp_count", i32, {});
  case max_warp_size:
    return call.b.getInt32(call.warp_width);
  case warp_size: { // the last warp of a group may be partial
    llvm::Value* first =
        call.b.CreateMul(call.marker("item.warp", i32, {}), call.b.getInt32(call.warp_width));
    llvm::Value* rest = call.b.CreateSub(linear_local_size(call), first);
    return call.b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, rest, call.b.getInt32(call.warp_width));
  }
  }
  return nullptr;
}

#define FOREWARP_REDUCTIONS(prefix, emit, word, op)                                                          \
  {prefix "reduce_" op, emit, 0, word "reduce_" op},                                                         \
      {prefix "scan_inclusive_" op, emit, 0, word "scan_inclusive_" op}, {                                   \
    prefix "scan_exclusive_" op, emit, 0, word "scan_exclusive_" op                                          \
  }

constexpr Row collective_row_list[] = {
    {"get_sub_group_local_id", emit_position, lane},
    {"get_sub_group_id", emit_position, warp},
    {"get_num_sub_groups", emit_position, warp_count},
    {"get_enqueued_num_sub_groups", emit_position, warp_count},
    {"get_sub_group_size", emit_position, warp_size},
    {"get_max_sub_group_size", emit_position, max_warp_size},
    {"sub_group_any", emit_vote, 0, "warp.any"},
    {"sub_group_all", emit_vote, 0, "warp.all"},
    {"sub_group_ballot", emit_ballot},
    {"sub_group_broadcast", emit_exchange, 0, "warp.broadcast"},
    {"sub_group_shuffle", emit_exchange, 0, "warp.shuffle"},
    {"sub_group_shuffle_xor", emit_exchange, 0, "warp.shuffle_xor"},
    {"sub_group_shuffle_up", emit_exchange, 0, "warp.shuffle_up"},
    {"sub_group_shuffle_down", emit_exchange, 0, "warp.shuffle_down"},
    {"work_group_any", emit_group_vote, static_cast<unsigned>(Vote::any)},
    {"work_group_all", emit_group_vote, static_cast<unsigned>(Vote::all)},
    {"work_group_broadcast", emit_group_broadcast},
    FOREWARP_REDUCTIONS("sub_group_", emit_reduction, "warp.", "add"),
    FOREWARP_REDUCTIONS("sub_group_", emit_reduction, "warp.", "min"),
    FOREWARP_REDUCTIONS("sub_group_", emit_reduction, "warp.", "max"),
    FOREWARP_REDUCTIONS("work_group_", emit_group_reduction, "", "add"),
    FOREWARP_REDUCTIONS("work_group_", emit_group_reduction, "", "min"),
    FOREWARP_REDUCTIONS("work_group_", emit_group_reduction, "", "max"),
};

} // namespace

std::span<const Row> collective_rows() {
  return collective_row_list;
}

} // namespace forewarp::frontend::lowering
