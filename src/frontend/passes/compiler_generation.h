// Compute capabilities (times ten) from which code comes out of another generation of NVIDIA's compilers. Who
// builds for a GPU of Kepler's or Maxwell's day is taken to do so with the tools of that day.
#pragma once

namespace forewarp::frontend::compiler_generation {

inline constexpr unsigned kepler = 30;
/// LLVM unrolls loops around loops in full
inline constexpr unsigned maxwell = 50;
/// LLVM unrolls the rest of an inner loop
inline constexpr unsigned pascal = 60;
/// the assembler repeats loops
inline constexpr unsigned turing = 75;

/// With one of the numbers above behind it, an attribute of a kernel: this generation's rules give a loop of
/// it other code than those of the one before. Between generations without such a mark the code is the same.
inline constexpr const char* loops_differ_since = "forewarp-loops-differ-since-";

} // namespace forewarp::frontend::compiler_generation
