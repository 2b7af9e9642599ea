#include "frontend/lowering/target_intrinsics.h"

#include "frontend/lowering/amd_buffers.h"
#include "frontend/ptx/inline_ptx.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>

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

bool expand_matrix_rows(llvm::CallInst& call) {
  llvm::StringRef name = call.getCalledFunction()->getName();
  if (!name.consume_front("llvm.nvvm.ldmatrix.sync.aligned.") || call.arg_size() != 1)
    return false;
  const llvm::Type* pointer = call.getArgOperand(0)->getType();
  if (!name.consume_back(".p3") || !pointer->isPointerTy())
    return false;
  const auto [shape, type] = name.rsplit('.');
  const auto* several = llvm::dyn_cast<llvm::StructType>(call.getType());
  const unsigned results = several ? several->getNumElements() : 1;
  const std::string text =
      "ldmatrix.sync.aligned." + shape.str() + ".shared." + type.str() + " " + operands(results);
  auto* signature = llvm::FunctionType::get(call.getType(), {call.getArgOperand(0)->getType()}, false);
  auto* code = llvm::InlineAsm::get(signature, text, constraints(results), true);
  auto* statement = llvm::CallInst::Create(signature, code, {call.getArgOperand(0)}, "", call.getIterator());
  statement->setDebugLoc(call.getDebugLoc());
  call.replaceAllUsesWith(statement);
  if (ptx::expand_inline_ptx(*statement)) {
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

} // namespace

bool expand_target_intrinsic(llvm::CallInst& call) {
  return expand_matrix_rows(call) || expand_halves(call) || expand_amd_buffer(call);
}

} // namespace forewarp::frontend::lowering
