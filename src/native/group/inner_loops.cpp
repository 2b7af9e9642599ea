#include "native/group/inner_loops.h"

#include "native/abi/abi.h"
#include "native/group/uniform.h"
#include "native/lower_calls.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <optional>

namespace forewarp::native {
namespace {

/// What more values than these are kept for every item from round to round costs more than it gives.
constexpr unsigned most_kept = 6;

/// By how much a value grows from an item to the next one of its row.
class Strides {
public:
  Strides(const llvm::Function& body, const Uniformity& uniformity)
      : body_(body), layout_(body.getParent()->getDataLayout()), uniformity_(uniformity) {}

  std::optional<std::int64_t> of(const llvm::Value& value) {
    if (&value == body_.getArg(2))
      return 1;
    if (&value == body_.getArg(3) || &value == body_.getArg(4) || !uniformity_.divergent.contains(&value))
      return 0;
    const auto* at = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!at || llvm::isa<llvm::PHINode>(at) || at->mayReadOrWriteMemory())
      return {};
    if (const auto known = known_.find(&value); known != known_.end())
      return known->second;
    const auto found = of_instruction(*at);
    known_[&value] = found;
    return found;
  }

private:
  std::optional<std::int64_t> of_instruction(const llvm::Instruction& at) {
    if (const auto* address = llvm::dyn_cast<llvm::GEPOperator>(&at))
      return of_address(*address);
    std::vector<std::int64_t> parts;
    for (const llvm::Value* operand : at.operands()) {
      const auto part = of(*operand);
      if (!part)
        return {};
      parts.push_back(*part);
    }
    if (std::all_of(parts.begin(), parts.end(), [](std::int64_t part) { return part == 0; }))
      return 0;
    const auto* whole =
        at.getNumOperands() == 2 ? llvm::dyn_cast<llvm::ConstantInt>(at.getOperand(1)) : nullptr;
    switch (at.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Or: // of bits apart
      return parts[0] + parts[1];
    case llvm::Instruction::Sub:
      return parts[0] - parts[1];
    case llvm::Instruction::Mul:
      return whole ? std::optional(parts[0] * whole->getSExtValue()) : std::nullopt;
    case llvm::Instruction::Shl:
      return whole && whole->getZExtValue() < 32 ? std::optional(parts[0] << whole->getZExtValue())
                                                 : std::nullopt;
    case llvm::Instruction::SExt:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::PtrToInt:
      return parts[0];
    default:
      return {};
    }
  }

  std::optional<std::int64_t> of_address(const llvm::GEPOperator& at) {
    llvm::MapVector<llvm::Value*, llvm::APInt> indices;
    llvm::APInt fixed(64, 0);
    auto sum = of(*at.getPointerOperand());
    if (!sum || !at.collectOffset(layout_, 64, indices, fixed))
      return {};
    for (const auto& [index, bytes] : indices) {
      const auto part = of(*index);
      if (!part)
        return {};
      *sum += *part * bytes.getSExtValue();
    }
    return sum;
  }

  const llvm::Function& body_;
  const llvm::DataLayout& layout_;
  const Uniformity& uniformity_;
  llvm::DenseMap<const llvm::Value*, std::optional<std::int64_t>> known_;
};

bool ends_in_find(const llvm::BasicBlock& block) {
  return std::any_of(block.begin(), block.end(), [](const llvm::Instruction& at) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&at);
    return call && call->getCalledFunction() && call->getCalledFunction()->getName() == "forewarp_find";
  });
}

/// Whether items side by side would do what a vector does: the same arithmetic, on one place or on
/// neighbours.
class Candidate {
public:
  Candidate(const llvm::Loop& loop, const Uniformity& uniformity, Strides& strides)
      : loop_(loop), uniformity_(uniformity), strides_(strides), layout_(loop.getHeader()->getDataLayout()) {}

  bool is_worth_it() const {
    if (!loop_.getLoopLatch() || !loop_.getLoopPreheader() || !exits_are_common())
      return false;
    unsigned kept = 0;
    for (const llvm::PHINode& phi : loop_.getHeader()->phis())
      kept += uniformity_.divergent.contains(&phi) ? 1 : 0;
    if (kept == 0 || kept > most_kept)
      return false;
    unsigned sums = 0;
    for (const llvm::BasicBlock* block : loop_.blocks()) {
      if (ends_in_find(*block))
        continue;
      for (const llvm::Instruction& at : *block) {
        if (!fits(at))
          return false;
        sums += at.getType()->isFloatingPointTy() && llvm::isa<llvm::BinaryOperator>(at) ? 1 : 0;
      }
    }
    return sums > 0;
  }

private:
  bool exits_are_common() const {
    llvm::SmallVector<llvm::BasicBlock*, 4> exits;
    loop_.getExitingBlocks(exits);
    return std::all_of(exits.begin(), exits.end(), [&](const llvm::BasicBlock* block) {
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      return branch && (!branch->isConditional() || !uniformity_.divergent.contains(branch->getCondition()));
    });
  }

  bool fits(const llvm::Instruction& at) const {
    if (at.getType()->isVectorTy() || at.getType()->isAggregateType())
      return false;
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&at)) {
      const auto* known = llvm::dyn_cast<llvm::IntrinsicInst>(call);
      return known && known->doesNotAccessMemory();
    }
    const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&at);
    if (!pointer)
      return !at.mayReadOrWriteMemory() && !llvm::isa<llvm::SwitchInst>(at);
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&at); load && load->isVolatile())
      return false;
    llvm::Type* type = llvm::getLoadStoreType(const_cast<llvm::Instruction*>(&at));
    const auto stride = strides_.of(*of_checked(pointer));
    return stride && (*stride == 0 ? llvm::isa<llvm::LoadInst>(at)
                                   : *stride == static_cast<std::int64_t>(layout_.getTypeAllocSize(type)));
  }

  /// What a check (bounds.h) stands in front of: where the access is made, or elsewhere.
  static const llvm::Value* of_checked(const llvm::Value* pointer) {
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(pointer);
    if (!phi || phi->getNumIncomingValues() != 2)
      return pointer;
    for (unsigned k = 0; k < 2; ++k)
      if (ends_in_find(*phi->getIncomingBlock(k)))
        return phi->getIncomingValue(1 - k);
    return pointer;
  }

  const llvm::Loop& loop_;
  const Uniformity& uniformity_;
  Strides& strides_;
  const llvm::DataLayout& layout_;
};

/// The beginning of a loop's round, in a block of its own.
llvm::BasicBlock* cut_round(llvm::Loop& loop, llvm::DominatorTree& dominators, llvm::LoopInfo& loops) {
  llvm::BasicBlock* header = loop.getHeader();
  return llvm::SplitBlock(header, header->getFirstNonPHIIt(), &dominators, &loops)->getSinglePredecessor();
}

llvm::CallInst* wait_at_end(llvm::BasicBlock& block) {
  llvm::IRBuilder<> builder(block.getTerminator());
  llvm::Type *i32 = builder.getInt32Ty(), *i64 = builder.getInt64Ty();
  auto* type = llvm::FunctionType::get(llvm::StructType::get(i64, i32), {i32, i32, i64, i32, i32}, false);
  llvm::Value* none = builder.getInt32(0);
  return builder.CreateCall(block.getModule()->getOrInsertFunction(wait_marker, type),
                            {builder.getInt32(static_cast<std::uint32_t>(ExchangeKind::barrier)), none,
                             builder.getInt64(0), none, none});
}

} // namespace

std::vector<llvm::CallInst*> wait_in_inner_loops(llvm::Function& body,
                                                 const std::vector<llvm::CallInst*>& waits) {
  llvm::DominatorTree dominators(body);
  llvm::LoopInfo loops(dominators);
  std::vector<llvm::BasicBlock*> barriers;
  for (const llvm::CallInst* wait : waits)
    barriers.push_back(const_cast<llvm::BasicBlock*>(wait->getParent()));
  std::vector<llvm::CallInst*> out;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost() || std::any_of(barriers.begin(), barriers.end(),
                                            [&](llvm::BasicBlock* at) { return loop->contains(at); }))
      continue;
    llvm::BasicBlock* round = cut_round(*loop, dominators, loops);
    barriers.push_back(round);
    const Uniformity uniformity = uniformity_of(body, barriers);
    Strides strides(body, uniformity);
    if (uniformity.together && Candidate(*loop, uniformity, strides).is_worth_it())
      out.push_back(wait_at_end(*round));
    else
      barriers.pop_back();
  }
  return out;
}

} // namespace forewarp::native
