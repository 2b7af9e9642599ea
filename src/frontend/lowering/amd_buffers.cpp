#include "frontend/lowering/amd_buffers.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace forewarp::frontend::lowering {
namespace {

/// (pointer, stride, bytes, flags); null where the resource is made elsewhere.
const llvm::CallInst* resource_of(const llvm::Value* value) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(value);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  const bool made = callee && callee->getName().starts_with("llvm.amdgcn.make.buffer.rsrc.");
  return made && call->arg_size() == 4 ? call : nullptr;
}

llvm::Align alignment(const llvm::Type* type) {
  const unsigned bytes = static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue()) / 8;
  return llvm::Align(std::min(4U, std::max(1U, bytes & (0U - bytes)))); // what the hardware asks for
}

} // namespace

bool expand_amd_buffer(llvm::CallInst& call) {
  llvm::StringRef name = call.getCalledFunction()->getName();
  if (!name.consume_front("llvm.amdgcn.raw.ptr.buffer."))
    return false;
  const bool load = name.starts_with("load."), store = name.starts_with("store.");
  const unsigned first = store ? 1 : 0; // the value comes first
  if ((!load && !store) || call.arg_size() != first + 4)
    return false;
  const llvm::CallInst* resource = resource_of(call.getArgOperand(first));
  llvm::Type* type = load ? call.getType() : call.getArgOperand(0)->getType();
  if (!resource || type->getPrimitiveSizeInBits().isZero())
    return false;
  llvm::IRBuilder<> b(&call);
  llvm::Value *offset = call.getArgOperand(first + 1), *scalar = call.getArgOperand(first + 2);
  llvm::Value* inside =
      b.CreateICmpULT(offset, b.CreateZExtOrTrunc(resource->getArgOperand(2), b.getInt32Ty()));
  llvm::Value* bytes =
      b.CreateAdd(b.CreateZExt(offset, b.getInt64Ty()), b.CreateZExt(scalar, b.getInt64Ty()));
  llvm::Value* place = b.CreateGEP(b.getInt8Ty(), resource->getArgOperand(0), bytes);
  llvm::Instruction* end = llvm::SplitBlockAndInsertIfThen(inside, &call, false);
  llvm::BasicBlock *around = end->getParent()->getSinglePredecessor(), *branch = end->getParent();
  b.SetInsertPoint(end);
  if (store) {
    b.CreateAlignedStore(call.getArgOperand(0), place, alignment(type));
  } else {
    llvm::Value* made = b.CreateAlignedLoad(type, place, alignment(type));
    b.SetInsertPoint(&call.getParent()->front());
    llvm::PHINode* both = b.CreatePHI(type, 2);
    both->addIncoming(made, branch);
    both->addIncoming(llvm::Constant::getNullValue(type), around);
    call.replaceAllUsesWith(both);
  }
  call.eraseFromParent();
  return true;
}

} // namespace forewarp::frontend::lowering
