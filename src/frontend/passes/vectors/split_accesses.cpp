#include "frontend/passes/vectors/split_accesses.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>

#include <algorithm>
#include <bit>
#include <vector>

namespace forewarp::frontend {

namespace {

constexpr std::uint64_t widest_access_bytes = 16;

/// Elements of one piece; all of them where the vector is one access.
unsigned elements_of_piece(const llvm::FixedVectorType& type, llvm::Align align,
                           const llvm::DataLayout& layout) {
  const std::uint64_t bits = layout.getTypeSizeInBits(type.getElementType()).getFixedValue();
  const std::uint64_t bytes = layout.getTypeStoreSize(const_cast<llvm::FixedVectorType*>(&type));
  if (bits < 8 || bits % 8 != 0) // bits of a mask
    return type.getNumElements();
  const std::uint64_t piece = std::min({widest_access_bytes, align.value(), std::bit_floor(bytes)});
  return static_cast<unsigned>(std::max<std::uint64_t>(1, piece * 8 / bits));
}

class SplitAccess {
public:
  SplitAccess(llvm::Instruction& access, llvm::FixedVectorType& type, llvm::Value& pointer, llvm::Align align)
      : access_(access), type_(type), pointer_(pointer), align_(align),
        layout_(access.getModule()->getDataLayout()), builder_(&access) {}

  void split() {
    const unsigned count = type_.getNumElements();
    const unsigned each = elements_of_piece(type_, align_, layout_);
    llvm::Value* whole = llvm::PoisonValue::get(&type_);
    for (unsigned first = 0; first < count; first += each) {
      const unsigned elements = std::min(each, count - first);
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&access_))
        keep_marks(*builder_.CreateAlignedStore(taken(*store->getValueOperand(), first, elements),
                                                &place(first), align_at(first), store->isVolatile()));
      else
        whole = put(whole, load(first, elements), first, elements);
    }
    if (!access_.use_empty())
      access_.replaceAllUsesWith(whole);
    access_.eraseFromParent();
  }

private:
  llvm::Type* piece_type(unsigned elements) const {
    llvm::Type* element = type_.getElementType();
    return elements == 1 ? element : llvm::FixedVectorType::get(element, elements);
  }
  std::uint64_t offset(unsigned first) const {
    return first * layout_.getTypeStoreSize(type_.getElementType()).getFixedValue();
  }
  llvm::Align align_at(unsigned first) const { return llvm::commonAlignment(align_, offset(first)); }
  llvm::Value& place(unsigned first) {
    return first == 0 ? pointer_
                      : *builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), &pointer_, offset(first));
  }
  void keep_marks(llvm::Instruction& piece) const { piece.copyMetadata(access_); }
  llvm::Value* load(unsigned first, unsigned elements) {
    llvm::LoadInst* piece = builder_.CreateAlignedLoad(piece_type(elements), &place(first), align_at(first),
                                                       llvm::cast<llvm::LoadInst>(access_).isVolatile());
    keep_marks(*piece);
    return piece;
  }
  llvm::Value* put(llvm::Value* whole, llvm::Value* piece, unsigned first, unsigned elements) {
    for (unsigned e = 0; e < elements; ++e)
      whole = builder_.CreateInsertElement(
          whole, elements == 1 ? piece : builder_.CreateExtractElement(piece, e), first + e);
    return whole;
  }
  llvm::Value* taken(llvm::Value& whole, unsigned first, unsigned elements) {
    if (elements == 1)
      return builder_.CreateExtractElement(&whole, first);
    std::vector<int> members(elements);
    for (unsigned e = 0; e < elements; ++e)
      members[e] = static_cast<int>(first + e);
    return builder_.CreateShuffleVector(&whole, members);
  }

  llvm::Instruction& access_;
  llvm::FixedVectorType& type_;
  llvm::Value& pointer_;
  llvm::Align align_;
  const llvm::DataLayout& layout_;
  llvm::IRBuilder<> builder_;
};

/// The vector that an access of more than one piece moves.
llvm::FixedVectorType* split_type(llvm::Instruction& instruction) {
  llvm::Type* type = nullptr;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    type = load->isAtomic() ? nullptr : load->getType();
  else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    type = store->isAtomic() ? nullptr : store->getValueOperand()->getType();
  auto* vector = llvm::dyn_cast_or_null<llvm::FixedVectorType>(type);
  if (vector == nullptr ||
      elements_of_piece(*vector, llvm::getLoadStoreAlignment(&instruction),
                        instruction.getModule()->getDataLayout()) >= vector->getNumElements())
    return nullptr;
  return vector;
}

struct SplitAccesses : llvm::PassInfoMixin<SplitAccesses> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    if (!function.getParent()->getTargetTriple().starts_with("nvptx"))
      return llvm::PreservedAnalyses::all();
    std::vector<llvm::Instruction*> wide;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (split_type(instruction) != nullptr)
        wide.push_back(&instruction);
    for (llvm::Instruction* access : wide)
      SplitAccess(*access, *split_type(*access), *llvm::getLoadStorePointerOperand(access),
                  llvm::getLoadStoreAlignment(access))
          .split();
    return wide.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
  }
};

} // namespace

void add_access_splitting(llvm::PassBuilder& builder) {
  builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(SplitAccesses()));
  });
}

} // namespace forewarp::frontend
