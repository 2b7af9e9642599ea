#include "frontend/lowering/target_intrinsics.h"

#include "frontend/lowering/amd_buffers.h"
#include "frontend/ptx/inline_ptx.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <string>

namespace forewarp::frontend::lowering {
namespace {

/// "{$0, $1}, [$2];" for two results.
std::string operands(unsigned results) {
  std::string text = "{";
  for (unsigned i = 0; i < results; ++i)
    text += (i > 0 ? ", $" : "$") + std::to_string(i);
  return text + "}, [$" + std::to_string(results) + "];";
}

std::string constraints(unsigned results) {
  std::string text;
  for (unsigned i = 0; i < results; ++i)
    text += "=r,";
  return text + "r";
}

/// Replaces the call by a statement of PTX with these constraints. False: it is not modelled, and nothing is
/// changed.
bool replace_by(llvm::CallInst& call, const std::string& text, const std::string& constraints,
                llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::SmallVector<llvm::Type*, 8> types;
  for (llvm::Value* argument : arguments)
    types.push_back(argument->getType());
  auto* signature = llvm::FunctionType::get(call.getType(), types, false);
  auto* code = llvm::InlineAsm::get(signature, text, constraints, true);
  auto* statement = llvm::CallInst::Create(signature, code, arguments, "", call.getIterator());
  statement->setDebugLoc(call.getDebugLoc());
  const bool has_value = !call.getType()->isVoidTy();
  if (has_value)
    call.replaceAllUsesWith(statement);
  if (ptx::expand_inline_ptx(*statement)) {
    if (has_value)
      statement->replaceAllUsesWith(&call);
    statement->eraseFromParent();
    return false;
  }
  call.eraseFromParent();
  return true;
}

/// Halves of a double: llvm.nvvm.d2i.lo, d2i.hi, lohi.i2d.
bool expand_halves(llvm::CallInst& call) {
  const llvm::StringRef name = call.getCalledFunction()->getName();
  const bool is_high = name == "llvm.nvvm.d2i.hi", joins = name == "llvm.nvvm.lohi.i2d";
  if (!is_high && !joins && name != "llvm.nvvm.d2i.lo")
    return false;
  llvm::IRBuilder<> b(&call);
  llvm::Value* made = nullptr;
  if (joins) {
    llvm::Value* high = b.CreateShl(b.CreateZExt(call.getArgOperand(1), b.getInt64Ty()), 32);
    made = b.CreateOr(high, b.CreateZExt(call.getArgOperand(0), b.getInt64Ty()));
    made = b.CreateBitCast(made, b.getDoubleTy());
  } else {
    made = b.CreateBitCast(call.getArgOperand(0), b.getInt64Ty());
    made = b.CreateTrunc(is_high ? b.CreateLShr(made, 32) : made, b.getInt32Ty());
  }
  call.replaceAllUsesWith(made);
  call.eraseFromParent();
  return true;
}

bool expand_matrix_rows(llvm::CallInst& call) {
  llvm::StringRef name = call.getCalledFunction()->getName();
  const bool loads = name.consume_front("llvm.nvvm.ldmatrix.sync.aligned.");
  if (!loads && !name.consume_front("llvm.nvvm.stmatrix.sync.aligned."))
    return false;
  if (call.arg_size() == 0 || !call.getArgOperand(0)->getType()->isPointerTy() || !name.consume_back(".p3"))
    return false;
  const auto [shape, type] = name.rsplit('.');
  llvm::SmallVector<llvm::Value*, 8> arguments(call.args());
  if (loads) {
    const auto* several = llvm::dyn_cast<llvm::StructType>(call.getType());
    const unsigned results = several ? several->getNumElements() : 1;
    return replace_by(
        call, "ldmatrix.sync.aligned." + shape.str() + ".shared." + type.str() + " " + operands(results),
        constraints(results), arguments);
  }
  std::string text = "stmatrix.sync.aligned." + shape.str() + ".shared." + type.str() + " [$0], {",
              codes = "r";
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    text += (i > 1 ? ", $" : "$") + std::to_string(i);
    codes += ",r";
  }
  return replace_by(call, text + "};", codes, arguments);
}

/// Intrinsics that are one statement of PTX, also of newer LLVMs.
struct StatementRow {
  const char *name, *text, *constraints;
};
constexpr StatementRow statements[] = {
    {"barrier.cta.sync.aligned.all", "barrier.sync.aligned $0;", "r"},
    {"barrier.cta.sync.all", "barrier.sync $0;", "r"},
    {"barrier.cta.sync.aligned.count", "barrier.sync.aligned $0, $1;", "r,r"},
    {"barrier.cta.sync.count", "barrier.sync $0, $1;", "r,r"},
    {"barrier.cta.arrive.aligned.count", "barrier.arrive.aligned $0, $1;", "r,r"},
    {"barrier.cta.arrive.count", "barrier.arrive $0, $1;", "r,r"},
    {"barrier.sync", "barrier.sync $0;", "r"},
    {"barrier.sync.cnt", "barrier.sync $0, $1;", "r,r"},
    {"bar.sync", "bar.sync $0;", "r"},
    {"barrier", "bar.sync $0, $1;", "r,r"},
    {"barrier.n", "bar.sync $0;", "r"},
    {"mbarrier.init", "mbarrier.init.b64 [$0], $1;", "l,r"},
    {"mbarrier.init.shared", "mbarrier.init.shared.b64 [$0], $1;", "r,r"},
    {"mbarrier.inval", "mbarrier.inval.b64 [$0];", "l"},
    {"mbarrier.inval.shared", "mbarrier.inval.shared.b64 [$0];", "r"},
    {"mbarrier.arrive", "mbarrier.arrive.b64 $0, [$1];", "=l,l"},
    {"mbarrier.arrive.shared", "mbarrier.arrive.shared.b64 $0, [$1];", "=l,r"},
    {"mbarrier.arrive.noComplete", "mbarrier.arrive.noComplete.b64 $0, [$1], $2;", "=l,l,r"},
    {"mbarrier.arrive.noComplete.shared", "mbarrier.arrive.noComplete.shared.b64 $0, [$1], $2;", "=l,r,r"},
    {"mbarrier.arrive.drop", "mbarrier.arrive_drop.b64 $0, [$1];", "=l,l"},
    {"mbarrier.arrive.drop.shared", "mbarrier.arrive_drop.shared.b64 $0, [$1];", "=l,r"},
    {"mbarrier.test.wait", "mbarrier.test_wait.b64 $0, [$1], $2;", "=b,l,l"},
    {"mbarrier.test.wait.shared", "mbarrier.test_wait.shared.b64 $0, [$1], $2;", "=b,r,l"},
    {"cp.async.mbarrier.arrive", "cp.async.mbarrier.arrive.b64 [$0];", "l"},
    {"cp.async.mbarrier.arrive.shared", "cp.async.mbarrier.arrive.shared.b64 [$0];", "r"},
    {"cp.async.mbarrier.arrive.noinc", "cp.async.mbarrier.arrive.noinc.b64 [$0];", "l"},
    {"cp.async.mbarrier.arrive.noinc.shared", "cp.async.mbarrier.arrive.noinc.shared.b64 [$0];", "r"},
    {"cp.async.bulk.commit.group", "cp.async.bulk.commit_group;", ""},
    {"cp.async.bulk.wait.group", "cp.async.bulk.wait_group $0;", "n"},
    {"cp.async.bulk.wait.group.read", "cp.async.bulk.wait_group.read $0;", "n"},
    {"barrier.cluster.arrive", "barrier.cluster.arrive;", ""},
    {"barrier.cluster.arrive.aligned", "barrier.cluster.arrive.aligned;", ""},
    {"barrier.cluster.arrive.relaxed", "barrier.cluster.arrive.relaxed;", ""},
    {"barrier.cluster.arrive.relaxed.aligned", "barrier.cluster.arrive.relaxed.aligned;", ""},
    {"barrier.cluster.wait", "barrier.cluster.wait;", ""},
    {"barrier.cluster.wait.aligned", "barrier.cluster.wait.aligned;", ""},
    {"mapa", "mapa.u64 $0, $1, $2;", "=l,l,r"},
    {"mapa.shared.cluster", "mapa.shared::cluster.u32 $0, $1, $2;", "=r,r,r"},
    {"getctarank", "getctarank.u64 $0, $1;", "=r,l"},
    {"getctarank.shared.cluster", "getctarank.shared::cluster.u32 $0, $1;", "=r,r"},
    {"elect.sync", "elect.sync $0|$1, $2;", "=r,=b,r"},
    {"tcgen05.wait.ld", "tcgen05.wait::ld.sync.aligned;", ""},
    {"tcgen05.wait.st", "tcgen05.wait::st.sync.aligned;", ""},
};

bool expand_statement(llvm::CallInst& call) {
  llvm::StringRef name = call.getCalledFunction()->getName();
  if (!name.consume_front("llvm.nvvm."))
    return false;
  if (name == "barrier.cta.sync.aligned.all" || name == "bar.sync" || name == "barrier.n")
    if (const auto* zero = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0)); zero && zero->isZero()) {
      llvm::IRBuilder<>(&call).CreateIntrinsic(llvm::Intrinsic::nvvm_barrier0, {}, {});
      call.eraseFromParent();
      return true;
    }
  for (const StatementRow& row : statements)
    if (name == row.name) {
      const llvm::SmallVector<llvm::Value*, 4> arguments(call.args());
      return replace_by(call, row.text, row.constraints, arguments);
    }
  return false;
}

} // namespace

bool expand_target_intrinsic(llvm::CallInst& call) {
  return expand_matrix_rows(call) || expand_halves(call) || expand_statement(call) || expand_amd_buffer(call);
}

} // namespace forewarp::frontend::lowering
