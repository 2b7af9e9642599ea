// Loops unrolled as NVIDIA's compiler unrolls them where no pragma says otherwise.
#pragma once

#include <llvm/IR/PassManager.h>

namespace llvm {
class PassBuilder;
}

namespace forewarp::frontend {

struct CompilerGeneration;

/// For NVIDIA's targets only; others keep LLVM's own rules, which are their vendors'. Read off PTX of loops
/// of ours (cicc 13.0, docs/models/machine_code/README.md): four copies where the trip count is known at run
/// time only, with a loop for the rest; the largest power of two that divides a constant one; fewer, by
/// halves, while the body comes out longer than 200 operations of LLVM's count. Where the compiler's
/// generation repeats loops, the assembler's copies come on top (assembler_unrolling.h). Loops with a pragma
/// keep it, and loops that LLVM unrolls in full are gone by then. `compiler` outlives the builder.
void add_loop_unrolling(llvm::PassBuilder& builder, const CompilerGeneration& compiler);

/// The assembler's copies alone, of loops that a compiler has left as they are (PTX). Loops with
/// `llvm.loop.unroll.disable` stay.
struct AssemblerUnrolling : llvm::PassInfoMixin<AssemblerUnrolling> {
  const CompilerGeneration& compiler; ///< outlives the pass
  explicit AssemblerUnrolling(const CompilerGeneration& generation) : compiler(generation) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& manager);
};

} // namespace forewarp::frontend
