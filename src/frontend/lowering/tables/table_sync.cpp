// OpenCL 6.12.8 and 6.12.9: barriers and fences.
#include "frontend/lowering/tables/tables.h"

#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

namespace forewarp::frontend::lowering {

namespace {

namespace intrinsics = llvm::Intrinsic;
using Ordering = llvm::AtomicOrdering;

enum Scope : unsigned { warp_scope, group_scope, device_scope };

void amd_fence(BuiltinCall& call, Ordering ordering, Scope scope) {
  static constexpr const char* names[] = {"wavefront", "workgroup", "agent"};
  call.b.CreateFence(ordering, call.b.getContext().getOrInsertSyncScopeID(names[scope]));
}

llvm::Value* emit_barrier(BuiltinCall& call) {
  if (call.nvidia())
    return call.intrinsic(intrinsics::nvvm_barrier0, {}, {});
  amd_fence(call, Ordering::Release, group_scope);
  llvm::Value* barrier = call.intrinsic(intrinsics::amdgcn_s_barrier, {}, {});
  amd_fence(call, Ordering::Acquire, group_scope);
  return barrier;
}

llvm::Value* emit_warp_barrier(BuiltinCall& call) {
  if (call.nvidia())
    return call.intrinsic(intrinsics::nvvm_bar_warp_sync, {}, {call.b.getInt32(-1)});
  return call.marker("warp.barrier", call.b.getVoidTy(), {}, BuiltinCall::Effect::memory_write);
}

/// mem_fence orders a work-item's own accesses as its group sees them.
llvm::Value* emit_fence(BuiltinCall& call) {
  auto scope = static_cast<Scope>(call.row.code);
  if (call.nvidia())
    return call.intrinsic(scope == device_scope ? intrinsics::nvvm_membar_gl : intrinsics::nvvm_membar_cta,
                          {}, {});
  amd_fence(call, Ordering::AcquireRelease, scope);
  return done(call);
}

/// atomic_work_item_fence(flags, order, scope): memory_scope_device = 2 and above reach beyond the group.
llvm::Value* emit_work_item_fence(BuiltinCall& call) {
  auto* scope = llvm::dyn_cast<llvm::ConstantInt>(call.arg(2));
  bool wide = !scope || scope->getZExtValue() >= 2;
  if (call.nvidia())
    return call.intrinsic(wide ? intrinsics::nvvm_membar_gl : intrinsics::nvvm_membar_cta, {}, {});
  amd_fence(call, Ordering::AcquireRelease, wide ? device_scope : group_scope);
  return done(call);
}

constexpr Row sync_row_list[] = {
    {"barrier", emit_barrier},
    {"work_group_barrier", emit_barrier},
    {"wait_group_events", emit_barrier},
    {"sub_group_barrier", emit_warp_barrier},
    {"mem_fence", emit_fence, group_scope},
    {"read_mem_fence", emit_fence, group_scope},
    {"write_mem_fence", emit_fence, group_scope},
    {"atomic_work_item_fence", emit_work_item_fence},
};

} // namespace

std::span<const Row> sync_rows() {
  return sync_row_list;
}

} // namespace forewarp::frontend::lowering
