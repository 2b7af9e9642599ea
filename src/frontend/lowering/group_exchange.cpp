#include "frontend/lowering/group_exchange.h"

#include "frontend/lowering/tables/tables.h"
#include "frontend/lowering/work_item.h"
#include "ir/address_spaces.h"

#include <llvm/IR/IntrinsicsNVPTX.h>

namespace forewarp::frontend::lowering {

namespace {

using Effect = BuiltinCall::Effect;

constexpr unsigned most_lanes = 64;

/// One value a warp or lane in shared memory. Two arrays by turns need no barrier before they are written
/// again: between two writes of one all threads pass the barrier of the other.
class SharedArray {
public:
  SharedArray(BuiltinCall& call, llvm::Type* element, const char* name) : call_(call), element_(element) {
    auto* type = llvm::ArrayType::get(element, 2 * most_lanes);
    const std::string symbol = std::string("work_group_") + name + "." + type_suffix(element);
    array_ = call.module().getNamedGlobal(symbol);
    if (array_ == nullptr) {
      array_ = new llvm::GlobalVariable(call.module(), type, false, llvm::GlobalValue::InternalLinkage,
                                        llvm::UndefValue::get(type), symbol, nullptr,
                                        llvm::GlobalValue::NotThreadLocal, ir::shared_space);
      array_->setAlignment(llvm::Align(8));
    }
  }
  void store(llvm::Value* value, llvm::Value* index) { call_.b.CreateStore(value, address(index)); }
  llvm::Value* load(llvm::Value* index) { return call_.b.CreateLoad(element_, address(index)); }

private:
  llvm::Value* address(llvm::Value* index) { return call_.b.CreateGEP(element_, array_, {index}); }

  BuiltinCall& call_;
  llvm::Type* element_;
  llvm::GlobalVariable* array_;
};

llvm::Value* item(BuiltinCall& call, const char* name) {
  return call.marker(std::string("item.") + name, call.b.getInt32Ty(), {});
}

void barrier(BuiltinCall& call) {
  find_row("barrier")->emit(call);
}

/// Each warp's value, of lane w warp w's; lanes beyond the last warp have the last one's.
llvm::Value* of_warps(BuiltinCall& call, llvm::Value* of_warp) {
  SharedArray array(call, of_warp->getType(), "values");
  array.store(of_warp, item(call, "warp"));
  barrier(call);
  llvm::Value* last = call.b.CreateSub(item(call, "warp_count"), call.b.getInt32(1));
  return array.load(call.b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, item(call, "lane"), last));
}

/// What the first warp has in lane `lane`: it alone is whole for certain where there are several.
llvm::Value* of_first_warp(BuiltinCall& call, llvm::Value* value, llvm::Value* lane) {
  SharedArray array(call, value->getType(), "results");
  llvm::Value* elsewhere = call.b.CreateAdd(item(call, "lane"), call.b.getInt32(most_lanes));
  llvm::Value* is_first = call.b.CreateICmpEQ(item(call, "warp"), call.b.getInt32(0));
  array.store(value, call.b.CreateSelect(is_first, item(call, "lane"), elsewhere));
  barrier(call);
  return array.load(lane);
}

llvm::Value* of_warp(BuiltinCall& call, const std::string& operation,
                     llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::Type* type = arguments[0]->getType();
  return call.marker("warp." + operation + "." + type_suffix(type), type, arguments, Effect::convergent);
}

llvm::Value* combine(BuiltinCall& call, llvm::StringRef operation, llvm::Value* a, llvm::Value* b) {
  const bool is_float = a->getType()->isFloatingPointTy();
  if (operation == "add")
    return is_float ? call.b.CreateFAdd(a, b) : call.b.CreateAdd(a, b);
  const bool is_max = operation.ends_with("max");
  if (is_float)
    return is_max ? call.b.CreateMaxNum(a, b) : call.b.CreateMinNum(a, b);
  const bool is_unsigned = operation.starts_with("u");
  return call.b.CreateBinaryIntrinsic(is_max ? (is_unsigned ? llvm::Intrinsic::umax : llvm::Intrinsic::smax)
                                             : (is_unsigned ? llvm::Intrinsic::umin : llvm::Intrinsic::smin),
                                      a, b);
}

} // namespace

llvm::Value* group_vote(BuiltinCall& call, Vote vote, llvm::Value* predicate) {
  if (call.nvidia()) // one instruction there
    return call.intrinsic(vote == Vote::any   ? llvm::Intrinsic::nvvm_barrier0_or
                          : vote == Vote::all ? llvm::Intrinsic::nvvm_barrier0_and
                                              : llvm::Intrinsic::nvvm_barrier0_popc,
                          {}, {predicate});
  if (vote == Vote::count)
    return group_reduction(call, "add", predicate);
  const char* marker = vote == Vote::any ? "warp.any" : "warp.all";
  const auto warp = [&](llvm::Value* flag) {
    return call.marker(marker, call.b.getInt32Ty(), {flag}, Effect::convergent);
  };
  return of_first_warp(call, warp(of_warps(call, warp(predicate))), call.b.getInt32(0));
}

llvm::Value* group_reduction(BuiltinCall& call, const std::string& operation, llvm::Value* value) {
  llvm::Value* others = of_warps(call, of_warp(call, "reduce_" + operation, {value}));
  if (operation == "add") { // more than once the last one only serves minima and maxima
    llvm::Value* is_one = call.b.CreateICmpULT(item(call, "lane"), item(call, "warp_count"));
    others = call.b.CreateSelect(is_one, others, llvm::Constant::getNullValue(value->getType()));
  }
  return of_first_warp(call, of_warp(call, "reduce_" + operation, {others}), call.b.getInt32(0));
}

llvm::Value* group_scan(BuiltinCall& call, const std::string& operation, bool inclusive, llvm::Value* value) {
  llvm::Value* last_lane = call.b.getInt32(call.warp_width - 1);
  llvm::Value* own = of_warp(call, (inclusive ? "scan_inclusive_" : "scan_exclusive_") + operation, {value});
  llvm::Value* total = of_warp(call, "shuffle", {own, last_lane});
  if (!inclusive)
    total = combine(call, operation, total, of_warp(call, "shuffle", {value, last_lane}));
  llvm::Value* before = of_warp(call, "scan_exclusive_" + operation, {of_warps(call, total)});
  return combine(call, operation, of_first_warp(call, before, item(call, "warp")), own);
}

llvm::Value* group_broadcast(BuiltinCall& call, llvm::Value* value, llvm::ArrayRef<llvm::Value*> index) {
  llvm::Value* is_source = call.b.getTrue();
  for (unsigned d = 0; d < index.size(); ++d) {
    llvm::Value* wanted = call.b.CreateZExtOrTrunc(index[d], call.b.getInt32Ty());
    is_source =
        call.b.CreateAnd(is_source, call.b.CreateICmpEQ(item_index(call, ItemIndex::local_id, d), wanted));
  }
  SharedArray array(call, value->getType(), "values");
  llvm::Value* elsewhere = call.b.CreateAdd(item(call, "lane"), call.b.getInt32(most_lanes));
  array.store(value, call.b.CreateSelect(is_source, call.b.getInt32(0), elsewhere));
  barrier(call);
  llvm::Value* result = array.load(call.b.getInt32(0));
  barrier(call);
  return result;
}

} // namespace forewarp::frontend::lowering
