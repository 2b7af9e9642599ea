#include "lift/calls.h"

#include <llvm/ADT/SmallVector.h>

#include <algorithm>

namespace forewarp::lift {

llvm::Function& callee_of(llvm::Module& module, const std::string& name, llvm::Type* result,
                          llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::SmallVector<llvm::Type*> types;
  for (const llvm::Value* argument : arguments)
    types.push_back(argument->getType());
  auto* type = llvm::FunctionType::get(result, types, false);
  return *llvm::cast<llvm::Function>(module.getOrInsertFunction(name, type).getCallee());
}

bool is_left_out(const std::string& function) {
  return function == "vprintf" || function == "__assertfail";
}

bool calls_what_is_left_out(const Lifter& l, std::uint32_t index) {
  const auto& code = l.kernel.instructions;
  const Operand* pair = nullptr;
  for (const Operand& operand : code[index].operands)
    if (operand.kind == OperandKind::general)
      pair = &operand;
  if (pair == nullptr)
    return false;
  const auto writes_pair = [&](const Instruction& instruction) {
    return std::ranges::any_of(instruction.written(), [&](const Operand& operand) {
      return operand.kind == OperandKind::general && operand.number == pair->number;
    });
  };
  std::uint32_t at = index;
  while (at > 0 && !writes_pair(code[at - 1]))
    --at;
  if (at == 0)
    return false;
  for (const Operand& operand : code[at - 1].sources()) {
    if (operand.kind != OperandKind::constant || operand.number != 4)
      continue;
    std::int64_t offset = operand.address.offset;
    // `MOV R, offset` stands before `LDC.64 R, c[0x4][R]`.
    for (std::uint32_t before = at - 1;
         operand.address.base != sass::zero_register && before > 0 && before + 32 > at; --before) {
      const Instruction& setter = code[before - 1];
      if (!setter.written().empty() && setter.written()[0].kind == OperandKind::general &&
          setter.written()[0].number == operand.address.base) {
        for (const Operand& source : setter.sources())
          if (source.kind == OperandKind::immediate && source.shown)
            offset += static_cast<std::int64_t>(source.value);
        break;
      }
    }
    return is_left_out(l.symbol_at(4, static_cast<std::uint32_t>(offset)));
  }
  return false;
}

} // namespace forewarp::lift
