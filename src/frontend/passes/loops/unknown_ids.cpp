#include "frontend/passes/loops/unknown_ids.h"

#include "frontend/passes/compiler_generation.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/TargetParser/Triple.h>

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace forewarp::frontend {

namespace {

using llvm::Intrinsic::ID;

struct Range {
  llvm::Attribute attribute;
  llvm::MDNode* node = nullptr;
};

/// What was taken away: of a function, and of any (no function) for calls that came in from another.
using Ranges = std::map<std::pair<const llvm::Function*, ID>, Range>;

bool is_id(ID intrinsic) {
  using namespace llvm::Intrinsic;
  switch (intrinsic) {
  case nvvm_read_ptx_sreg_tid_x:
  case nvvm_read_ptx_sreg_tid_y:
  case nvvm_read_ptx_sreg_tid_z:
  case nvvm_read_ptx_sreg_ctaid_x:
  case nvvm_read_ptx_sreg_ctaid_y:
  case nvvm_read_ptx_sreg_ctaid_z:
    return true;
  default:
    return false;
  }
}

std::vector<llvm::IntrinsicInst*> ids_of(llvm::Function& function) {
  std::vector<llvm::IntrinsicInst*> ids;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction); call && is_id(call->getIntrinsicID()))
      ids.push_back(call);
  return ids;
}

struct TakeRanges : llvm::PassInfoMixin<TakeRanges> {
  std::shared_ptr<Ranges> ranges;
  explicit TakeRanges(std::shared_ptr<Ranges> taken) : ranges(std::move(taken)) {}

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    if (!llvm::Triple(module.getTargetTriple()).isNVPTX())
      return llvm::PreservedAnalyses::all();
    for (llvm::Function& function : module)
      for (llvm::IntrinsicInst* id : ids_of(function)) {
        const Range range{id->getRetAttr(llvm::Attribute::Range),
                          id->getMetadata(llvm::LLVMContext::MD_range)};
        ranges->try_emplace({&function, id->getIntrinsicID()}, range);
        ranges->try_emplace({nullptr, id->getIntrinsicID()}, range);
        id->removeRetAttr(llvm::Attribute::Range);
        id->setMetadata(llvm::LLVMContext::MD_range, nullptr);
      }
    return llvm::PreservedAnalyses::none();
  }
};

struct GiveRangesBack : llvm::PassInfoMixin<GiveRangesBack> {
  std::shared_ptr<Ranges> ranges;
  explicit GiveRangesBack(std::shared_ptr<Ranges> taken) : ranges(std::move(taken)) {}

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    if (ranges->empty())
      return llvm::PreservedAnalyses::all();
    for (llvm::IntrinsicInst* id : ids_of(function)) {
      auto taken = ranges->find({&function, id->getIntrinsicID()});
      if (taken == ranges->end())
        taken = ranges->find({nullptr, id->getIntrinsicID()});
      if (taken == ranges->end())
        continue;
      if (taken->second.attribute.isValid())
        id->addRetAttr(taken->second.attribute);
      id->setMetadata(llvm::LLVMContext::MD_range, taken->second.node);
    }
    return llvm::PreservedAnalyses::none();
  }
};

} // namespace

void add_unknown_ids(llvm::PassBuilder& builder, const CompilerGeneration& compiler) {
  if (compiler.knows_ids)
    return;
  const auto ranges = std::make_shared<Ranges>();
  builder.registerPipelineStartEPCallback([ranges](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(TakeRanges(ranges));
  });
  builder.registerVectorizerStartEPCallback(
      [ranges](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) {
        passes.addPass(GiveRangesBack(ranges));
      });
}

} // namespace forewarp::frontend
