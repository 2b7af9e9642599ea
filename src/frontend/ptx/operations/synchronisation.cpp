// Barriers, fences, hints. Not modelled: counting at barriers other than number 0; what hints change.
#include "frontend/ptx/operations/asynchronous/meetings.h"
#include "frontend/ptx/operations/operations.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

namespace forewarp::frontend::ptx {
namespace {

namespace intrinsics = llvm::Intrinsic;

bool fence(Expansion& e, const Statement& s) {
  if (s.has("proxy") || s.has("mbarrier_init")) // orders paths to memory that are one here
    return true;
  const intrinsics::ID id = s.has("cta")   ? intrinsics::nvvm_membar_cta
                            : s.has("sys") ? intrinsics::nvvm_membar_sys
                                           : intrinsics::nvvm_membar_gl;
  e.b.CreateIntrinsic(id, {}, {});
  return true;
}

/// bar.red.popc.u32 d, name, p: how many; .and, .or: whether all or any. Of the whole group by whatever name.
bool count_at_barrier(Expansion& e, const Statement& s) {
  if (s.operands.size() == 4)
    return e.refuse(
        "a vote at a barrier of a part of the group is not modelled: leave out the number of threads where "
        "it is all of them");
  if (s.operands.size() != 3)
    return false;
  llvm::Value* predicate = e.registers.read(s.operands[2], e.b.getInt1Ty());
  const intrinsics::ID id = s.has("popc")  ? intrinsics::nvvm_barrier0_popc
                            : s.has("and") ? intrinsics::nvvm_barrier0_and
                                           : intrinsics::nvvm_barrier0_or;
  if (!predicate)
    return false;
  llvm::Value* made = e.b.CreateIntrinsic(id, {}, {e.b.CreateZExt(predicate, e.b.getInt32Ty())});
  if (s.has("popc"))
    return e.registers.write(s.operands[0], made);
  return e.registers.write(s.operands[0], e.b.CreateICmpNE(made, e.b.getInt32(0)));
}

bool barrier(Expansion& e, const Statement& s) {
  if (s.has("cluster") && s.has_any({"arrive", "wait"}))
    return call_meeting(e, s.has("arrive") ? "cluster_arrive" : "cluster_leave", e.b.getVoidTy(),
                        e.b.getInt64(0), e.b.getInt32(0)) != nullptr;
  if (s.has("warp")) {
    llvm::Value* members =
        s.operands.size() == 1 ? e.registers.read(s.operands[0], e.b.getInt32Ty()) : nullptr;
    if (members)
      e.b.CreateIntrinsic(intrinsics::nvvm_bar_warp_sync, {}, {members});
    return members != nullptr;
  }
  if (s.has("red"))
    return count_at_barrier(e, s);
  if (s.has("arrive"))
    return gather_at(e, s, false);
  if (!s.has("sync"))
    return false;
  const auto name = s.operands.empty() ? std::nullopt : integer_of(s.operands[0]);
  if (s.operands.size() != 1 || name != 0)
    return gather_at(e, s, true);
  e.b.CreateIntrinsic(intrinsics::nvvm_barrier0, {}, {});
  return true;
}

/// What no run sees.
bool nothing(Expansion&, const Statement&) {
  return true;
}

/// A policy is a number that only accesses read.
bool create_policy(Expansion& e, const Statement& s) {
  return !s.operands.empty() && e.registers.write(s.operands[0], e.b.getInt64(0));
}

bool trap(Expansion& e, const Statement&) {
  e.b.CreateIntrinsic(intrinsics::trap, {}, {});
  return true;
}

constexpr Operation synchronisation_row_list[] = {
    {"applypriority", nothing, "read; costs nothing"},
    {"bar", barrier,
     ".sync and .arrive of any barrier and number of threads, .red.popc, .red.and, .red.or of the whole "
     "group; "
     ".warp.sync"},
    {"barrier", barrier, "as bar; .cluster.arrive and .cluster.wait"},
    {"createpolicy", create_policy, "read; costs nothing"},
    {"discard", nothing, "read; costs nothing"},
    {"fence", fence, ".sc, .acq_rel of .cta, .gpu, .sys; .proxy costs nothing"},
    {"griddepcontrol", nothing, "read; launches do not overlap"},
    {"membar", fence, ".cta, .gl, .sys"},
    {"nanosleep", nothing, "read; costs nothing"},
    {"pmevent", nothing, "read; costs nothing"},
    {"prefetch", nothing, "read; costs nothing"},
    {"prefetchu", nothing, "read; costs nothing"},
    {"setmaxnreg", nothing, "read; costs nothing"},
    {"trap", trap, "ends the thread"},
};

} // namespace

std::span<const Operation> synchronisation_rows() {
  return synchronisation_row_list;
}

} // namespace forewarp::frontend::ptx
