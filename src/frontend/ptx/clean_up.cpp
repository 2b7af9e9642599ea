#include "frontend/ptx/clean_up.h"

#include "frontend/llvm_options.h"
#include "frontend/lowering/lower.h"
#include "frontend/passes/join_comparisons.h"
#include "frontend/passes/loops/unroll_loops.h"
#include "frontend/ptx/addresses/pointers.h"
#include "frontend/targets.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/InstSimplifyPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

namespace forewarp::frontend::ptx {
namespace {

/// On the jumps of blocks that hold statements; the blocks that passes make have none.
constexpr const char* written = "forewarp.written";

struct MarkWrittenBlocks : llvm::PassInfoMixin<MarkWrittenBlocks> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    for (llvm::BasicBlock& block : function)
      if (auto* jump = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator()))
        jump->setMetadata(written, llvm::MDNode::get(function.getContext(), {}));
    return llvm::PreservedAnalyses::all();
  }
};

/// A register that a loop or a meeting carries on is set here to a constant or an argument.
bool moves_values(const llvm::BranchInst& jump) {
  return jump.hasMetadata(written) &&
         llvm::any_of(jump.getSuccessor(0)->phis(), [&](const llvm::PHINode& phi) {
           const llvm::Value* incoming = phi.getIncomingValueForBlock(jump.getParent());
           return llvm::isa<llvm::Constant, llvm::Argument>(incoming) &&
                  !llvm::isa<llvm::UndefValue>(incoming);
         });
}

/// A branch to a branch goes to its end.
void skip_empty_blocks(llvm::Function& function) {
  for (llvm::BasicBlock& block : llvm::make_early_inc_range(function)) {
    auto* jump = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (&block == &function.getEntryBlock() || !jump || jump->isConditional() || block.size() != 1 ||
        jump->getSuccessor(0) == &block || !block.hasNPredecessorsOrMore(1) || moves_values(*jump))
      continue;
    llvm::TryToSimplifyUncondBranchFromEmptyBlock(&block);
  }
}

struct TidyBlocks : llvm::PassInfoMixin<TidyBlocks> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    llvm::removeUnreachableBlocks(function);
    skip_empty_blocks(function);
    for (llvm::BasicBlock& block : llvm::make_early_inc_range(function))
      if (&block != &function.getEntryBlock())
        llvm::MergeBlockIntoPredecessor(&block);
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

struct RecoverPointers : llvm::PassInfoMixin<RecoverPointers> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    recover_pointers(function);
    return llvm::PreservedAnalyses::none();
  }
};

/// A branch by a complement is the branch by the predicate with its ways exchanged, which costs nothing.
void take_complements_away(llvm::Function& function) {
  namespace pattern = llvm::PatternMatch;
  for (llvm::BasicBlock& block : function) {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    llvm::Value* condition = nullptr;
    if (!branch || !branch->isConditional() ||
        !match(branch->getCondition(), pattern::m_Not(pattern::m_Value(condition))))
      continue;
    branch->setCondition(condition);
    branch->swapSuccessors();
  }
}

/// An extension of an extension is one: loads fill the whole register.
void join_extensions(llvm::Function& function) {
  for (llvm::Instruction& outer : llvm::instructions(function)) {
    if (!llvm::isa<llvm::ZExtInst, llvm::SExtInst>(outer))
      continue;
    auto* inner = llvm::dyn_cast<llvm::CastInst>(outer.getOperand(0));
    const bool with_zeros = inner && llvm::isa<llvm::ZExtInst>(inner);
    if (with_zeros && llvm::isa<llvm::SExtInst>(outer)) {
      llvm::IRBuilder<> b(&outer);
      outer.replaceAllUsesWith(b.CreateZExt(inner->getOperand(0), outer.getType()));
    } else if (with_zeros ||
               (inner && llvm::isa<llvm::SExtInst>(inner) && llvm::isa<llvm::SExtInst>(outer))) {
      outer.setOperand(0, inner->getOperand(0));
    }
  }
}

/// cvt.rn.f32.u16 of a byte that was loaded converts the byte: the hardware takes it from the register's
/// part.
struct PlainForms : llvm::PassInfoMixin<PlainForms> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    take_complements_away(function);
    join_extensions(function);
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      const bool from_signed = llvm::isa<llvm::SIToFPInst>(instruction);
      auto* extension = from_signed || llvm::isa<llvm::UIToFPInst>(instruction)
                            ? llvm::dyn_cast<llvm::CastInst>(instruction.getOperand(0))
                            : nullptr;
      if (!extension || !extension->getSrcTy()->isIntegerTy() ||
          extension->getSrcTy()->getIntegerBitWidth() < 8)
        continue;
      if (llvm::isa<llvm::SExtInst>(extension) && from_signed)
        instruction.setOperand(0, extension->getOperand(0));
      if (llvm::isa<llvm::ZExtInst>(extension)) {
        llvm::IRBuilder<> b(&instruction);
        instruction.replaceAllUsesWith(b.CreateUIToFP(extension->getOperand(0), instruction.getType()));
      }
    }
    return llvm::PreservedAnalyses::none();
  }
};

/// An access keeps its own constant offset from a register: were it joined to the same sum elsewhere, which
/// a loop starts from for instance, that one would be kept for it.
struct KeepOffsets : llvm::PassInfoMixin<KeepOffsets> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    for (llvm::Instruction& access : llvm::instructions(function)) {
      auto* pointer =
          llvm::dyn_cast_or_null<llvm::GetElementPtrInst>(llvm::getLoadStorePointerOperand(&access));
      if (!pointer || !pointer->hasAllConstantIndices() || pointer->hasOneUse())
        continue;
      llvm::Instruction* own = pointer->clone();
      own->insertBefore(access.getIterator());
      access.setOperand(llvm::isa<llvm::LoadInst>(access) ? 0 : 1, own);
    }
    return llvm::PreservedAnalyses::none();
  }
};

struct JoinComparisons : llvm::PassInfoMixin<JoinComparisons> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    join_comparisons(function);
    return llvm::PreservedAnalyses::none();
  }
};

class Pipeline {
public:
  explicit Pipeline(llvm::TargetMachine* machine) : builder_(machine) {
    builder_.registerModuleAnalyses(modules_);
    builder_.registerCGSCCAnalyses(components_);
    builder_.registerFunctionAnalyses(functions_);
    builder_.registerLoopAnalyses(loops_);
    builder_.crossRegisterProxies(loops_, functions_, components_, modules_);
  }
  void run(llvm::Module& module, llvm::ModulePassManager passes) { passes.run(module, modules_); }

private:
  llvm::PassBuilder builder_;
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager components_;
  llvm::ModuleAnalysisManager modules_;
};

llvm::ModulePassManager values_of_slots() {
  llvm::FunctionPassManager each;
  each.addPass(TidyBlocks());
  each.addPass(MarkWrittenBlocks());
  each.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass(false));
  passes.addPass(llvm::GlobalDCEPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(each)));
  return passes;
}

llvm::ModulePassManager pointers_of_numbers(const CompilerGeneration& compiler) {
  llvm::FunctionPassManager each;
  each.addPass(RecoverPointers());
  each.addPass(llvm::InstSimplifyPass());
  each.addPass(PlainForms());
  each.addPass(llvm::ADCEPass());
  each.addPass(llvm::InferAddressSpacesPass());
  each.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  each.addPass(llvm::EarlyCSEPass());
  each.addPass(JoinComparisons());
  each.addPass(KeepOffsets());
  each.addPass(AssemblerUnrolling(compiler));
  each.addPass(llvm::InstSimplifyPass());
  each.addPass(llvm::ADCEPass());
  each.addPass(TidyBlocks());
  llvm::ModulePassManager passes;
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(each)));
  return passes;
}

} // namespace

void clean_up(llvm::Module& module, const std::string& processor, const std::string& features,
              const CompilerGeneration& compiler, lowering::Report& report) {
  settle_llvm_options();
  for (llvm::Function& function : module)
    function.addFnAttr("target-cpu", processor);
  lowering::lower_builtins(module, {}, report);
  lowering::inline_everything(module);
  auto machine = make_target_machine(module, processor, features);
  Pipeline(machine.get()).run(module, values_of_slots());
  std::vector<llvm::Function*> kernels;
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && lowering::is_kernel(function))
      kernels.push_back(&function);
  for (llvm::Function* kernel : kernels)
    retype_arguments(*kernel);
  Pipeline(machine.get()).run(module, pointers_of_numbers(compiler));
}

} // namespace forewarp::frontend::ptx
