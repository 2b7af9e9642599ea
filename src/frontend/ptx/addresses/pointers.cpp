#include "frontend/ptx/addresses/pointers.h"

#include "frontend/ptx/addresses/address_bases.h"
#include "frontend/ptx/registers.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include <map>
#include <optional>
#include <vector>

namespace forewarp::frontend::ptx {
namespace {

using llvm::Value;
namespace pattern = llvm::PatternMatch;

/// The instruction behind which a value can be used.
llvm::Instruction* behind(Value& value, llvm::Function& function) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction)
    return &*function.getEntryBlock().getFirstInsertionPt();
  if (llvm::isa<llvm::PHINode>(instruction))
    return &*instruction->getParent()->getFirstInsertionPt();
  return instruction->getNextNode();
}

class Recovery {
public:
  explicit Recovery(llvm::Function& function)
      : function_(function), b_(function.getContext()), bases_(function) {}

  void run() {
    std::vector<llvm::IntToPtrInst*> casts;
    for (llvm::Instruction& instruction : llvm::instructions(function_))
      if (auto* cast = llvm::dyn_cast<llvm::IntToPtrInst>(&instruction))
        casts.push_back(cast);
    for (llvm::IntToPtrInst* cast : casts) {
      if (bases_.rank(cast->getOperand(0)) == Rank::none)
        continue;
      Value* pointer = pointer_of(cast->getOperand(0), cast->getAddressSpace());
      if (pointer != cast)
        cast->replaceAllUsesWith(pointer);
    }
    use_pointers_as_numbers();
  }

private:
  llvm::PointerType* type_in(unsigned space) { return llvm::PointerType::get(function_.getContext(), space); }

  /// The same place in another memory; a cast that leads back is not made.
  Value* in_space(Value* pointer, unsigned space) {
    if (pointer->getType()->getPointerAddressSpace() == space)
      return pointer;
    if (const auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(pointer);
        cast && cast->getOperand(0)->getType()->getPointerAddressSpace() == space)
      return const_cast<Value*>(cast->getOperand(0));
    if (auto* constant = llvm::dyn_cast<llvm::Constant>(pointer))
      return llvm::ConstantExpr::getAddrSpaceCast(constant, type_in(space));
    place_behind(*pointer);
    return b_.CreateAddrSpaceCast(pointer, type_in(space));
  }

  void place_behind(Value& value) { b_.SetInsertPoint(behind(value, function_)); }

  Value* pointer_of(Value* number, unsigned space) {
    const auto key = std::pair(number, space);
    if (const auto made = made_.find(key); made != made_.end())
      return made->second;
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(number))
      return pointer_of_phi(*phi, space);
    Value* made = make(*number, space);
    made_[key] = made;
    order_.push_back(key);
    return made;
  }

  Value* pointer_of_phi(llvm::PHINode& phi, unsigned space) {
    b_.SetInsertPoint(&phi);
    llvm::PHINode* made = b_.CreatePHI(type_in(space), phi.getNumIncomingValues());
    made_[{&phi, space}] = made;
    order_.push_back({&phi, space});
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      Value* incoming = phi.getIncomingValue(i);
      Value* pointer = bases_.rank(incoming) == Rank::none
                           ? cast_at_end(*phi.getIncomingBlock(i), incoming, space)
                           : pointer_of(incoming, space);
      made->addIncoming(pointer, phi.getIncomingBlock(i));
    }
    return made;
  }

  Value* cast_at_end(llvm::BasicBlock& block, Value* number, unsigned space) {
    if (auto* constant = llvm::dyn_cast<llvm::Constant>(number))
      return llvm::ConstantExpr::getIntToPtr(constant, type_in(space));
    b_.SetInsertPoint(block.getTerminator());
    return b_.CreateIntToPtr(number, type_in(space));
  }

  Value* make(Value& number, unsigned space) {
    if (auto* pointer = llvm::dyn_cast<llvm::PtrToIntOperator>(&number))
      return in_space(pointer->getOperand(0), space);
    if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&number);
        cast && (llvm::isa<llvm::ZExtInst>(cast) || llvm::isa<llvm::TruncInst>(cast)) &&
        bases_.rank(cast->getOperand(0)) != Rank::none)
      return pointer_of(cast->getOperand(0), space);
    if (auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&number))
      if (const auto parts = bases_.split(*sum))
        return advance(*sum, pointer_of(parts->base, space), *parts->offset, parts->subtracts);
    if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(&number);
        choice && bases_.rank(choice) != Rank::none) {
      Value* x = chosen(choice->getTrueValue(), *choice, space);
      Value* y = chosen(choice->getFalseValue(), *choice, space);
      b_.SetInsertPoint(choice);
      return b_.CreateSelect(choice->getCondition(), x, y);
    }
    if (auto* constant = llvm::dyn_cast<llvm::Constant>(&number))
      return make_constant(*constant, space);
    place_behind(number);
    return b_.CreateIntToPtr(&number, type_in(space));
  }

  /// Of a variable's address, with an offset.
  Value* make_constant(llvm::Constant& number, unsigned space) {
    if (const auto* sum = llvm::dyn_cast<llvm::AddOperator>(&number))
      for (unsigned i = 0; i < 2; ++i)
        if (auto* offset = llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(i));
            offset && bases_.rank(sum->getOperand(1 - i)) == Rank::pointer)
          return llvm::ConstantExpr::getGetElementPtr(
              b_.getInt8Ty(), llvm::cast<llvm::Constant>(pointer_of(sum->getOperand(1 - i), space)), offset);
    return llvm::ConstantExpr::getIntToPtr(&number, type_in(space));
  }

  Value* chosen(Value* number, llvm::SelectInst& choice, unsigned space) {
    if (bases_.rank(number) != Rank::none)
      return pointer_of(number, space);
    b_.SetInsertPoint(&choice);
    return b_.CreateIntToPtr(number, type_in(space));
  }

  /// `base` and `offset` bytes, as an index of elements where the offset is a multiple on its face.
  Value* advance(llvm::Instruction& sum, Value* base, Value& offset, bool subtracts) {
    b_.SetInsertPoint(&sum);
    if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&offset)) {
      const std::int64_t bytes = subtracts ? -constant->getSExtValue() : constant->getSExtValue();
      return b_.CreateGEP(b_.getInt8Ty(), base, b_.getInt64(static_cast<std::uint64_t>(bytes)));
    }
    Value* index = &offset;
    std::uint64_t scale = 1;
    if (subtracts)
      index = b_.CreateNeg(index);
    else
      std::tie(index, scale) = scaled(offset);
    if (!index->getType()->isIntegerTy(64))
      index = b_.CreateSExt(index, b_.getInt64Ty());
    return b_.CreateGEP(element(scale), base, index);
  }

  /// x * 4 and x << 2 -> x, 4.
  static std::pair<Value*, std::uint64_t> scaled(Value& offset) {
    constexpr std::uint64_t largest = 1U << 20;
    Value* index = nullptr;
    const llvm::APInt* factor = nullptr;
    if (match(&offset, pattern::m_Shl(pattern::m_Value(index), pattern::m_APInt(factor))) && factor->ult(20))
      return {index, std::uint64_t{1} << factor->getZExtValue()};
    if (match(&offset, pattern::m_Mul(pattern::m_Value(index), pattern::m_APInt(factor))) &&
        factor->ult(largest) && !factor->isZero())
      return {index, factor->getZExtValue()};
    return {&offset, 1};
  }

  /// Bytes only: what lies there, accesses tell.
  llvm::Type* element(std::uint64_t bytes) {
    return bytes == 1 ? b_.getInt8Ty()
                      : static_cast<llvm::Type*>(llvm::ArrayType::get(b_.getInt8Ty(), bytes));
  }

  /// What else reads the numbers (comparisons of ends of loops, ...) reads the pointers, so that an address
  /// is computed once.
  void use_pointers_as_numbers() {
    llvm::SmallPtrSet<Value*, 16> done;
    for (const auto& key : order_) {
      Value *number = key.first, *pointer = made_[key];
      if (!llvm::isa<llvm::PHINode, llvm::BinaryOperator, llvm::SelectInst>(number) ||
          !done.insert(number).second || llvm::isa<llvm::IntToPtrInst>(pointer))
        continue;
      place_behind(*pointer);
      Value* again = b_.CreatePtrToInt(pointer, number->getType());
      number->replaceUsesWithIf(again, [&](const llvm::Use& use) { return use.getUser() != again; });
    }
  }

  llvm::Function& function_;
  llvm::IRBuilder<> b_;
  AddressBases bases_;
  std::map<std::pair<Value*, unsigned>, Value*> made_; ///< looked up, never walked
  std::vector<std::pair<Value*, unsigned>> order_;
};

/// What an argument of 64 bits is the base of: the memory of the first address found, nothing where there is
/// none.
std::optional<unsigned> space_of_base(llvm::Argument& argument, llvm::Function& function,
                                      const AddressBases& bases) {
  std::optional<unsigned> found;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* cast = llvm::dyn_cast<llvm::IntToPtrInst>(&instruction);
    if (!cast || !bases.leads_to(cast->getOperand(0), &argument))
      continue;
    unsigned space = cast->getAddressSpace();
    for (const llvm::User* user : cast->users())
      if (const auto* to = llvm::dyn_cast<llvm::AddrSpaceCastInst>(user); to && space == spaces::generic)
        space = to->getDestAddressSpace();
    if (!found || *found == spaces::generic)
      found = space;
  }
  return found;
}

/// A pointer that no access of the kernel rests on: into a tensor map, for instance.
std::optional<unsigned> declared_space(const llvm::Argument& argument) {
  const llvm::Attribute declared =
      argument.getParent()->getAttributes().getParamAttr(argument.getArgNo(), declared_pointer);
  if (!declared.isValid())
    return std::nullopt;
  const llvm::StringRef space = declared.getValueAsString();
  return space == "shared" ? spaces::shared : space == "const" ? spaces::constant : spaces::global;
}

bool only_read_as_floats(const llvm::Argument& argument) {
  return !argument.use_empty() &&
         std::all_of(argument.user_begin(), argument.user_end(), [](const llvm::User* user) {
           return llvm::isa<llvm::BitCastInst>(user) && user->getType()->isFloatingPointTy();
         });
}

llvm::Type* wanted_type(llvm::Argument& argument, llvm::Function& function, const AddressBases& bases) {
  if (argument.getType()->isIntegerTy(64)) {
    auto space = space_of_base(argument, function, bases);
    if (!space)
      space = declared_space(argument);
    if (space) {
      // A kernel's pointers lead to global memory where nothing says otherwise.
      const bool other = *space == spaces::shared || *space == spaces::constant;
      return llvm::PointerType::get(function.getContext(), other ? *space : spaces::global);
    }
  }
  if (argument.getType()->isIntegerTy() && only_read_as_floats(argument))
    return argument.user_back()->getType();
  return argument.getType();
}

} // namespace

llvm::Function* retype_arguments(llvm::Function& function) {
  const AddressBases bases(function);
  std::vector<llvm::Type*> types;
  bool changed = false;
  for (llvm::Argument& argument : function.args()) {
    types.push_back(wanted_type(argument, function, bases));
    changed |= types.back() != argument.getType();
  }
  if (!changed)
    return &function;
  auto* made = llvm::Function::Create(llvm::FunctionType::get(function.getReturnType(), types, false),
                                      function.getLinkage(), "", nullptr);
  function.getParent()->getFunctionList().insert(function.getIterator(), made);
  made->takeName(&function);
  made->copyAttributesFrom(&function);
  made->copyMetadata(&function, 0);
  function.setSubprogram(nullptr);
  made->splice(made->begin(), &function);
  llvm::IRBuilder<> b(&*made->getEntryBlock().getFirstInsertionPt());
  for (llvm::Argument& old : function.args()) {
    llvm::Argument* argument = made->getArg(old.getArgNo());
    argument->takeName(&old);
    Value* value = argument;
    if (argument->getType()->isPointerTy() && !old.getType()->isPointerTy())
      value = b.CreatePtrToInt(argument, old.getType());
    else if (argument->getType() != old.getType())
      value = b.CreateBitCast(argument, old.getType());
    old.replaceAllUsesWith(value);
  }
  function.replaceAllUsesWith(made);
  function.eraseFromParent();
  return made;
}

void recover_pointers(llvm::Function& function) {
  Recovery(function).run();
}

} // namespace forewarp::frontend::ptx
