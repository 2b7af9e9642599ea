// Loads of the addresses of asynchronous copies (rows that a table names): how many are under way at once.
#pragma once

#include "codegen/nvidia/registers/pressure.h"

namespace forewarp::codegen {

/// The front end has each such load of a loop right before its copy, as the assembler's order of least
/// pressure has it. As many go ahead as fit into `registers`: the n-th address waits for the load so many
/// before its own. Beside what is live there are the factors of products whose sums the next round of the
/// loop reads first: nothing waits for these products, so the assembler issues them last, and their factors,
/// which are loaded from shared memory before the copies overwrite it, stay.
void let_copy_addresses_go_ahead(facts::MachineProgram& program, const Flow& flow,
                                 const llvm::BitVector& predicated, const Liveness& live,
                                 const std::vector<std::uint8_t>& sizes, unsigned registers);

} // namespace forewarp::codegen
