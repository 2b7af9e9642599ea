#include "port/estimate/run_passes.h"

#include <llvm/Passes/PassBuilder.h>

namespace forewarp::port {

void run_passes(llvm::Function& function, llvm::FunctionPassManager passes) {
  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager groups;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(groups);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, groups, modules);
  passes.run(function, functions);
}

} // namespace forewarp::port
