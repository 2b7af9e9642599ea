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

/// The same of ptxas 7.5, read off its machine code of some 90 loops of ours for sm_35 (`by_accesses`) and
/// sm_52. It leaves loops around barriers, exchanges and what it makes a branch of (division, square root).
/// sm_35: two copies, four where an iteration accesses memory once, none where it does not; fewer of long
/// bodies; all where the number is known and they come to some 1100 instructions. sm_52: four of a short body
/// whose number of iterations is unknown. Not modelled: sm_35 leaves loops that count down to zero.
unsigned older_assembler_copies(const llvm::Loop& loop, unsigned copies, bool by_accesses,
                                llvm::ScalarEvolution& evolution);

} // namespace forewarp::frontend
