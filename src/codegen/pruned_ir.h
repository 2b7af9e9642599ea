// The instruction stream of Wang et al. (DATE 2019, section III-A1): IR instructions without address
// arithmetic (getelementptr), width conversions, annotations and work-item functions with what they were
// expanded to. One operation an instruction, in the IR's order.
#pragma once

#include "facts/machine_program.h"
#include "ir/kernel_module.h"

namespace forewarp::codegen {

/// Blocks are ir::number's; `sites` are those of the machine program. Operations carry class and site; no
/// registers (the paper's warps consume one operation after the other). A division or a function of the
/// paper's Table I is one operation of the nearest class.
facts::MachineProgram prune_ir(const ir::KernelModule& module, const ir::KernelSignature& kernel,
                               const std::vector<facts::MemorySite>& sites);

} // namespace forewarp::codegen
