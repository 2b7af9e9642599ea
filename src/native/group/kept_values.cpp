#include "native/group/kept_values.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>

namespace forewarp::native {
namespace {

using Block = llvm::BasicBlock;
constexpr std::size_t longest_recipe = 24;

/// Blocks at whose beginning a value is still wanted.
llvm::SmallPtrSet<const Block*, 16> alive_at(const llvm::Instruction& value) {
  llvm::SmallPtrSet<const Block*, 16> alive;
  std::vector<const Block*> open;
  const Block* home = value.getParent();
  const auto want = [&](const Block* block) {
    if (block != home && alive.insert(block).second)
      open.push_back(block);
  };
  for (const llvm::Use& use : value.uses()) {
    const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
    want(phi ? phi->getIncomingBlock(use) : user->getParent());
  }
  while (!open.empty()) {
    const Block* block = open.back();
    open.pop_back();
    for (const Block* before : llvm::predecessors(block))
      want(before);
  }
  return alive;
}

class Recipe {
public:
  /// False: it cannot be computed from what is there everywhere, or only at length.
  bool add(llvm::Instruction& value) {
    if (std::find(order_.begin(), order_.end(), &value) != order_.end())
      return true;
    const bool is_invariant = value.hasMetadata(llvm::LLVMContext::MD_invariant_load);
    const bool is_plain = llvm::isa<llvm::BinaryOperator>(value) || llvm::isa<llvm::CastInst>(value) ||
                          llvm::isa<llvm::GetElementPtrInst>(value) || llvm::isa<llvm::CmpInst>(value) ||
                          llvm::isa<llvm::SelectInst>(value);
    if ((!is_plain && !is_invariant) || order_.size() >= longest_recipe)
      return false;
    for (llvm::Value* operand : value.operands()) {
      auto* part = llvm::dyn_cast<llvm::Instruction>(operand);
      if (part && !llvm::isa<llvm::AllocaInst>(part) && !add(*part))
        return false;
    }
    order_.push_back(&value);
    return order_.size() <= longest_recipe;
  }

  void copy_to(KeptValue& kept) const {
    llvm::DenseMap<const llvm::Value*, llvm::Value*> copies;
    for (const llvm::Instruction* each : order_) {
      llvm::Instruction* copy = each->clone();
      for (llvm::Use& use : copy->operands())
        if (llvm::Value* part = copies.lookup(use.get()))
          use.set(part);
      copies[each] = copy;
      kept.recipe.emplace_back(copy);
    }
  }

private:
  std::vector<llvm::Instruction*> order_;
};

} // namespace

KeptValue::~KeptValue() {
  for (auto& each : recipe)
    each->dropAllReferences();
}

std::vector<KeptValue> keep_values(llvm::Function& body, const std::vector<llvm::BasicBlock*>& resumed,
                                   const Uniformity& uniformity) {
  std::vector<KeptValue> out;
  std::vector<llvm::Instruction*> values;
  for (llvm::Instruction& at : llvm::instructions(body)) {
    if (at.use_empty() || llvm::isa<llvm::AllocaInst>(at))
      continue;
    const auto alive = alive_at(at);
    KeptValue kept;
    for (const Block* block : resumed)
      if (alive.contains(block))
        kept.alive.insert(block);
    if (kept.alive.empty())
      continue;
    if (Recipe recipe; recipe.add(at)) {
      kept.how = Keeping::again;
      recipe.copy_to(kept);
    } else if (!uniformity.divergent.contains(&at)) {
      kept.how = Keeping::common;
    }
    values.push_back(&at);
    out.push_back(std::move(kept));
  }
  for (std::size_t k = 0; k < values.size(); ++k)
    out[k].slot = llvm::DemoteRegToStack(*values[k]);
  return out;
}

} // namespace forewarp::native
