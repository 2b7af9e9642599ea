#include "port/static/written_loads.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <vector>

namespace forewarp::port {
namespace {

constexpr const char* count_mark = "forewarp.written";
/// Operations between two equal addresses and the values that they share.
constexpr unsigned deepest_address = 16;

void set_written_loads(llvm::LoadInst& load, std::uint32_t count) {
  llvm::LLVMContext& context = load.getContext();
  auto* const number = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), count);
  load.setMetadata(count_mark, llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(number)));
}

/// The same value, or made by the same address arithmetic from the same values.
bool same_address(const llvm::Value* left, const llvm::Value* right, unsigned depth = 0) {
  if (left == right)
    return true;
  const auto* a = llvm::dyn_cast<llvm::Instruction>(left);
  const auto* b = llvm::dyn_cast<llvm::Instruction>(right);
  const bool arithmetic = a && (a->isBinaryOp() || llvm::isa<llvm::CastInst, llvm::GetElementPtrInst>(a));
  if (!arithmetic || !b || depth == deepest_address || !a->isSameOperationAs(b))
    return false;
  for (unsigned i = 0; i < a->getNumOperands(); ++i)
    if (!same_address(a->getOperand(i), b->getOperand(i), depth + 1))
      return false;
  return true;
}

bool merge_in(llvm::BasicBlock& block) {
  std::vector<llvm::LoadInst*> readable; ///< since the last write
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
    auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (load == nullptr || !load->isSimple()) {
      if (instruction.mayWriteToMemory())
        readable.clear();
      continue;
    }
    const auto same = std::find_if(readable.begin(), readable.end(), [&](const llvm::LoadInst* earlier) {
      return earlier->getType() == load->getType() &&
             same_address(earlier->getPointerOperand(), load->getPointerOperand());
    });
    if (same == readable.end()) {
      readable.push_back(load);
      continue;
    }
    set_written_loads(**same, written_loads(**same) + written_loads(*load));
    load->replaceAllUsesWith(*same);
    load->eraseFromParent();
    changed = true;
  }
  return changed;
}

} // namespace

llvm::PreservedAnalyses MergeWrittenLoads::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::BasicBlock& block : function)
    changed = merge_in(block) || changed;
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

std::uint32_t written_loads(const llvm::Instruction& instruction) {
  const llvm::MDNode* mark = instruction.getMetadata(count_mark);
  return mark == nullptr
             ? 1
             : static_cast<std::uint32_t>(
                   llvm::mdconst::extract<llvm::ConstantInt>(mark->getOperand(0))->getZExtValue());
}

} // namespace forewarp::port
