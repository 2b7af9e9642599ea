#include "native/group/guarded.h"

#include "native/flatten.h"
#include "native/group/intervals.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <vector>

namespace forewarp::native {
namespace {

/// Functions that are longer are not made twice.
constexpr std::size_t most_instructions = 6000;

/// outside = address - begin >= limit; limit = bytes of the buffer less those of the access, but one.
struct Check {
  llvm::BranchInst* branch = nullptr;
  llvm::Value *pointer = nullptr, *begin = nullptr, *buffer_bytes = nullptr, *less = nullptr;
};

bool finds(const llvm::BasicBlock& block) {
  for (const llvm::Instruction& at : block)
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&at))
      if (const llvm::Function* callee = call->getCalledFunction();
          callee && callee->getName() == "forewarp_find")
        return true;
  return false;
}

std::vector<Check> checks_of(llvm::Function& item) {
  using namespace llvm::PatternMatch;
  std::vector<Check> out;
  for (llvm::BasicBlock& block : item) {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() || !finds(*branch->getSuccessor(0)))
      continue;
    Check check{branch};
    auto* compared = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
    if (compared && compared->getPredicate() == llvm::CmpInst::ICMP_UGE &&
        match(compared->getOperand(0), m_Sub(m_PtrToInt(m_Value(check.pointer)), m_Value(check.begin))) &&
        match(compared->getOperand(1),
              m_Intrinsic<llvm::Intrinsic::usub_sat>(m_Value(check.buffer_bytes), m_Value(check.less))) &&
        llvm::isa<llvm::ConstantInt>(check.less))
      out.push_back(check);
    else
      out.push_back({branch});
  }
  return out;
}

class Guard {
public:
  Guard(llvm::Function& item, unsigned common) : item_(item), builder_(item.getContext()) {
    auto* pointer = builder_.getPtrTy();
    auto* type = llvm::FunctionType::get(builder_.getInt1Ty(), {pointer, pointer, pointer}, false);
    holds_ = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, item.getName() + ".holds",
                                    *item.getParent());
    holds_->addFnAttr(llvm::Attribute::AlwaysInline);
    builder_.SetInsertPoint(llvm::BasicBlock::Create(builder_.getContext(), "", holds_));
    llvm::DenseMap<const llvm::Value*, llvm::Value*> same = {{item.getArg(0), holds_->getArg(0)},
                                                             {item.getArg(1), holds_->getArg(1)}};
    if (common > 0)
      add_common(*item.getArg(common), same);
    GroupReader group(builder_, holds_->getArg(0));
    intervals_.emplace(builder_, item, std::move(same),
                       std::array<llvm::Value*, 3>{group.size(0), group.size(1), group.size(2)});
  }

  /// False: nothing can be said of it before the group runs.
  bool add(const Check& check) {
    if (!check.pointer)
      return false;
    llvm::APInt offset(64, 0);
    llvm::Value* base = const_cast<llvm::Value*>(
        check.pointer->stripAndAccumulateConstantOffsets(item_.getParent()->getDataLayout(), offset, true));
    if (!intervals_->of(*base) || !intervals_->common(*check.begin) ||
        !intervals_->common(*check.buffer_bytes))
      return false;
    const std::int64_t bytes = offset.getSExtValue();
    const Reach one = {base, check.begin, check.buffer_bytes, check.less, bytes, bytes};
    const auto known =
        std::find_if(reaches_.begin(), reaches_.end(), [&](const Reach& each) { return each.is_like(one); });
    if (known == reaches_.end()) {
      reaches_.push_back(one);
    } else {
      known->first = std::min(known->first, bytes);
      known->last = std::max(known->last, bytes);
    }
    return true;
  }

  llvm::Function* finish() {
    llvm::Value* holds = builder_.getTrue();
    for (const Reach& reach : reaches_) {
      const auto base = intervals_->of(*reach.base);
      llvm::Value *begin = intervals_->common(*reach.begin), *bytes = intervals_->common(*reach.buffer_bytes);
      llvm::Value* limit = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, bytes, reach.less);
      const auto inside = [&](llvm::Value* address, std::int64_t offset) {
        llvm::Value* at = builder_.CreateSub(
            builder_.CreateAdd(address, builder_.getInt64(static_cast<std::uint64_t>(offset))), begin);
        holds = builder_.CreateAnd(holds, builder_.CreateICmpULT(at, limit));
      };
      inside(base->least, reach.first);
      inside(base->most, reach.last);
    }
    builder_.CreateRet(builder_.CreateAnd(holds, intervals_->sound()));
    return holds_;
  }

private:
  /// Accesses at fixed distances from one address.
  struct Reach {
    llvm::Value *base, *begin, *buffer_bytes, *less;
    std::int64_t first, last;
    bool is_like(const Reach& other) const {
      return base == other.base && begin == other.begin && buffer_bytes == other.buffer_bytes &&
             less == other.less;
    }
  };

  /// Loads of what all items have in common, at the beginning of the item's function.
  void add_common(llvm::Value& from, llvm::DenseMap<const llvm::Value*, llvm::Value*>& same) {
    for (llvm::Instruction& at : item_.getEntryBlock()) {
      auto* load = llvm::dyn_cast<llvm::LoadInst>(&at);
      auto* place = load ? llvm::dyn_cast<llvm::GetElementPtrInst>(load->getPointerOperand()) : nullptr;
      if (!place || place->getPointerOperand() != &from)
        continue;
      llvm::Instruction* copy = builder_.Insert(place->clone());
      copy->setOperand(0, holds_->getArg(2));
      same[load] = builder_.CreateLoad(load->getType(), copy);
    }
  }

  llvm::Function& item_;
  llvm::IRBuilder<> builder_;
  llvm::Function* holds_ = nullptr;
  std::optional<Intervals> intervals_;
  std::vector<Reach> reaches_;
};

} // namespace

std::optional<Guarded> guard_item(llvm::Function& item, unsigned common) {
  const std::vector<Check> checks = checks_of(item);
  if (checks.empty() || item.getInstructionCount() > most_instructions)
    return {};
  Guard guard(item, common);
  std::vector<llvm::BranchInst*> needless;
  for (const Check& check : checks)
    if (guard.add(check))
      needless.push_back(check.branch);
  llvm::Function* holds = guard.finish();
  if (2 * needless.size() < checks.size()) {
    holds->eraseFromParent();
    return {};
  }
  llvm::ValueToValueMapTy map;
  llvm::Function* unchecked = llvm::CloneFunction(&item, map);
  for (llvm::BranchInst* branch : needless) {
    auto* copy = llvm::cast<llvm::BranchInst>(static_cast<llvm::Value*>(map[branch]));
    copy->setCondition(llvm::ConstantInt::getFalse(item.getContext()));
    llvm::ConstantFoldTerminator(copy->getParent(), true);
  }
  llvm::removeUnreachableBlocks(*unchecked);
  return Guarded{unchecked, holds};
}

} // namespace forewarp::native
