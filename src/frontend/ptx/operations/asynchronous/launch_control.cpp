// clusterlaunchcontrol: a group asks for the work of one that has not been launched yet. None is ever handed
// over here: all groups of the grid run as they were launched, so the answer is that nothing was cancelled.
#include "frontend/lowering/builtin_call.h"
#include "frontend/ptx/operations/asynchronous/meetings.h"
#include "frontend/ptx/operations/operations.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

namespace forewarp::frontend::ptx {
namespace {

constexpr unsigned answer_bytes = 16;

/// The answer in one group's shared memory, whose barrier hears of its bytes.
void answer(Expansion& e, llvm::Value* place, llvm::Value* barrier) {
  llvm::Type* words = llvm::FixedVectorType::get(e.b.getInt32Ty(), 4);
  e.b.CreateAlignedStore(llvm::Constant::getNullValue(words), place, llvm::Align(answer_bytes), true);
  call_meeting(e, "bytes_come", e.b.getVoidTy(), barrier, e.b.getInt32(answer_bytes));
}

/// The same place of group `rank` of the cluster.
llvm::Value* there(Expansion& e, llvm::Value* place, llvm::Value* rank) {
  llvm::Value* made = lowering::call_marker(e.b, "cluster.map", e.b.getInt64Ty(),
                                            {e.b.CreatePtrToInt(place, e.b.getInt64Ty()), rank},
                                            lowering::MarkerEffect::pure);
  return e.b.CreateIntToPtr(made, place->getType());
}

/// try_cancel [answer], [barrier]; with .multicast::cluster::all in each group of the cluster.
bool ask(Expansion& e, const Statement& s) {
  if (s.operands.size() != 2)
    return false;
  llvm::Value* place = barrier_address(e, s, s.operands[0]);
  llvm::Value* barrier = barrier_address(e, s, s.operands[1]);
  if (!place || !barrier)
    return false;
  if (!s.has("multicast::cluster::all")) {
    answer(e, place, barrier);
    return true;
  }
  const std::string next = "next group";
  e.registers.open_scope();
  e.registers.declare_as(next, e.b.getInt32Ty());
  e.registers.write(next, e.b.getInt32(0));
  llvm::Value* count = e.b.CreateIntrinsic(llvm::Intrinsic::nvvm_read_ptx_sreg_cluster_nctarank, {}, {});
  const bool made = e.repeat([&] {
    llvm::Value* rank = e.registers.value(next);
    answer(e, there(e, place, rank), there(e, barrier, rank));
    llvm::Value* behind = e.b.CreateAdd(rank, e.b.getInt32(1));
    e.registers.write(next, behind);
    return e.b.CreateICmpULT(behind, count);
  });
  e.registers.close_scope();
  return made;
}

/// is_canceled: a predicate; get_first_ctaid: of an answer without a group any number.
bool query(Expansion& e, const Statement& s) {
  if (s.operands.size() != 2)
    return false;
  llvm::Type* whole = e.b.getIntNTy(8 * answer_bytes);
  llvm::Value* answer = e.registers.read(s.operands[1], whole);
  if (!answer)
    return false;
  if (s.has("is_canceled"))
    return e.registers.write(s.operands[0],
                             e.b.CreateICmpNE(e.b.CreateTrunc(answer, e.b.getInt32Ty()), e.b.getInt32(0)));
  const std::vector<std::string> results = pieces_of(s.operands[0]);
  for (std::size_t i = 0; i < results.size(); ++i)
    if (!e.registers.write(results[i],
                           e.b.CreateTrunc(e.b.CreateLShr(answer, 32 * (i % 4)), e.b.getInt32Ty())))
      return false;
  return true;
}

bool control_launch(Expansion& e, const Statement& s) {
  return s.has("try_cancel") ? ask(e, s) : s.has("query_cancel") && query(e, s);
}

constexpr Operation rows[] = {
    {"clusterlaunchcontrol", control_launch,
     ".try_cancel answers that nothing was cancelled, .query_cancel reads it: all groups run as they were "
     "launched"},
};

} // namespace

std::span<const Operation> launch_control_rows() {
  return rows;
}

} // namespace forewarp::frontend::ptx
