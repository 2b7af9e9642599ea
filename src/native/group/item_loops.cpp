#include "native/group/item_loops.h"

#include "native/abi/abi.h"
#include "native/group/guarded.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <cstddef>

namespace forewarp::native {
namespace {

/// `llvm.loop` of the loop over x.
llvm::MDNode* loop_facts(llvm::LLVMContext& context, llvm::MDNode* independent) {
  auto* parallel =
      llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.parallel_accesses"), independent});
  auto* facts = llvm::MDNode::getDistinct(context, {nullptr, parallel});
  facts->replaceOperandWith(0, facts);
  return facts;
}

bool is_of_private(const llvm::Instruction& at) {
  const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&at);
  llvm::SmallVector<const llvm::Value*, 4> roots;
  if (pointer)
    llvm::getUnderlyingObjects(pointer, roots, nullptr, 0);
  return std::any_of(roots.begin(), roots.end(),
                     [](const llvm::Value* root) { return llvm::isa<llvm::AllocaInst>(root); });
}

/// The accesses of an item's function belong to a group of accesses, which is given.
llvm::MDNode* mark_independent(llvm::Function& item) {
  auto* group = llvm::MDNode::getDistinct(item.getContext(), {});
  for (llvm::Instruction& at : llvm::instructions(item))
    if (at.mayReadOrWriteMemory() && !is_of_private(at)) // one place on the stack serves all items
      at.setMetadata(llvm::LLVMContext::MD_access_group, group);
  return group;
}

class Nest {
public:
  Nest(llvm::IRBuilder<>& builder, llvm::Function& item, const ItemRun& run)
      : builder_(builder), item_(item), run_(run),
        independent_(run.independent ? mark_independent(item) : nullptr) {}

  void axis(unsigned which) {
    llvm::LLVMContext& context = builder_.getContext();
    llvm::BasicBlock* before = builder_.GetInsertBlock();
    llvm::Function* code = before->getParent();
    auto* head = llvm::BasicBlock::Create(context, "items", code);
    builder_.CreateBr(head);
    builder_.SetInsertPoint(head);
    llvm::PHINode* index = builder_.CreatePHI(builder_.getInt32Ty(), 2);
    index->addIncoming(builder_.getInt32(0), before);
    at_.index[which] = index;
    if (which > 0) {
      axis(which - 1);
    } else {
      llvm::Value* row =
          builder_.CreateAdd(product(at_.index[2], run_.size[1]), at_.index[1], "", true, true);
      at_.item = builder_.CreateAdd(product(row, run_.size[0]), index, "", true, true);
      run_.call(item_, at_, independent_);
    }
    llvm::BasicBlock* last = builder_.GetInsertBlock();
    llvm::Value* more = builder_.CreateAdd(index, builder_.getInt32(1), "", true, true);
    index->addIncoming(more, last);
    auto* after = llvm::BasicBlock::Create(context, "behind", code);
    llvm::BranchInst* back =
        builder_.CreateCondBr(builder_.CreateICmpULT(more, run_.size[which]), head, after);
    if (which == 0 && independent_)
      back->setMetadata(llvm::LLVMContext::MD_loop, loop_facts(context, independent_));
    builder_.SetInsertPoint(after);
  }

private:
  llvm::Value* product(llvm::Value* a, llvm::Value* b) { return builder_.CreateMul(a, b, "", true, true); }

  llvm::IRBuilder<>& builder_;
  llvm::Function& item_;
  const ItemRun& run_;
  llvm::MDNode* independent_;
  ItemAt at_;
};

} // namespace

void run_items(llvm::IRBuilder<>& builder, llvm::Function& item, const ItemRun& run) {
  const auto guarded = guard_item(item, run.common);
  if (!guarded)
    return Nest(builder, item, run).axis(2);
  llvm::LLVMContext& context = builder.getContext();
  llvm::Function* code = builder.GetInsertBlock()->getParent();
  auto* unchecked = llvm::BasicBlock::Create(context, "unchecked", code);
  auto* checked = llvm::BasicBlock::Create(context, "checked", code);
  auto* after = llvm::BasicBlock::Create(context, "done", code);
  llvm::Value* common =
      run.common_place ? run.common_place : llvm::ConstantPointerNull::get(builder.getPtrTy());
  llvm::Value* holds = builder.CreateCall(guarded->holds, {code->getArg(0), code->getArg(1), common});
  builder.CreateCondBr(holds, unchecked, checked);
  for (const auto& [block, function] :
       {std::pair(unchecked, guarded->unchecked), std::pair(checked, &item)}) {
    builder.SetInsertPoint(block);
    Nest(builder, *function, run).axis(2);
    builder.CreateBr(after);
  }
  builder.SetInsertPoint(after);
}

void tell_item_before_calls(llvm::Function& body) {
  for (llvm::Instruction& at : llvm::instructions(body)) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&at);
    if (!call || call->arg_empty() || call->getArgOperand(0) != body.getArg(0))
      continue;
    llvm::IRBuilder<> builder(call);
    GroupReader group(builder, body.getArg(0));
    llvm::Value* row = builder.CreateAdd(builder.CreateMul(body.getArg(4), group.size(1)), body.getArg(3));
    llvm::Value* item = builder.CreateAdd(builder.CreateMul(row, group.size(0)), body.getArg(2));
    builder.CreateStore(
        item, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), body.getArg(0), offsetof(Group, item)));
  }
}

} // namespace forewarp::native
