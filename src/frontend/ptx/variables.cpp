#include "frontend/ptx/variables.h"

#include "frontend/ptx/registers.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>

#include <algorithm>

namespace forewarp::frontend::ptx {
namespace {

int space_number(const std::string& space) {
  return llvm::StringSwitch<int>(space)
      .Case("global", spaces::global)
      .Case("shared", spaces::shared)
      .Case("const", spaces::constant)
      .Cases("texref", "surfref", "samplerref", spaces::global)
      .Default(-1);
}

/// "name", "name+8", "generic(name)", "generic(name)+8"; null: no variable's address.
llvm::Constant* address_of(llvm::Module& module, llvm::StringRef text, llvm::Type* type) {
  auto [name, offset] = text.split('+');
  name = name.trim();
  const bool generic = name.consume_front("generic(") && name.consume_back(")");
  llvm::GlobalVariable* variable = module.getNamedGlobal(name.trim());
  const auto bytes = offset.empty() ? std::optional<std::uint64_t>(0) : integer_of(offset);
  if (!variable || !bytes)
    return nullptr;
  llvm::Constant* pointer = variable;
  if (generic)
    pointer = llvm::ConstantExpr::getAddrSpaceCast(pointer, llvm::PointerType::get(module.getContext(), 0));
  llvm::Constant* number = llvm::ConstantExpr::getPtrToInt(pointer, type);
  return *bytes == 0 ? number : llvm::ConstantExpr::getAdd(number, llvm::ConstantInt::get(type, *bytes));
}

llvm::Constant* value_of(llvm::Module& module, const std::string& text, llvm::Type* type) {
  const llvm::StringRef word(text);
  std::uint64_t bits = 0;
  if (word.starts_with_insensitive("0f") || word.starts_with_insensitive("0d")) {
    if (word.drop_front(2).getAsInteger(16, bits))
      return nullptr;
    const unsigned width = word.starts_with_insensitive("0f") ? 32 : 64;
    if (type->isFloatTy() != (width == 32) || !type->isFloatingPointTy())
      return nullptr;
    return llvm::ConstantFP::get(type->getContext(),
                                 llvm::APFloat(type->getFltSemantics(), llvm::APInt(width, bits)));
  }
  if (const auto number = integer_of(text)) {
    if (type->isIntegerTy())
      return llvm::ConstantInt::get(type->getContext(),
                                    llvm::APInt(64, *number).sextOrTrunc(type->getIntegerBitWidth()));
    return llvm::ConstantFP::get(type, static_cast<double>(static_cast<std::int64_t>(*number)));
  }
  if (type->isIntegerTy())
    return address_of(module, word, type);
  double number = 0;
  return word.getAsDouble(number) ? nullptr : llvm::ConstantFP::get(type, number);
}

} // namespace

llvm::GlobalVariable* make_variable(llvm::Module& module, const Declaration& declaration) {
  const int space = space_number(declaration.space);
  const bool opaque = !declaration.opaque.empty();
  llvm::Type* element = opaque ? llvm::Type::getInt64Ty(module.getContext())
                               : register_type(module.getContext(), declaration.type);
  if (space < 0 || !element)
    return nullptr;
  llvm::Type* type = declaration.is_array ? llvm::ArrayType::get(element, declaration.elements) : element;
  const bool shared = space == spaces::shared;
  const bool sized_by_launch = declaration.is_array && declaration.elements == 0;
  llvm::Constant* content = declaration.is_extern || sized_by_launch ? nullptr
                            : shared ? static_cast<llvm::Constant*>(llvm::UndefValue::get(type))
                                     : llvm::Constant::getNullValue(type);
  auto* made = new llvm::GlobalVariable(
      module, type, space == spaces::constant,
      content && shared ? llvm::GlobalValue::InternalLinkage : llvm::GlobalValue::ExternalLinkage, content,
      declaration.name, nullptr, llvm::GlobalValue::NotThreadLocal, static_cast<unsigned>(space));
  made->setAlignment(llvm::Align(std::max({1U, declaration.align, declaration.type.size() / 8})));
  // What the program that launches may write before.
  if (content && !shared && declaration.values.empty())
    made->setExternallyInitialized(true);
  return made;
}

bool set_values(llvm::Module& module, llvm::GlobalVariable& variable, const Declaration& declaration) {
  if (declaration.values.empty() || !variable.hasInitializer())
    return true;
  auto* array = llvm::dyn_cast<llvm::ArrayType>(variable.getValueType());
  llvm::Type* element = array ? array->getElementType() : variable.getValueType();
  const std::uint64_t count = array ? array->getNumElements() : 1;
  if (declaration.values.size() > count)
    return false;
  std::vector<llvm::Constant*> values;
  for (const std::string& text : declaration.values)
    if (values.push_back(value_of(module, text, element)); !values.back())
      return false;
  if (!array) {
    variable.setInitializer(values.front());
    return true;
  }
  values.resize(count, llvm::Constant::getNullValue(element));
  variable.setInitializer(llvm::ConstantArray::get(array, values));
  return true;
}

} // namespace forewarp::frontend::ptx
