// A region's operations by the machine step of `predict`.
#pragma once

#include "facts/machine_program.h"
#include "facts/region_trace.h"
#include "gpu/machine.h"
#include "port/static/region_code.h"
#include "support/result.h"

namespace forewarp::port {

/// codegen::lower on the region's code, its parallel loops' variables read from the thread's index. Blocks
/// are the region's, sites numbered as its. The code is what was counted, with addresses that move in place
/// of products: not unrolled, index arithmetic as wide as the host's compiler left it. Errors: what the
/// machine step has no rule for; internal, where code and trace do not belong together.
Result<facts::MachineProgram> lowered_program(const RegionCode& code, const facts::RegionTrace& trace,
                                              const gpu::Machine& machine);

} // namespace forewarp::port
