// The machine program of a lifted kernel: its instructions themselves, with the assembler's own registers.
#pragma once

#include "facts/machine_program.h"
#include "ir/kernel_module.h"
#include "sass/program.h"
#include "support/result.h"

#include <functional>
#include <optional>

namespace llvm {
class CallBase;
class Function;
} // namespace llvm

namespace forewarp::lift {

/// A matrix product as operations of class tensor_mma, whose worth a GPU's file says.
struct ProductWork {
  unsigned operations = 1; ///< of a warp
  facts::TensorWork each;
};
/// None: the call is no product.
using ProductOf = std::function<std::optional<ProductWork>(const llvm::CallBase&)>;

/// Fills blocks, values and resources; `program.sites` are there already. Blocks and sites are ir::number's.
Result<void> fill_machine_program(const ir::KernelModule& module, const llvm::Function& function,
                                  const ProductOf& product_of, facts::MachineProgram& program);

/// What the operation tables of the GPU files know the instruction as. Its control word is not among it.
facts::OpClass op_class_of(const sass::Instruction& instruction);

} // namespace forewarp::lift
