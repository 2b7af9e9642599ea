// Code objects of AMD GPUs -> kernel IR that the interpreter runs: what the compiler left, executed as it
// stands. Semantics: AMD's instruction set manuals ("Instinct MI200", "Instinct MI300", "RDNA 2", "RDNA 3"
// Instruction Set Architecture) and LLVM's AMDGPU back end.
//
// A wave takes each branch as one; accesses and results are those of the lanes of EXEC (lifter.h). Not
// modelled: calls of functions, images, flat addresses of LDS and scratch, the values of matrix products.
#pragma once

#include "amdgcn/program.h"
#include "lift/lift.h"

namespace forewarp::lift::amd {

/// Every kernel (or the one wanted) as a function of one module. A kernel with an instruction that is not
/// known is in `KernelModule::refused`, by name and offset. Errors: bad_input (a module without kernels),
/// not_found (the kernel wanted).
Result<ir::KernelModule> lift(const amdgcn::Module& machine_code, const LiftOptions& options);

} // namespace forewarp::lift::amd
