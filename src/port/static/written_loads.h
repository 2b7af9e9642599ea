// Loads of the source that one load of the optimised code stands for.
#pragma once

#include <llvm/IR/Instruction.h>
#include <llvm/IR/PassManager.h>

#include <cstdint>

namespace forewarp::port {

/// Merges loads of a basic block that read the same place with no write in between, as any compiler does,
/// and keeps count of them. To run before a pass that would merge them itself. Not counted: equal loads of
/// different blocks.
struct MergeWrittenLoads : llvm::PassInfoMixin<MergeWrittenLoads> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

/// Loads of the source behind `instruction`; 1 where nothing was merged into it.
std::uint32_t written_loads(const llvm::Instruction& instruction);

} // namespace forewarp::port
