// The opcode table's rows, by group. Each lifts the instruction at hand.
#pragma once

#include "lift/lifter.h"

namespace forewarp::lift {

struct OpcodeRow {
  Opcode opcode;
  Row row;
};

std::span<const OpcodeRow> integer_rows();
std::span<const OpcodeRow> logic_rows();
std::span<const OpcodeRow> float_rows();
std::span<const OpcodeRow> conversion_rows();
std::span<const OpcodeRow> half_rows();
std::span<const OpcodeRow> memory_rows();
std::span<const OpcodeRow> atomic_rows();
std::span<const OpcodeRow> warp_rows();
std::span<const OpcodeRow> tensor_rows();
std::span<const OpcodeRow> asynchronous_rows();

/// A function of three bits given by its eight values (bit index: a * 4 + b * 2 + c), on words or predicates.
Value* lut3(llvm::IRBuilder<>& b, unsigned table, Value* a, Value* y, Value* c);
/// The lowest of the active lanes for which `standing` is true.
struct Elected {
  Value* lane;    ///< 32 if there is none
  Value* is_this; ///< of each lane
  Value* any;
};
Elected elected(Lifter& l, Value* standing);
/// A copy that one lane asks for and an engine makes, a piece after the other.
bool is_engine_copy(const Instruction& instruction);
/// LDGSTS that leaves what the lanes without its predicate have.
bool is_partial_copy(const Instruction& instruction);
/// LDGSTS.ZFILL with a predicate; what it does where no lane has that.
bool is_filled_copy(const Instruction& instruction);
void fill_with_zeros(Lifter& l);
/// `cmp bool p` and its complement into the two predicates that are written.
void set_comparison(Lifter& l, Value* compared);

} // namespace forewarp::lift
