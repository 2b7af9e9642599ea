// How often NVIDIA's assembler repeats a loop that the compiler has unrolled already.
#pragma once

namespace llvm {
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace forewarp::frontend {

/// Copies that ptxas makes of the body of `loop` once the compiler has made `copies`; 1: it leaves the loop.
/// Read off machine code of ptxas 13.0 for sm_75 to sm_90, of 90 loops of ours
/// (docs/models/machine_code/README.md): four of an innermost loop with few operations beside its memory
/// accesses; all iterations where their number is known and they come to some 400 instructions. The loop has
/// no unroll pragma. Not modelled: loops of unknown count in which an address counts with a distance known at
/// run time only (ptxas repeats them).
unsigned assembler_copies(const llvm::Loop& loop, unsigned copies, llvm::ScalarEvolution& evolution);

} // namespace forewarp::frontend
