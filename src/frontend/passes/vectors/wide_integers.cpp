#include "frontend/passes/vectors/wide_integers.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Utils/Local.h>

#include <numeric>
#include <vector>

namespace forewarp::frontend {

namespace {

constexpr unsigned widest_integer_bits = 128;

/// Bits `first` to `first + width - 1` of the vector, as an integer; null where they are parts of several
/// elements.
llvm::Value* bits_of(llvm::IRBuilder<>& b, llvm::Value& vector, std::uint64_t first, std::uint64_t width) {
  const auto& type = *llvm::cast<llvm::FixedVectorType>(vector.getType());
  const std::uint64_t element = type.getScalarSizeInBits();
  if (first % element == 0 && width % element == 0) {
    std::vector<int> members(width / element);
    std::iota(members.begin(), members.end(), static_cast<int>(first / element));
    return b.CreateBitCast(b.CreateShuffleVector(&vector, members),
                           b.getIntNTy(static_cast<unsigned>(width)));
  }
  if (first / element != (first + width - 1) / element)
    return nullptr;
  llvm::Value* whole = b.CreateBitCast(b.CreateExtractElement(&vector, first / element),
                                       b.getIntNTy(static_cast<unsigned>(element)));
  return b.CreateTrunc(b.CreateLShr(whole, first % element), b.getIntNTy(static_cast<unsigned>(width)));
}

/// The vector and the first bit that a part of a wide integer is taken from.
bool is_part(const llvm::TruncInst& part, llvm::Value*& vector, std::uint64_t& first) {
  using namespace llvm::PatternMatch;
  if (part.getSrcTy()->getIntegerBitWidth() <= widest_integer_bits)
    return false;
  first = 0;
  const auto wide = m_BitCast(m_Value(vector));
  return (match(part.getOperand(0), wide) || match(part.getOperand(0), m_LShr(wide, m_ConstantInt(first)))) &&
         llvm::isa<llvm::FixedVectorType>(vector->getType()) &&
         first + part.getDestTy()->getIntegerBitWidth() <= part.getSrcTy()->getIntegerBitWidth();
}

/// A load of a wide integer is one of as many words.
void load_words(llvm::LoadInst& load) {
  llvm::IRBuilder<> b(&load);
  auto* words = llvm::FixedVectorType::get(b.getInt32Ty(), load.getType()->getIntegerBitWidth() / 32);
  llvm::LoadInst* made =
      b.CreateAlignedLoad(words, load.getPointerOperand(), load.getAlign(), load.isVolatile());
  made->copyMetadata(load);
  load.replaceAllUsesWith(b.CreateBitCast(made, load.getType()));
  load.eraseFromParent();
}

bool is_wide(const llvm::Type& type) {
  return type.isIntegerTy() && type.getIntegerBitWidth() > widest_integer_bits &&
         type.getIntegerBitWidth() % 32 == 0;
}

struct PartsOfWideIntegers : llvm::PassInfoMixin<PartsOfWideIntegers> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    bool changed = false;
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
          load != nullptr && is_wide(*load->getType())) {
        load_words(*load);
        changed = true;
      }
    llvm::SmallVector<llvm::WeakTrackingVH> replaced;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* part = llvm::dyn_cast<llvm::TruncInst>(&instruction);
      llvm::Value* vector = nullptr;
      std::uint64_t first = 0;
      if (part == nullptr || part->getType()->isVectorTy() || !is_part(*part, vector, first))
        continue;
      llvm::IRBuilder<> b(part);
      if (llvm::Value* bits = bits_of(b, *vector, first, part->getType()->getIntegerBitWidth())) {
        part->replaceAllUsesWith(bits);
        replaced.emplace_back(part);
      }
    }
    changed |= !replaced.empty();
    llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
    return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
  }
};

} // namespace

void add_parts_of_wide_integers(llvm::PassBuilder& builder) {
  builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(PartsOfWideIntegers()));
  });
}

} // namespace forewarp::frontend
