#include "frontend/passes/select_private_arrays.h"

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

#include <map>
#include <optional>
#include <set>

namespace forewarp::frontend {

namespace {

constexpr unsigned max_choices = 12; // elements that one access may mean
constexpr unsigned max_elements = 64;
constexpr unsigned known_offset_bits = 4; // the assembler knows a variable offset within 16 bytes, not beyond

// Comparisons and moves that one access may cost before the assembler goes to memory: ptxas 13.0 for sm_75,
// 42 codes of a sum in private elements, 66 of loops of ours that read, write or do both.
constexpr double max_moves_one_way = 15.5;
constexpr double max_moves_both_ways = 9.5;

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
  bool beyond_known = false; ///< some of the choices are impossible, which the assembler does not see
};

llvm::ArrayType* simple_array(const llvm::AllocaInst& alloca) {
  auto* type = llvm::dyn_cast<llvm::ArrayType>(alloca.getAllocatedType());
  const bool simple = type && type->getElementType()->isSingleValueType() && !alloca.isArrayAllocation() &&
                      type->getNumElements() >= 2 && type->getNumElements() <= max_elements;
  return simple ? type : nullptr;
}

std::vector<unsigned> agreeing(const llvm::KnownBits& known, unsigned elements, std::uint64_t element_bytes) {
  std::vector<unsigned> choices;
  for (unsigned e = 0; e < elements; ++e) {
    const llvm::APInt value(64, e * element_bytes);
    if (!value.intersects(known.Zero) && known.One.isSubsetOf(value))
      choices.push_back(e);
  }
  return choices;
}

/// Elements that agree with what the assembler knows of the offset's bits.
void find_choices(Access& access, unsigned elements, std::uint64_t element_bytes,
                  const llvm::DataLayout& layout) {
  const Offset& offset = access.offset;
  const auto constant = [](std::int64_t value) {
    return llvm::KnownBits::makeConstant(llvm::APInt(64, static_cast<std::uint64_t>(value), true));
  };
  llvm::KnownBits known = constant(offset.constant);
  if (offset.variable == nullptr) {
    access.choices = agreeing(known, elements, element_bytes);
    return;
  }
  const llvm::KnownBits variable =
      llvm::computeKnownBits(offset.variable, layout, 0, nullptr, access.instruction).sextOrTrunc(64);
  known = llvm::KnownBits::computeForAddSub(true, false, false, known,
                                            llvm::KnownBits::mul(variable, constant(offset.scale)));
  const std::size_t possible = agreeing(known, elements, element_bytes).size();
  known.Zero &= llvm::APInt::getLowBitsSet(64, known_offset_bits);
  known.One &= llvm::APInt::getLowBitsSet(64, known_offset_bits);
  access.choices = agreeing(known, elements, element_bytes);
  access.beyond_known = possible < access.choices.size();
}

/// The sum of a value and a constant that an extension of it does not cut; null: none.
const llvm::ConstantInt* added_constant(const llvm::Value& sum, bool zero_extended) {
  const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&sum);
  const auto* constant = binary ? llvm::dyn_cast<llvm::ConstantInt>(binary->getOperand(1)) : nullptr;
  if (constant == nullptr)
    return nullptr;
  if (const auto* either = llvm::dyn_cast<llvm::PossiblyDisjointInst>(binary))
    return either->isDisjoint() && !constant->isNegative() ? constant : nullptr;
  const bool exact = binary->getOpcode() == llvm::Instruction::Add &&
                     (zero_extended ? binary->hasNoUnsignedWrap() : binary->hasNoSignedWrap());
  return exact ? constant : nullptr;
}

/// Takes extensions and constants off the variable, so that copies of an unrolled body share one.
void simplify(Offset& offset) {
  bool zero_extended = false;
  for (;;) {
    if (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(offset.variable)) {
      zero_extended = zero_extended || llvm::isa<llvm::ZExtInst>(offset.variable);
      offset.variable = llvm::cast<llvm::CastInst>(offset.variable)->getOperand(0);
      continue;
    }
    const llvm::ConstantInt* constant = added_constant(*offset.variable, zero_extended);
    if (constant == nullptr)
      return;
    offset.constant += constant->getSExtValue() * offset.scale;
    offset.variable = llvm::cast<llvm::BinaryOperator>(offset.variable)->getOperand(0);
  }
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
    simplify(from);
  }
  return from;
}

/// Every use of one private array.
struct Uses {
  std::vector<Access> accesses;
  std::vector<llvm::Instruction*> marks; ///< of its lifetime
};

/// Whether choosing costs no more than the assembler takes upon itself; false also where every index is
/// constant.
bool worth_choosing(const Uses& uses, std::int64_t element_bytes) {
  std::set<std::pair<const llvm::Value*, std::int64_t>> comparisons;
  std::size_t loads = 0, stores = 0, moves = 0;
  for (const Access& access : uses.accesses) {
    if (access.choices.size() < 2)
      continue;
    (llvm::isa<llvm::LoadInst>(access.instruction) ? loads : stores) += 1;
    moves += access.choices.size();
    for (const unsigned e : access.choices)
      comparisons.emplace(access.offset.variable, e * element_bytes - access.offset.constant);
  }
  const double limit = loads > 0 && stores > 0 ? max_moves_both_ways : max_moves_one_way;
  return loads + stores > 0 &&
         static_cast<double>(moves + comparisons.size()) <= limit * static_cast<double>(loads + stores);
}

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
    Access& access = uses.accesses.emplace_back(instruction, offset);
    find_choices(access, static_cast<unsigned>(array.getNumElements()), bytes, layout);
    if (access.choices.empty() || access.choices.size() > max_choices)
      return false;
  }
  return true;
}

/// `variable * scale` of which later passes know no bits: they would take comparisons away that the assembler
/// makes.
llvm::Value* opaque_bytes(const Offset& offset,
                          std::map<std::pair<llvm::Value*, std::int64_t>, llvm::Value*>& made) {
  llvm::Value*& bytes = made[{offset.variable, offset.scale}];
  if (bytes != nullptr)
    return bytes;
  auto* definition = llvm::dyn_cast<llvm::Instruction>(offset.variable);
  const auto after = definition ? definition->getInsertionPointAfterDef() : std::nullopt;
  if (!after)
    return nullptr;
  llvm::IRBuilder<> builder((*after)->getParent(), *after);
  llvm::Type* type = offset.variable->getType();
  llvm::Value* none = llvm::ConstantPointerNull::get(builder.getPtrTy());
  bytes = builder.CreateIntrinsic(
      llvm::Intrinsic::annotation, {type, builder.getPtrTy()},
      {builder.CreateMul(offset.variable, llvm::ConstantInt::getSigned(type, offset.scale)), none, none,
       builder.getInt32(0)});
  return bytes;
}

void replace(const Access& access, const std::vector<llvm::AllocaInst*>& elements,
             std::map<std::pair<llvm::Value*, std::int64_t>, llvm::Value*>& made) {
  llvm::Value* opaque = access.beyond_known ? opaque_bytes(access.offset, made) : nullptr;
  llvm::IRBuilder<> builder(access.instruction);
  llvm::Type* type = llvm::getLoadStoreType(access.instruction);
  const auto bytes =
      static_cast<std::int64_t>(elements[0]->getDataLayout().getTypeAllocSize(type).getFixedValue());
  const auto is = [&](unsigned element) -> llvm::Value* {
    const std::int64_t moved = element * bytes - access.offset.constant;
    if (opaque != nullptr)
      return builder.CreateICmpEQ(opaque, llvm::ConstantInt::getSigned(opaque->getType(), moved));
    if (moved % access.offset.scale != 0)
      return builder.getFalse();
    const std::int64_t value = moved / access.offset.scale;
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
  const auto element_bytes = static_cast<std::int64_t>(
      alloca.getDataLayout().getTypeAllocSize(array->getElementType()).getFixedValue());
  if (!gather(alloca, {}, *array, alloca.getDataLayout(), uses) || !worth_choosing(uses, element_bytes))
    return false;
  llvm::IRBuilder<> builder(&alloca);
  std::vector<llvm::AllocaInst*> elements;
  for (std::uint64_t e = 0; e < array->getNumElements(); ++e)
    elements.push_back(
        builder.CreateAlloca(array->getElementType(), alloca.getAddressSpace(), nullptr, alloca.getName()));
  std::map<std::pair<llvm::Value*, std::int64_t>, llvm::Value*> made;
  for (const Access& access : uses.accesses)
    replace(access, elements, made);
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
