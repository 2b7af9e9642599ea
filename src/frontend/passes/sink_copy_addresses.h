#pragma once

namespace llvm {
class Function;
}

namespace forewarp::frontend {

/// Loads in loops whose only use is the address of an asynchronous copy (rows that a table names) move to
/// right before that copy, with what makes the address of them, as NVIDIA's assembler places them where its
/// registers are full: in 64-bit indices of attention over tables of rows for sm_80, 89 and 90 (ptxas 13, 12
/// listings), each load but the first two or three comes behind the copy before it. Given in one run before
/// the copies, they would all be under way together.
void sink_copy_addresses(llvm::Function& function);

} // namespace forewarp::frontend
