#include "frontend/passes/optimise.h"

#include "frontend/llvm_options.h"
#include "frontend/lowering/pointer_calls.h"
#include "frontend/passes/compiler_generation.h"
#include "frontend/passes/float_constants.h"
#include "frontend/passes/keep_remainders.h"
#include "frontend/passes/long_lines.h"
#include "frontend/passes/loops/amd_unrolling.h"
#include "frontend/passes/loops/long_pragmas.h"
#include "frontend/passes/loops/unknown_ids.h"
#include "frontend/passes/loops/unroll_loops.h"
#include "frontend/passes/select_private_arrays.h"
#include "frontend/passes/unroll_private_arrays.h"
#include "frontend/passes/vectors/bit_vectors.h"
#include "frontend/passes/vectors/split_accesses.h"
#include "frontend/passes/vectors/wide_integers.h"
#include "frontend/targets.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>

#include <algorithm>

namespace forewarp::frontend {

namespace {

struct LoweringPass : llvm::PassInfoMixin<LoweringPass> {
  lowering::Options options;
  lowering::Report* report;
  LoweringPass(const lowering::Options& o, lowering::Report* r) : options(o), report(r) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    lowering::resolve_pointer_calls(module);
    lowering::lower_builtins(module, options, *report);
    lowering::inline_everything(module);
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

/// AMD's back end looks for the memory behind generic pointers (references to shared variables, `this`) in a
/// copy of its own; the code that is run has to name the same. NVIDIA's target passes work on this code.
struct AmdAddressSpaces : llvm::PassInfoMixin<AmdAddressSpaces> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    if (!function.getParent()->getTargetTriple().starts_with("amdgcn"))
      return llvm::PreservedAnalyses::all();
    return llvm::InferAddressSpacesPass().run(function, analyses);
  }
};

/// Ids are expanded and memory behind generic pointers is named; nothing is optimised behind it.
struct FinishBitcode : llvm::PassInfoMixin<FinishBitcode> {
  lowering::Options options;
  explicit FinishBitcode(lowering::Options o) : options(std::move(o)) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    lowering::expand_global_ids(module, options);
    return llvm::PreservedAnalyses::none();
  }
};

void add_bitcode_passes(llvm::PassBuilder& builder, const lowering::Options& options) {
  builder.registerOptimizerLastEPCallback(
      [options](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
        passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::InferAddressSpacesPass()));
        passes.addPass(FinishBitcode(options));
      });
}

bool calls_through_pointers(const llvm::Module& module) {
  return std::ranges::any_of(module, [](const llvm::Function& function) {
    return std::ranges::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      return call != nullptr && call->isIndirectCall();
    });
  });
}

/// The pass notes at calls through pointers whom they may reach, after a walk over everything.
void leave_out_called_values(llvm::PassInstrumentationCallbacks& callbacks) {
  callbacks.registerShouldRunOptionalPassCallback([](llvm::StringRef pass, llvm::Any unit) {
    const auto* module = llvm::any_cast<const llvm::Module*>(&unit);
    return pass != "CalledValuePropagationPass" || module == nullptr || calls_through_pointers(**module);
  });
}

} // namespace

void add_lowering(llvm::PassBuilder& builder, const lowering::Options& options, lowering::Report& report) {
  settle_llvm_options();
  builder.registerPipelineStartEPCallback(
      [options, &report](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
        lowering::Options own = options;
        own.whole_global_ids = options.compiler == plain_bitcode;
        passes.addPass(LoweringPass(own, &report));
      });
  add_bit_vector_accesses(builder);
  add_parts_of_wide_integers(builder);
  if (options.compiler == plain_bitcode)
    return add_bitcode_passes(builder, options);
  add_long_line_numbering(builder);
  add_kept_remainders(builder);
  add_float_constants(builder, compiler_generation(options.compiler));
  add_private_array_unrolling(builder);
  add_private_array_selection(builder);
  add_loop_unrolling(builder, compiler_generation(options.compiler));
  add_unknown_ids(builder, compiler_generation(options.compiler));
  add_long_pragmas(builder, compiler_generation(options.compiler));
  add_amd_unrolling(builder);
  add_access_splitting(builder);
  builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(AmdAddressSpaces()));
  });
}

void optimise(llvm::Module& module, const std::string& processor, const std::string& features,
              const lowering::Options& options, lowering::Report& report) {
  auto machine = make_target_machine(module, processor, features);
  llvm::PassInstrumentationCallbacks callbacks;
  leave_out_called_values(callbacks);
  llvm::PassBuilder builder(machine.get(), llvm::PipelineTuningOptions(), std::nullopt, &callbacks);
  add_lowering(builder, options, report);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  const auto level =
      options.compiler == plain_bitcode ? llvm::OptimizationLevel::O2 : llvm::OptimizationLevel::O3;
  builder.buildPerModuleDefaultPipeline(level).run(module, modules);
}

} // namespace forewarp::frontend
