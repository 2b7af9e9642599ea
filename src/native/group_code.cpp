#include "native/group_code.h"

#include "native/abi/abi.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <array>
#include <cstddef>

namespace forewarp::native {
namespace {

llvm::Value* at_offset(llvm::IRBuilder<>& builder, llvm::Value* base, std::uint64_t offset) {
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
}

/// for z { for y { for x { group->item = n++; body(...) } } }
class ItemLoops {
public:
  ItemLoops(llvm::Function& body, const std::string& name) : body_(body), builder_(body.getContext()) {
    auto* pointer = builder_.getPtrTy();
    code_ = llvm::Function::Create(llvm::FunctionType::get(builder_.getVoidTy(), {pointer, pointer}, false),
                                   llvm::GlobalValue::InternalLinkage, name, *body.getParent());
  }

  llvm::Function* make() {
    body_.addFnAttr(llvm::Attribute::AlwaysInline);
    code_->addParamAttr(0, llvm::Attribute::NoAlias);
    auto* entry = llvm::BasicBlock::Create(builder_.getContext(), "entry", code_);
    auto* end = llvm::BasicBlock::Create(builder_.getContext(), "end", code_);
    builder_.SetInsertPoint(entry);
    GroupReader group(builder_, code_->getArg(0));
    for (unsigned axis = 0; axis < 3; ++axis)
      size_[axis] = group.size(axis);
    loop(2, builder_.getInt32(0), end);
    llvm::IRBuilder<>(end).CreateRetVoid();
    return code_;
  }

private:
  /// Leaves the loop to `after`; gives the number of work-items before the next one.
  llvm::Value* loop(unsigned axis, llvm::Value* first, llvm::BasicBlock* after) {
    llvm::LLVMContext& context = builder_.getContext();
    llvm::BasicBlock* before = builder_.GetInsertBlock();
    auto* head = llvm::BasicBlock::Create(context, "head", code_, after);
    auto* next = llvm::BasicBlock::Create(context, "next", code_, after);
    builder_.CreateBr(head);
    builder_.SetInsertPoint(head);
    llvm::PHINode* index = builder_.CreatePHI(builder_.getInt32Ty(), 2);
    llvm::PHINode* item = builder_.CreatePHI(builder_.getInt32Ty(), 2);
    index->addIncoming(builder_.getInt32(0), before);
    item->addIncoming(first, before);
    index_[axis] = index;
    llvm::Value* items = nullptr;
    if (axis > 0) {
      items = loop(axis - 1, item, next);
    } else {
      builder_.CreateStore(item, at_offset(builder_, code_->getArg(0), offsetof(Group, item)));
      builder_.CreateCall(&body_, {code_->getArg(0), code_->getArg(1), index_[0], index_[1], index_[2]});
      items = builder_.CreateAdd(item, builder_.getInt32(1));
      builder_.CreateBr(next);
    }
    builder_.SetInsertPoint(next);
    llvm::Value* more = builder_.CreateAdd(index, builder_.getInt32(1), "", true);
    index->addIncoming(more, next);
    item->addIncoming(items, next);
    builder_.CreateCondBr(builder_.CreateICmpULT(more, size_[axis]), head, after);
    return items;
  }

  llvm::Function& body_;
  llvm::IRBuilder<> builder_;
  llvm::Function* code_ = nullptr;
  std::array<llvm::Value*, 3> size_ = {}, index_ = {};
};

/// The body as an LLVM coroutine (switched resume) that suspends where the work-item waits.
class ItemCoroutine {
public:
  ItemCoroutine(llvm::Function& body, const std::string& name) : body_(body), builder_(body.getContext()) {
    llvm::Type *pointer = builder_.getPtrTy(), *word = builder_.getInt32Ty();
    auto* type = llvm::FunctionType::get(pointer, {pointer, pointer, word, word, word}, false);
    code_ = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, *body.getParent());
    code_->setPresplitCoroutine();
    code_->addFnAttr(llvm::Attribute::NoUnwind);
  }

  llvm::Function* make(const std::vector<llvm::CallInst*>& waits) {
    code_->splice(code_->begin(), &body_);
    for (unsigned k = 0; k < 5; ++k)
      body_.getArg(k)->replaceAllUsesWith(code_->getArg(k));
    begin();
    ends();
    std::uint32_t site = 0;
    for (llvm::CallInst* wait : waits)
      suspend_at(*wait, ++site);
    return code_;
  }

private:
  llvm::Function* intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Type*> types = {}) {
    return llvm::Intrinsic::getDeclaration(code_->getParent(), id, types);
  }

  void begin() {
    llvm::BasicBlock& old = code_->getEntryBlock();
    auto* entry = llvm::BasicBlock::Create(builder_.getContext(), "begin", code_, &old);
    for (llvm::Instruction& at : llvm::make_early_inc_range(old)) // static ones have to stand in the entry
      if (llvm::isa<llvm::AllocaInst>(at))
        at.moveBefore(*entry, entry->end());
    builder_.SetInsertPoint(entry);
    llvm::Value* null = llvm::ConstantPointerNull::get(builder_.getPtrTy());
    id_ = builder_.CreateCall(intrinsic(llvm::Intrinsic::coro_id), {builder_.getInt32(16), null, null, null});
    llvm::Value* size = builder_.CreateCall(intrinsic(llvm::Intrinsic::coro_size, {builder_.getInt64Ty()}));
    auto* type =
        llvm::FunctionType::get(builder_.getPtrTy(), {builder_.getPtrTy(), builder_.getInt64Ty()}, false);
    llvm::Value* memory = builder_.CreateCall(code_->getParent()->getOrInsertFunction("forewarp_frame", type),
                                              {code_->getArg(0), size});
    frame_ = builder_.CreateCall(intrinsic(llvm::Intrinsic::coro_begin), {id_, memory});
    GroupReader group(builder_, code_->getArg(0));
    llvm::Value* plane =
        builder_.CreateAdd(builder_.CreateMul(code_->getArg(4), group.size(1)), code_->getArg(3));
    llvm::Value* item = builder_.CreateAdd(builder_.CreateMul(plane, group.size(0)), code_->getArg(2));
    slot_ = builder_.CreateInBoundsGEP(llvm::ArrayType::get(builder_.getInt8Ty(), sizeof(Exchange)),
                                       group.exchange(), builder_.CreateZExt(item, builder_.getInt64Ty()));
    builder_.CreateBr(&old);
  }

  /// Where the coroutine hands back: suspended, or at its end.
  void ends() {
    llvm::LLVMContext& context = builder_.getContext();
    std::vector<llvm::ReturnInst*> returns;
    for (llvm::Instruction& at : llvm::instructions(*code_))
      if (auto* leave = llvm::dyn_cast<llvm::ReturnInst>(&at))
        returns.push_back(leave);
    hand_back_ = llvm::BasicBlock::Create(context, "hand.back", code_);
    clean_up_ = llvm::BasicBlock::Create(context, "clean.up", code_);
    auto* last = llvm::BasicBlock::Create(context, "last", code_);
    auto* never = llvm::BasicBlock::Create(context, "never", code_);
    for (llvm::ReturnInst* leave : returns) {
      llvm::IRBuilder<>(leave).CreateBr(last);
      leave->eraseFromParent();
    }
    builder_.SetInsertPoint(last);
    store_word(offsetof(Exchange, kind),
               builder_.getInt32(static_cast<std::uint32_t>(ExchangeKind::finished)));
    suspend(true, never);
    builder_.SetInsertPoint(never);
    builder_.CreateUnreachable();
    builder_.SetInsertPoint(clean_up_);
    builder_.CreateCall(intrinsic(llvm::Intrinsic::coro_free), {id_, frame_});
    builder_.CreateBr(hand_back_);
    builder_.SetInsertPoint(hand_back_);
    builder_.CreateCall(intrinsic(llvm::Intrinsic::coro_end),
                        {frame_, builder_.getFalse(), llvm::ConstantTokenNone::get(context)});
    builder_.CreateRet(frame_);
  }

  void suspend(bool final, llvm::BasicBlock* resumed) {
    llvm::Value* how =
        builder_.CreateCall(intrinsic(llvm::Intrinsic::coro_suspend),
                            {llvm::ConstantTokenNone::get(builder_.getContext()), builder_.getInt1(final)});
    llvm::SwitchInst* choice = builder_.CreateSwitch(how, hand_back_, 2);
    choice->addCase(builder_.getInt8(0), resumed);
    choice->addCase(builder_.getInt8(1), clean_up_);
  }

  void store_word(std::uint64_t offset, llvm::Value* value) {
    builder_.CreateStore(value, at_offset(builder_, slot_, offset));
  }

  void suspend_at(llvm::CallInst& wait, std::uint32_t site) {
    llvm::BasicBlock* after = wait.getParent()->splitBasicBlock(&wait, "resumed");
    llvm::BasicBlock* before = after->getSinglePredecessor();
    before->getTerminator()->eraseFromParent();
    builder_.SetInsertPoint(before);
    builder_.SetCurrentDebugLocation({});
    store_word(offsetof(Exchange, kind), wait.getArgOperand(0));
    store_word(offsetof(Exchange, site), builder_.getInt32(site));
    const auto kind =
        static_cast<ExchangeKind>(llvm::cast<llvm::ConstantInt>(wait.getArgOperand(0))->getZExtValue());
    if (kind != ExchangeKind::barrier) // nobody asks those of the group for more
      store_word(offsetof(Exchange, members), wait.getArgOperand(1));
    if (kind != ExchangeKind::barrier && kind != ExchangeKind::warp_barrier) {
      store_word(offsetof(Exchange, operand), wait.getArgOperand(3));
      store_word(offsetof(Exchange, clamp), wait.getArgOperand(4));
      store_word(offsetof(Exchange, value), wait.getArgOperand(2));
    }
    suspend(false, after);
    if (!wait.use_empty()) {
      builder_.SetInsertPoint(&wait);
      llvm::Value* value =
          builder_.CreateLoad(builder_.getInt64Ty(), at_offset(builder_, slot_, offsetof(Exchange, value)));
      llvm::Value* predicate = builder_.CreateLoad(builder_.getInt32Ty(),
                                                   at_offset(builder_, slot_, offsetof(Exchange, predicate)));
      llvm::Value* both = builder_.CreateInsertValue(llvm::PoisonValue::get(wait.getType()), value, 0);
      wait.replaceAllUsesWith(builder_.CreateInsertValue(both, predicate, 1));
    }
    wait.eraseFromParent();
  }

  llvm::Function& body_;
  llvm::IRBuilder<> builder_;
  llvm::Function* code_ = nullptr;
  llvm::Value *id_ = nullptr, *frame_ = nullptr, *slot_ = nullptr;
  llvm::BasicBlock *hand_back_ = nullptr, *clean_up_ = nullptr;
};

} // namespace

llvm::Function* make_group_code(const FlatKernel& kernel, const std::vector<llvm::CallInst*>& waits,
                                const std::string& name) {
  return waits.empty() ? ItemLoops(*kernel.body, name).make() : ItemCoroutine(*kernel.body, name).make(waits);
}

} // namespace forewarp::native
