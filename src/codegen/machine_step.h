// The machine step: kernel IR -> machine operations of the target family (design law 2), with registers.
#pragma once

#include "facts/machine_program.h"
#include "facts/slow_division.h"
#include "gpu/machine.h"
#include "ir/kernel_module.h"
#include "support/result.h"

namespace forewarp::codegen {

/// Begin of the name of a function that is a call and a return and nothing else: its body is counted
/// elsewhere.
inline constexpr const char* counted_call = "forewarp.call.";

struct MachineStepOptions {
  enum class Registers { estimate, ptxas } registers = Registers::estimate;
  unsigned group_threads = 0; ///< threads of a group, when known: bounds registers; 0 unknown
  double registers_given =
      0; ///< that the assembler took: below what it may take, it spilled nothing; 0 unknown
  double frame_bytes_given = -1; ///< of a thread's stack, as the assembler laid it out; < 0 unknown
  facts::SlowDivisions slow_divisions = {}; ///< NVIDIA: their slow path counts
};

/// `kernel` must be one of module.kernels. Numbering of blocks and sites is ir::number's.
Result<facts::MachineProgram> lower(const ir::KernelModule& module, const ir::KernelSignature& kernel,
                                    const gpu::Machine& machine, const MachineStepOptions& options = {});

} // namespace forewarp::codegen
