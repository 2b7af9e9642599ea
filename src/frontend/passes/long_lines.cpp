#include "frontend/passes/long_lines.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/BDCE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/SCCP.h>

#include <algorithm>
#include <memory>
#include <set>

namespace forewarp::frontend {

namespace {

constexpr std::size_t most_loads_with_memory = 600;

std::size_t loads_in(const llvm::BasicBlock& block) {
  return static_cast<std::size_t>(std::ranges::count_if(
      block, [](const llvm::Instruction& instruction) { return llvm::isa<llvm::LoadInst>(instruction); }));
}

/// The block that alone leads here and leads nowhere else.
const llvm::BasicBlock* block_before(const llvm::BasicBlock& block) {
  const llvm::BasicBlock* before = block.getSinglePredecessor();
  return before != nullptr && before->getSingleSuccessor() == &block ? before : nullptr;
}

/// Functions whose value numbering was skipped and is still to come; never iterated.
using Skipped = std::set<const llvm::Function*>;

/// Under a name of its own, so that it is not skipped itself.
struct NumberWithoutMemory : llvm::PassInfoMixin<NumberWithoutMemory> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    return llvm::GVNPass(llvm::GVNOptions().setMemDep(false)).run(function, analyses);
  }
};

/// What LLVM's pipeline has from value numbering to the combining of instructions. Combining must not come
/// first: it folds what has one user, which equal values have only before they are joined.
struct NumberLongLines : llvm::PassInfoMixin<NumberLongLines> {
  std::shared_ptr<Skipped> skipped;
  explicit NumberLongLines(std::shared_ptr<Skipped> s) : skipped(std::move(s)) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    if (skipped->erase(&function) == 0)
      return llvm::PreservedAnalyses::all();
    llvm::FunctionPassManager passes;
    passes.addPass(NumberWithoutMemory());
    passes.addPass(llvm::SCCPPass());
    passes.addPass(llvm::BDCEPass());
    passes.addPass(llvm::InstCombinePass());
    return passes.run(function, analyses);
  }
};

/// Skips value numbering of long lines and the combining of instructions behind it.
bool should_run(llvm::StringRef pass, const llvm::Any& unit, Skipped& skipped) {
  const bool numbers = pass == llvm::GVNPass::name();
  if (!numbers && pass != llvm::InstCombinePass::name())
    return true;
  const auto* function = llvm::any_cast<const llvm::Function*>(&unit);
  if (function == nullptr)
    return true;
  if (numbers && loads_of_longest_line(**function) > most_loads_with_memory)
    skipped.insert(*function);
  return !skipped.contains(*function);
}

} // namespace

std::size_t loads_of_longest_line(const llvm::Function& function) {
  std::size_t most = 0;
  for (const llvm::BasicBlock& first : function) {
    if (block_before(first) != nullptr)
      continue;
    std::size_t loads = loads_in(first);
    const llvm::BasicBlock* next = first.getSingleSuccessor();
    for (; next != nullptr && block_before(*next) != nullptr; next = next->getSingleSuccessor())
      loads += loads_in(*next);
    most = std::max(most, loads);
  }
  return most;
}

void add_long_line_numbering(llvm::PassBuilder& builder) {
  auto skipped = std::make_shared<Skipped>();
  builder.getPassInstrumentationCallbacks()->registerShouldRunOptionalPassCallback(
      [skipped](llvm::StringRef pass, const llvm::Any& unit) { return should_run(pass, unit, *skipped); });
  builder.registerPeepholeEPCallback([skipped](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(NumberLongLines(skipped));
  });
}

} // namespace forewarp::frontend
