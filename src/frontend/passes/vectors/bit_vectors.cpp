#include "frontend/passes/vectors/bit_vectors.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Passes/PassBuilder.h>

namespace forewarp::frontend {

namespace {

/// The integer that a vector of bits is in memory; null where it is none, or no access of a machine.
llvm::IntegerType* integer_of(llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (vector == nullptr || !vector->getElementType()->isIntegerTy(1))
    return nullptr;
  const unsigned bits = vector->getNumElements();
  return bits == 8 || bits == 16 || bits == 32 || bits == 64
             ? llvm::IntegerType::get(type->getContext(), bits)
             : nullptr;
}

void load_whole(llvm::LoadInst& load, llvm::IntegerType& whole) {
  llvm::IRBuilder<> b(&load);
  llvm::LoadInst* made =
      b.CreateAlignedLoad(&whole, load.getPointerOperand(), load.getAlign(), load.isVolatile());
  made->copyMetadata(load);
  load.replaceAllUsesWith(b.CreateBitCast(made, load.getType()));
  load.eraseFromParent();
}

void store_whole(llvm::StoreInst& store, llvm::IntegerType& whole) {
  llvm::IRBuilder<> b(&store);
  b.CreateAlignedStore(b.CreateBitCast(store.getValueOperand(), &whole), store.getPointerOperand(),
                       store.getAlign(), store.isVolatile())
      ->copyMetadata(store);
  store.eraseFromParent();
}

struct BitVectorAccesses : llvm::PassInfoMixin<BitVectorAccesses> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    bool changed = false;
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      llvm::IntegerType* whole = nullptr;
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
          load != nullptr && (whole = integer_of(load->getType())) != nullptr)
        load_whole(*load, *whole);
      else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
               store != nullptr && (whole = integer_of(store->getValueOperand()->getType())) != nullptr)
        store_whole(*store, *whole);
      changed |= whole != nullptr;
    }
    return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
  }
};

} // namespace

void add_bit_vector_accesses(llvm::PassBuilder& builder) {
  builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(BitVectorAccesses()));
  });
}

} // namespace forewarp::frontend
