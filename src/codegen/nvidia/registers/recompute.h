// Values that are made anew at their use instead of held in a register over a loop.
#pragma once

#include "codegen/nvidia/registers/pressure.h"

namespace forewarp::codegen {

/// A multiple of another value (of a pitch), made by one multiplication, that only blocks with more than
/// `most` live registers use, all of which hold that other value anyway, is made again ahead of its first use
/// in each of them. So the assembler keeps multiples that LLVM takes out of an unrolled loop from filling the
/// registers: for GEMM on compute capability 8.6, 26 multiples of the matrix' width, ptxas 13.5 needs 56
/// registers and 0.6 more integer operations a step where 84 were estimated. True where anything changed;
/// `live` is then no longer the program's.
bool recompute_offsets(facts::MachineProgram& program, const Liveness& live,
                       const std::vector<std::uint8_t>& sizes, unsigned most);

} // namespace forewarp::codegen
