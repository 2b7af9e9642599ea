#include "frontend/lowering/amd_buffers.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <optional>

namespace forewarp::frontend::lowering {
namespace {

/// (pointer, stride, bytes, flags); null where the resource is made elsewhere.
llvm::CallInst* maker_of(llvm::Value* value) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(value);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  const bool made = callee && callee->getName().starts_with("llvm.amdgcn.make.buffer.rsrc.");
  return made && call->arg_size() == 4 ? call : nullptr;
}

struct Resource {
  llvm::Value *base = nullptr, *bytes = nullptr; ///< bytes: 32 bits
};

/// What a resource leads to; of one that comes by several ways, so do its parts.
class Resources {
public:
  std::optional<Resource> of(llvm::Value* value) {
    llvm::SmallPtrSet<llvm::Value*, 8> seen;
    llvm::Type* pointer = nullptr;
    return is_made(value, seen, pointer) ? std::optional(parts_of(value, pointer)) : std::nullopt;
  }

private:
  /// By calls and by phis of such alone, all of one type of pointer.
  static bool is_made(llvm::Value* value, llvm::SmallPtrSet<llvm::Value*, 8>& seen, llvm::Type*& pointer) {
    if (!seen.insert(value).second)
      return true;
    if (const llvm::CallInst* call = maker_of(value)) {
      llvm::Type* type = call->getArgOperand(0)->getType();
      pointer = pointer ? pointer : type;
      return pointer == type;
    }
    auto* phi = llvm::dyn_cast<llvm::PHINode>(value);
    return phi && llvm::all_of(phi->incoming_values(),
                               [&](const llvm::Use& use) { return is_made(use.get(), seen, pointer); });
  }

  Resource parts_of(llvm::Value* value, llvm::Type* pointer) {
    if (const auto found = phis_.find(value); found != phis_.end())
      return found->second;
    if (llvm::CallInst* call = maker_of(value)) {
      llvm::IRBuilder<> b(call);
      return {call->getArgOperand(0), b.CreateZExtOrTrunc(call->getArgOperand(2), b.getInt32Ty())};
    }
    auto* phi = llvm::cast<llvm::PHINode>(value);
    llvm::IRBuilder<> b(phi);
    llvm::PHINode *base = b.CreatePHI(pointer, phi->getNumIncomingValues()),
                  *bytes = b.CreatePHI(b.getInt32Ty(), phi->getNumIncomingValues());
    phis_[value] = {base, bytes};
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      const Resource way = parts_of(phi->getIncomingValue(i), pointer);
      base->addIncoming(way.base, phi->getIncomingBlock(i));
      bytes->addIncoming(way.bytes, phi->getIncomingBlock(i));
    }
    return {base, bytes};
  }

  llvm::DenseMap<llvm::Value*, Resource> phis_;
};

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
  const auto resource = Resources().of(call.getArgOperand(first));
  llvm::Type* type = load ? call.getType() : call.getArgOperand(0)->getType();
  if (!resource || type->getPrimitiveSizeInBits().isZero())
    return false;
  llvm::IRBuilder<> b(&call);
  llvm::Value *offset = call.getArgOperand(first + 1), *scalar = call.getArgOperand(first + 2);
  llvm::Value* inside = b.CreateICmpULT(offset, resource->bytes);
  llvm::Value* bytes =
      b.CreateAdd(b.CreateZExt(offset, b.getInt64Ty()), b.CreateZExt(scalar, b.getInt64Ty()));
  llvm::Value* place = b.CreateGEP(b.getInt8Ty(), resource->base, bytes);
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
