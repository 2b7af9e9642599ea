#include "frontend/ptx/inline_ptx.h"

#include "frontend/ptx/body.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>

namespace forewarp::frontend::ptx {
namespace {

constexpr unsigned tensor_memory = 6; ///< LLVM's number of its address space

/// Of a register: a number of at most 64 bits, or a pointer to global, generic, shared or tensor memory.
bool fits(const llvm::Type* type) {
  if (type->isPointerTy())
    return type->getPointerAddressSpace() <= spaces::global ||
           type->getPointerAddressSpace() == spaces::shared ||
           type->getPointerAddressSpace() == tensor_memory;
  return type->isHalfTy() || type->isBFloatTy() || type->isFloatTy() || type->isDoubleTy() ||
         (type->isIntegerTy() && type->getIntegerBitWidth() <= 64);
}

/// Several numbers in one register.
bool is_packed(const llvm::Type* type) {
  return type->isVectorTy() && type->getPrimitiveSizeInBits().getFixedValue() <= 64;
}

bool types_fit(const llvm::CallInst& call) {
  const llvm::Type* result = call.getType();
  const auto either = [](const llvm::Type* type) { return fits(type) || is_packed(type); };
  const auto* several = llvm::dyn_cast<llvm::StructType>(result);
  const bool result_fits = several ? std::all_of(several->element_begin(), several->element_end(), either)
                                   : result->isVoidTy() || either(result);
  return result_fits && std::all_of(call.arg_begin(), call.arg_end(),
                                    [&](const llvm::Use& use) { return either(use->getType()); });
}

class Inline {
public:
  Inline(llvm::CallInst& call, llvm::Instruction& at) : call_(call), expansion_(at, false) {}

  std::optional<std::string> run(const std::vector<Item>& items) {
    if (!bind_operands(*llvm::cast<llvm::InlineAsm>(call_.getCalledOperand())))
      return "";
    expansion_.sums = outputs_;
    if (const auto refusal = Body(expansion_, items, nullptr).run())
      return refusal->text;
    expansion_.move_to(call_);
    replace_call();
    return std::nullopt;
  }

private:
  llvm::Type* result_type(std::size_t output) const {
    auto* several = llvm::dyn_cast<llvm::StructType>(call_.getType());
    return several ? several->getElementType(static_cast<unsigned>(output)) : call_.getType();
  }

  /// Several numbers in one register are a whole number of their size there.
  static llvm::Type* register_type(llvm::Type* type) {
    if (!is_packed(type))
      return type;
    return llvm::Type::getIntNTy(type->getContext(),
                                 static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue()));
  }
  llvm::Value* output(std::size_t number) {
    llvm::Value* value = expansion_.registers.value(outputs_[number]);
    llvm::Type* type = result_type(number);
    return is_packed(type) ? expansion_.b.CreateBitCast(value, type) : value;
  }

  bool bind_operands(const llvm::InlineAsm& assembly) {
    unsigned number = 0, argument = 0;
    for (const llvm::InlineAsm::ConstraintInfo& constraint : assembly.ParseConstraints()) {
      if (constraint.Type == llvm::InlineAsm::isClobber)
        continue;
      if (constraint.isIndirect || constraint.Type == llvm::InlineAsm::isLabel)
        return false;
      const std::string name = "$" + std::to_string(number++);
      if (constraint.Type == llvm::InlineAsm::isOutput) {
        expansion_.registers.declare_as(name, register_type(result_type(outputs_.size())));
        outputs_.push_back(name);
        continue;
      }
      llvm::Value* value = call_.getArgOperand(argument++);
      if (is_packed(value->getType()))
        value = expansion_.b.CreateBitCast(value, register_type(value->getType()));
      expansion_.registers.bind(name, value);
      std::size_t tied = 0;
      if (!llvm::StringRef(constraint.Codes.front()).getAsInteger(10, tied) && tied < outputs_.size())
        expansion_.registers.write(outputs_[tied], value);
    }
    return true;
  }

  void replace_call() {
    if (outputs_.size() == 1) {
      call_.replaceAllUsesWith(output(0));
    } else if (outputs_.size() > 1) {
      llvm::Value* made = llvm::PoisonValue::get(call_.getType());
      for (unsigned i = 0; i < outputs_.size(); ++i)
        made = expansion_.b.CreateInsertValue(made, output(i), i);
      call_.replaceAllUsesWith(made);
    }
    call_.eraseFromParent();
  }

  llvm::CallInst& call_;
  Expansion expansion_;
  std::vector<std::string> outputs_;
};

} // namespace

std::optional<std::string> expand_inline_ptx(llvm::CallInst& call) {
  if (!types_fit(call))
    return "";
  const auto items = read_body(llvm::cast<llvm::InlineAsm>(call.getCalledOperand())->getAsmString());
  if (!items)
    return items.error().message;
  const bool branches = std::any_of(items->begin(), items->end(),
                                    [](const Item& item) { return item.kind == Item::Kind::label; });
  llvm::Instruction* at = &call;
  if (branches) // in blocks of its own
    at = llvm::SplitBlock(call.getParent(), &call)->getSinglePredecessor()->getTerminator();
  return Inline(call, *at).run(*items);
}

} // namespace forewarp::frontend::ptx
