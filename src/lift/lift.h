// Machine code -> kernel IR that the interpreter runs: what the vendor's assembler wrote, executed as it
// stands. Semantics: NVIDIA's PTX manual for the operations that both have; Mesa's NAK (`Foldable`, tested on
// hardware) and docs/reference/machine_code.md for the rest.
//
// Registers and predicates become SSA values of the lanes; a uniform register is a value that all lanes
// share. BSSY and BSYNC leave nothing: lanes meet at post-dominators, and a lane that leaves early goes, as
// far as the graph is asked, on to the meeting point of the region that it is in (ir/machine_markers.h).
// Subroutines are copied for each call. Not modelled: texture and surface instructions, tensor memory,
// generic addresses of shared memory outside of clusters.
#pragma once

#include "ir/kernel_module.h"
#include "sass/program.h"
#include "support/result.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace llvm {
class BasicBlock;
class Instruction;
class Module;
} // namespace llvm

namespace forewarp::lift {

struct LiftOptions {
  std::string path;                             ///< of the machine code; stands in errors and as a file name
  std::string only_kernel = {};                 ///< symbol or name; "": all
  std::vector<ir::KernelSignature> source = {}; ///< of the source that it was made from: names and types
  /// Matrix products give their values, by exchanges between lanes that take long to run; else their sums are
  /// unknown values.
  bool computes_products = false;
};

/// Every kernel (or the one wanted) as a function of one module. A kernel with an instruction that is not
/// known is in `KernelModule::refused`, by name and offset. Errors: bad_input (a module without kernels),
/// not_found (the kernel wanted).
Result<ir::KernelModule> lift(const sass::Module& machine_code, const LiftOptions& options);

/// Keeps the cubin with what was lifted from it: the module is stored as one.
void keep_machine_code(llvm::Module& module, std::string_view cubin);
/// Empty: the module was not lifted.
std::string_view machine_code_of(const llvm::Module& module);

/// The instructions that a block of a lifted kernel stands for, by index, end excluded.
std::pair<std::uint32_t, std::uint32_t> instructions_of(const llvm::BasicBlock& block);

/// The index of the instruction that an access of a lifted kernel was made for.
std::uint32_t instruction_of(const llvm::Instruction& access);

} // namespace forewarp::lift
