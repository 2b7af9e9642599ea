#include "symbolic/kernel/kernel_reader.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

namespace forewarp::symbolic {

Expression KernelReader::offset_between(const llvm::Value* from, const llvm::Value* object, unsigned depth) {
  Expression sum;
  const llvm::DataLayout& layout = function_.getParent()->getDataLayout();
  while (from != object) {
    if (const auto* element = llvm::dyn_cast<llvm::GEPOperator>(from)) {
      llvm::MapVector<llvm::Value*, llvm::APInt> variable;
      llvm::APInt constant(layout.getIndexTypeSizeInBits(element->getType()), 0);
      if (!element->collectOffset(layout, constant.getBitWidth(), variable, constant))
        return Expression::beyond("an address of several parts");
      sum += Expression(constant.getSExtValue());
      for (const auto& [index, scale] : variable)
        sum += value(index, depth + 1) * Expression(scale.getSExtValue());
      from = element->getPointerOperand();
    } else if (const auto* cast = llvm::dyn_cast<llvm::Operator>(from);
               cast != nullptr && (cast->getOpcode() == llvm::Instruction::AddrSpaceCast ||
                                   cast->getOpcode() == llvm::Instruction::BitCast)) {
      from = cast->getOperand(0);
    } else {
      return Expression::beyond("an address of several parts");
    }
  }
  return sum;
}

} // namespace forewarp::symbolic
