#include "native/group/uniform.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace forewarp::native {
namespace {

using Block = llvm::BasicBlock;
using Blocks = llvm::SmallPtrSet<const Block*, 16>;

class Analysis {
public:
  Analysis(const llvm::Function& body, const std::vector<Block*>& barriers) : body_(body) {
    for (const Block* block : barriers)
      barriers_.insert(block);
    find_leading();
    find_common_ends();
  }

  Uniformity run() {
    for (unsigned axis = 2; axis < 5; ++axis)
      out_.divergent.insert(body_.getArg(axis));
    do {
      changed_ = false;
      for (const llvm::Instruction& at : llvm::instructions(body_))
        if (!out_.divergent.contains(&at) && is_divergent(at))
          mark(at);
      for (const Block* block : leading_)
        part_at(*block);
    } while (changed_ && out_.together);
    return std::move(out_);
  }

private:
  /// Blocks that a barrier may come after.
  void find_leading() {
    std::vector<const Block*> open(barriers_.begin(), barriers_.end());
    Blocks seen(barriers_.begin(), barriers_.end());
    while (!open.empty()) {
      const Block* block = open.back();
      open.pop_back();
      for (const Block* before : llvm::predecessors(block))
        if (seen.insert(before).second)
          open.push_back(before);
    }
    for (const Block& block : body_)
      if (seen.contains(&block)) {
        number_[&block] = static_cast<unsigned>(leading_.size());
        leading_.push_back(&block);
      }
  }

  bool is_leading(const Block* block) const { return number_.contains(block); }

  Blocks next_of(const Block& block) const {
    Blocks next;
    for (const Block* each : llvm::successors(&block))
      if (is_leading(each))
        next.insert(each);
    return next;
  }

  /// Whether a way out of the leading blocks begins at this one.
  bool leaves(const Block& block) const {
    return std::any_of(llvm::succ_begin(&block), llvm::succ_end(&block),
                       [&](const Block* next) { return !is_leading(next); });
  }

  /// Of each leading block, those that all ways from it out of them come through. Where there is no way out,
  /// all.
  void find_common_ends() {
    const auto count = static_cast<unsigned>(leading_.size());
    ends_.assign(count, llvm::BitVector(count, true));
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned k = count; k-- > 0;) {
        const Blocks next = next_of(*leading_[k]);
        llvm::BitVector common(count, !leaves(*leading_[k]));
        for (const Block* each : next)
          common &= ends_[number_.lookup(each)];
        common.set(k);
        if (common != ends_[k]) {
          ends_[k] = std::move(common);
          changed = true;
        }
      }
    }
  }

  bool is_divergent(const llvm::Instruction& at) const {
    if (llvm::isa<llvm::AllocaInst>(at))
      return true;
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&at);
    const bool is_invariant = at.hasMetadata(llvm::LLVMContext::MD_invariant_load);
    if (at.mayReadOrWriteMemory() && !is_invariant)
      return true;
    if (call && (!call->getCalledFunction() || !call->getCalledFunction()->isIntrinsic()))
      return true;
    if (llvm::isa<llvm::PHINode>(at) && joins_.contains(at.getParent()))
      return true;
    return std::any_of(at.op_begin(), at.op_end(),
                       [&](const llvm::Use& use) { return out_.divergent.contains(use.get()); });
  }

  void mark(const llvm::Value& value) { changed_ = out_.divergent.insert(&value).second || changed_; }

  /// Work-items may go different ways at the end of a block.
  void part_at(const Block& block) {
    const llvm::Instruction* end = block.getTerminator();
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(end);
    const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(end);
    const llvm::Value* by = branch && branch->isConditional() ? branch->getCondition()
                            : choice                          ? choice->getCondition()
                                                              : nullptr;
    if (!by || !out_.divergent.contains(by) || !parted_.insert(&block).second)
      return;
    changed_ = true;
    const Blocks next = next_of(block);
    for (const Block* each : llvm::successors(&block))
      out_.some_leave = out_.some_leave || !is_leading(each);
    if (next.size() > 1)
      part(block, next);
  }

  void part(const Block& block, const Blocks& next) {
    const llvm::BitVector& ends = ends_[number_.lookup(&block)];
    if (ends.all() && ends.size() > 1) { // they go round for ever, or meet nowhere that is known
      out_.together = false;
      return;
    }
    const auto meet_at = [&](const Block* each) { return each != &block && ends.test(number_.lookup(each)); };
    std::vector<const Block*> open(next.begin(), next.end());
    Blocks apart(next.begin(), next.end()), joined;
    while (!open.empty()) {
      const Block* each = open.back();
      open.pop_back();
      if (meet_at(each)) {
        apart.erase(each);
        joined.insert(each);
        continue;
      }
      out_.together = out_.together && !barriers_.contains(each);
      for (const Block* after : next_of(*each))
        if (!joined.contains(after) && apart.insert(after).second)
          open.push_back(after);
    }
    for (const Blocks* some : {&apart, &joined})
      for (const Block* each : *some)
        joins_.insert(each);
    for (const Block* each : apart)
      for (const llvm::Instruction& at : *each)
        if (std::any_of(at.user_begin(), at.user_end(), [&](const llvm::User* user) {
              return !apart.contains(llvm::cast<llvm::Instruction>(user)->getParent());
            }))
          mark(at); // items leave a loop after unlike numbers of rounds
  }

  const llvm::Function& body_;
  Blocks barriers_, joins_, parted_;
  std::vector<const Block*> leading_;
  llvm::DenseMap<const Block*, unsigned> number_;
  std::vector<llvm::BitVector> ends_;
  Uniformity out_;
  bool changed_ = false;
};

} // namespace

Uniformity uniformity_of(const llvm::Function& body, const std::vector<llvm::BasicBlock*>& barriers) {
  return Analysis(body, barriers).run();
}

} // namespace forewarp::native
