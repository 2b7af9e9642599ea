#include "native/group/group_code.h"

#include "native/abi/abi.h"
#include "native/group/inner_loops.h"
#include "native/group/item_loops.h"
#include "native/group/regions.h"
#include "native/lower_calls.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <array>
#include <cstddef>

namespace forewarp::native {
namespace {

llvm::Value* at_offset(llvm::IRBuilder<>& builder, llvm::Value* base, std::uint64_t offset) {
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
}

/// All work-items, one after the other.
llvm::Function* make_item_loops(llvm::Function& body, bool independent, const std::string& name) {
  body.addFnAttr(llvm::Attribute::AlwaysInline);
  llvm::IRBuilder<> builder(body.getContext());
  auto* pointer = builder.getPtrTy();
  auto* code = llvm::Function::Create(llvm::FunctionType::get(builder.getVoidTy(), {pointer, pointer}, false),
                                      llvm::GlobalValue::InternalLinkage, name, *body.getParent());
  code->addParamAttr(0, llvm::Attribute::NoAlias);
  builder.SetInsertPoint(llvm::BasicBlock::Create(builder.getContext(), "entry", code));
  GroupReader group(builder, code->getArg(0));
  ItemRun run{{group.size(0), group.size(1), group.size(2)}, independent};
  run.call = [&](llvm::Function& item, const ItemAt& at, llvm::MDNode*) {
    builder.CreateCall(&item, {code->getArg(0), code->getArg(1), at.index[0], at.index[1], at.index[2]});
  };
  run_items(builder, body, run);
  builder.CreateRetVoid();
  return code;
}

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

constexpr std::size_t longest_turned = 3000; // instructions

/// With fewer items in a row than the processor has floats in a vector, loops are left as they are.
constexpr std::uint32_t least_row = 8;

/// `wide` for groups whose rows are long enough, else `plain`.
llvm::Function* choose(llvm::Function& wide, llvm::Function& plain, const std::string& name) {
  auto* code = llvm::Function::Create(plain.getFunctionType(), llvm::GlobalValue::InternalLinkage, name,
                                      *plain.getParent());
  llvm::LLVMContext& context = plain.getContext();
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", code));
  auto* first = llvm::BasicBlock::Create(context, "wide", code);
  auto* second = llvm::BasicBlock::Create(context, "plain", code);
  llvm::Value* row = GroupReader(builder, code->getArg(0)).size(0);
  builder.CreateCondBr(builder.CreateICmpUGE(row, builder.getInt32(least_row)), first, second);
  for (const auto& [block, function] : {std::pair(first, &wide), std::pair(second, &plain)}) {
    builder.SetInsertPoint(block);
    builder.CreateCall(function, {code->getArg(0), code->getArg(1)});
    builder.CreateRetVoid();
  }
  return code;
}

/// Null: no loop of it is one to turn around, or its items part.
llvm::Function* make_turned(llvm::Function& body, const std::string& name) {
  std::vector<llvm::CallInst*> waits;
  const auto find_waits = [&] {
    waits.clear();
    for (llvm::Instruction& at : llvm::instructions(body))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&at);
          call && call->getCalledFunction() && call->getCalledFunction()->getName() == wait_marker)
        waits.push_back(call);
  };
  find_waits();
  if (wait_in_inner_loops(body, waits).empty())
    return nullptr;
  find_waits();
  return make_regions(body, waits, true, name);
}

} // namespace

GroupCode make_group_code(const FlatKernel& kernel, const std::vector<llvm::CallInst*>& waits,
                          bool independent, const std::string& name) {
  llvm::Function& body = *kernel.body;
  tell_item_before_calls(body);
  llvm::Function* wide = nullptr;
  if (independent && body.getInstructionCount() <= longest_turned) {
    llvm::ValueToValueMapTy map;
    llvm::Function* copy = llvm::CloneFunction(&body, map);
    wide = make_turned(*copy, name + ".wide");
    if (!wide)
      copy->eraseFromParent();
  }
  GroupCode plain;
  if (waits.empty())
    plain = {make_item_loops(body, independent, name), false};
  else if (llvm::Function* code = make_regions(body, waits, independent, name))
    plain = {code, false};
  else
    plain = {ItemCoroutine(body, name).make(waits), true};
  return wide && !plain.waits ? GroupCode{choose(*wide, *plain.code, name + ".code"), false} : plain;
}

} // namespace forewarp::native
