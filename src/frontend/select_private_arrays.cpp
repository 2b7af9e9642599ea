#include "frontend/select_private_arrays.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/KnownBits.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>

#include <optional>

namespace forewarp::frontend {

namespace {

constexpr unsigned max_choices =
    4; ///< elements that one access may mean (assembler 13.0: 4 yes, 8 mostly not)
constexpr unsigned max_elements = 64;

/// Bytes into the array: constant + variable * scale.
struct Offset {
  std::int64_t constant = 0, scale = 0;
  llvm::Value* variable = nullptr;
};

/// A load or store of one element.
struct Access {
  llvm::Instruction* instruction = nullptr;
  Offset offset;
  std::vector<unsigned> choices;
};

llvm::ArrayType* simple_array(const llvm::AllocaInst& alloca) {
  auto* type = llvm::dyn_cast<llvm::ArrayType>(alloca.getAllocatedType());
  const bool simple = type && type->getElementType()->isSingleValueType() && !alloca.isArrayAllocation() &&
                      type->getNumElements() >= 2 && type->getNumElements() <= max_elements;
  return simple ? type : nullptr;
}

/// Elements that agree with what is known of the offset's bits.
std::vector<unsigned> choices_of(const Offset& offset, unsigned elements, std::uint64_t element_bytes,
                                 const llvm::DataLayout& layout, const llvm::Instruction& at) {
  const auto constant = [](std::int64_t value) {
    return llvm::KnownBits::makeConstant(llvm::APInt(64, static_cast<std::uint64_t>(value), true));
  };
  llvm::KnownBits known = constant(offset.constant);
  if (offset.variable != nullptr) {
    const llvm::KnownBits variable =
        llvm::computeKnownBits(offset.variable, layout, 0, nullptr, &at).sextOrTrunc(64);
    const llvm::KnownBits moved = llvm::KnownBits::mul(variable, constant(offset.scale));
    known = llvm::KnownBits::computeForAddSub(true, false, false, known, moved);
  }
  std::vector<unsigned> choices;
  for (unsigned e = 0; e < elements; ++e) {
    const llvm::APInt value(64, e * element_bytes);
    if (!value.intersects(known.Zero) && known.One.isSubsetOf(value))
      choices.push_back(e);
  }
  return choices;
}

/// The offset of an address behind one of offset `from`, or nothing where there are two variables.
std::optional<Offset> moved(Offset from, const llvm::GEPOperator& address, const llvm::DataLayout& layout) {
  llvm::MapVector<llvm::Value*, llvm::APInt> variables;
  llvm::APInt constant(64, 0);
  if (!address.collectOffset(layout, 64, variables, constant) ||
      variables.size() + (from.variable != nullptr ? 1 : 0) > 1)
    return std::nullopt;
  from.constant += constant.getSExtValue();
  if (!variables.empty()) {
    from.variable = variables.front().first;
    from.scale = variables.front().second.getSExtValue();
  }
  return from;
}

/// Every use of one private array.
struct Uses {
  std::vector<Access> accesses;
  std::vector<llvm::Instruction*> marks; ///< of its lifetime
  bool open = false;                     ///< some index is not constant
};

/// False where the array is used in another way or an access leaves too much open.
bool gather(llvm::Value& pointer, const Offset& offset, const llvm::ArrayType& array,
            const llvm::DataLayout& layout, Uses& uses) {
  llvm::Type* element = array.getElementType();
  for (llvm::User* user : pointer.users()) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
    if (auto* address = llvm::dyn_cast<llvm::GEPOperator>(user)) {
      const auto next = moved(offset, *address, layout);
      if (!next || !gather(*address, *next, array, layout, uses))
        return false;
      continue;
    }
    if (auto* mark = llvm::dyn_cast<llvm::IntrinsicInst>(user); mark && mark->isLifetimeStartOrEnd()) {
      uses.marks.push_back(mark);
      continue;
    }
    if (!instruction || !llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction) ||
        instruction->isVolatile() || llvm::getLoadStorePointerOperand(instruction) != &pointer ||
        llvm::getLoadStoreType(instruction) != element)
      return false;
    const std::uint64_t bytes = layout.getTypeAllocSize(element).getFixedValue();
    auto choices =
        choices_of(offset, static_cast<unsigned>(array.getNumElements()), bytes, layout, *instruction);
    if (choices.empty() || choices.size() > max_choices)
      return false;
    uses.open = uses.open || choices.size() > 1;
    uses.accesses.push_back({instruction, offset, std::move(choices)});
  }
  return true;
}

void replace(const Access& access, const std::vector<llvm::AllocaInst*>& elements) {
  llvm::IRBuilder<> builder(access.instruction);
  llvm::Type* type = llvm::getLoadStoreType(access.instruction);
  const auto bytes =
      static_cast<std::int64_t>(elements[0]->getDataLayout().getTypeAllocSize(type).getFixedValue());
  const auto is = [&](unsigned element) {
    const std::int64_t value = (element * bytes - access.offset.constant) / access.offset.scale;
    return builder.CreateICmpEQ(access.offset.variable,
                                llvm::ConstantInt::getSigned(access.offset.variable->getType(), value));
  };
  const bool sure = access.choices.size() == 1;
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(access.instruction)) {
    for (const unsigned e : access.choices) {
      llvm::Value* value = store->getValueOperand();
      if (!sure)
        value = builder.CreateSelect(is(e), value, builder.CreateLoad(type, elements[e]));
      builder.CreateStore(value, elements[e]);
    }
  } else {
    llvm::Value* value = builder.CreateLoad(type, elements[access.choices.front()]);
    for (std::size_t i = 1; i < access.choices.size(); ++i)
      value = builder.CreateSelect(is(access.choices[i]),
                                   builder.CreateLoad(type, elements[access.choices[i]]), value);
    access.instruction->replaceAllUsesWith(value);
  }
  access.instruction->eraseFromParent();
}

bool select_elements(llvm::AllocaInst& alloca) {
  llvm::ArrayType* array = simple_array(alloca);
  if (array == nullptr)
    return false;
  Uses uses;
  if (!gather(alloca, {}, *array, alloca.getDataLayout(), uses) || !uses.open)
    return false;
  llvm::IRBuilder<> builder(&alloca);
  std::vector<llvm::AllocaInst*> elements;
  for (std::uint64_t e = 0; e < array->getNumElements(); ++e)
    elements.push_back(
        builder.CreateAlloca(array->getElementType(), alloca.getAddressSpace(), nullptr, alloca.getName()));
  for (const Access& access : uses.accesses)
    replace(access, elements);
  for (llvm::Instruction* mark : uses.marks)
    mark->eraseFromParent();
  return true;
}

struct SelectPrivateArrays : llvm::PassInfoMixin<SelectPrivateArrays> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    if (!llvm::Triple(function.getParent()->getTargetTriple()).isNVPTX())
      return llvm::PreservedAnalyses::all();
    std::vector<llvm::AllocaInst*> arrays;
    for (llvm::Instruction& instruction : function.getEntryBlock())
      if (auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        arrays.push_back(alloca);
    bool changed = false;
    for (llvm::AllocaInst* alloca : arrays)
      changed = select_elements(*alloca) || changed;
    if (!changed)
      return llvm::PreservedAnalyses::all();
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
    passes.addPass(llvm::EarlyCSEPass(true));
    passes.addPass(llvm::InstCombinePass());
    passes.run(function, analyses);
    return llvm::PreservedAnalyses::none();
  }
};

} // namespace

void add_private_array_selection(llvm::PassBuilder& builder) {
  builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(SelectPrivateArrays()));
  });
}

} // namespace forewarp::frontend
