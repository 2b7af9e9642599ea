#include "port/static/memory_calls.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <bit>

namespace forewarp::port {
namespace {

constexpr const char* call_mark = "forewarp.memory_call";

std::uint64_t step_bytes(const llvm::MemIntrinsic& call, const llvm::DataLayout& layout) {
  std::uint64_t bytes = std::min<std::uint64_t>(8, call.getDestAlign().valueOrOne().value());
  if (const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&call))
    bytes = std::min<std::uint64_t>(bytes, copy->getSourceAlign().valueOrOne().value());
  const unsigned zeros = llvm::computeKnownBits(call.getLength(), layout).countMinTrailingZeros();
  return std::min(bytes, std::uint64_t{1} << std::min(3U, zeros));
}

/// The byte of a memset as a value of `type`.
llvm::Value* filling(llvm::IRBuilder<>& builder, llvm::Value* byte, llvm::Type* type) {
  const unsigned bits = type->getIntegerBitWidth();
  return builder.CreateMul(builder.CreateZExt(byte, type),
                           llvm::ConstantInt::get(type, llvm::APInt::getSplat(bits, llvm::APInt(8, 1))));
}

void expand(llvm::MemIntrinsic& call) {
  llvm::Function& function = *call.getFunction();
  llvm::LLVMContext& context = function.getContext();
  const std::uint64_t bytes = step_bytes(call, function.getDataLayout());
  llvm::Type* const element = llvm::Type::getIntNTy(context, static_cast<unsigned>(8 * bytes));
  llvm::Type* const index_type = call.getLength()->getType();
  llvm::BasicBlock* const before = call.getParent();
  llvm::BasicBlock* const after = before->splitBasicBlock(&call);
  const auto block = [&] { return llvm::BasicBlock::Create(context, "", &function, after); };
  llvm::BasicBlock *const preheader = block(), *const body = block(), *const exit = block();

  llvm::IRBuilder<> builder(before->getTerminator());
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  llvm::Value* const count =
      builder.CreateLShr(call.getLength(), static_cast<std::uint64_t>(std::countr_zero(bytes)));
  const auto* set = llvm::dyn_cast<llvm::MemSetInst>(&call);
  llvm::Value* const fill = set ? filling(builder, set->getValue(), element) : nullptr;
  builder.CreateCondBr(builder.CreateICmpEQ(count, llvm::ConstantInt::get(index_type, 0)), after, preheader);
  before->getTerminator()->eraseFromParent();

  builder.SetInsertPoint(preheader);
  const auto number = [&](std::int64_t value) {
    return llvm::ConstantInt::get(index_type, static_cast<std::uint64_t>(value), true);
  };
  llvm::Value *first = number(0), *step = number(1);
  if (llvm::isa<llvm::MemMoveInst>(call)) { // from the end, where the ranges may overlap that way
    llvm::Value* const backward = builder.CreateICmpUGT(
        call.getRawDest(), llvm::cast<llvm::MemTransferInst>(call).getRawSource(), "backward");
    first = builder.CreateSelect(backward, builder.CreateSub(count, number(1)), number(0));
    step = builder.CreateSelect(backward, number(-1), number(1));
  }
  builder.CreateBr(body);
  builder.SetInsertPoint(body);
  llvm::PHINode* const index = builder.CreatePHI(index_type, 2);
  llvm::PHINode* const done = step == number(1) ? index : builder.CreatePHI(index_type, 2);
  const auto place = [&](llvm::Value* base) { return builder.CreateInBoundsGEP(element, base, index); };
  llvm::Value* const value =
      set ? fill
          : builder.CreateAlignedLoad(element, place(llvm::cast<llvm::MemTransferInst>(call).getRawSource()),
                                      llvm::Align(bytes));
  builder.CreateAlignedStore(value, place(call.getRawDest()), llvm::Align(bytes));
  llvm::Value* const next = builder.CreateAdd(done, number(1), "", true);
  if (done != index) {
    index->addIncoming(builder.CreateAdd(index, step), body);
    done->addIncoming(number(0), preheader);
    done->addIncoming(next, body);
  } else {
    index->addIncoming(next, body);
  }
  index->addIncoming(first, preheader);
  llvm::Instruction* const branch = builder.CreateCondBr(builder.CreateICmpULT(next, count), body, exit);
  branch->setMetadata(call_mark, llvm::MDNode::get(context, {}));
  builder.SetInsertPoint(exit);
  builder.CreateBr(after);
  call.eraseFromParent();
}

} // namespace

void expand_memory_calls(llvm::Module& module) {
  std::vector<llvm::MemIntrinsic*> calls;
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        if (llvm::isa<llvm::MemSetInst, llvm::MemTransferInst>(instruction))
          calls.push_back(llvm::cast<llvm::MemIntrinsic>(&instruction));
  for (llvm::MemIntrinsic* call : calls)
    expand(*call);
}

bool is_memory_call_loop(const llvm::Loop& loop) {
  const llvm::BasicBlock* latch = loop.getLoopLatch();
  return latch != nullptr && latch->getTerminator()->getMetadata(call_mark) != nullptr;
}

} // namespace forewarp::port
