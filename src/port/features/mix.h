// What kinds of instruction a piece of code holds, as a processor would run it (Ardalani, dissertation 2016,
// tables 3.1 and 4.1).
//
// Counted level: facts/region_trace.h. What an x86 processor folds into another instruction counts nothing:
// address formation, unconditional branches, widening and narrowing of integers but sign extension. A
// multiply-add is two.
#pragma once

#include <cstdint>

namespace llvm {
class BasicBlock;
class Instruction;
} // namespace llvm

namespace forewarp::port {

struct InstructionMix {
  double instructions = 0;
  double memory = 0;
  double control = 0;  ///< conditional branches, switches, calls
  double integer = 0;  ///< integer arithmetic, comparisons and selections
  double single = 0;   ///< arithmetic in float and shorter
  double twice = 0;    ///< arithmetic in double and longer
  double division = 0; ///< of all types
  double mulf = 0, divf = 0, sqrtf = 0, expf = 0, sincosf = 0;   ///< parts of `single`
  double mul_div = 0, sin_cos = 0, log_exp = 0, square_root = 0; ///< floating point of any width (table 4.1)

  void add(const InstructionMix& other, double times);
  double arithmetic() const { return integer + single + twice; }
};

/// 0, 1 or 2 instructions.
unsigned instruction_weight(const llvm::Instruction& instruction);

InstructionMix mix_of(const llvm::Instruction& instruction);
InstructionMix mix_of(const llvm::BasicBlock& block);

} // namespace forewarp::port
