// The mnemonic table's rows, by group. Each lifts the instruction at hand.
#pragma once

#include "lift/amd/lifter.h"

#include <span>

namespace forewarp::lift::amd {

struct MnemonicRow {
  std::string_view mnemonic;
  Row row;
};

std::span<const MnemonicRow> scalar_rows();
std::span<const MnemonicRow> scalar_memory_rows();
std::span<const MnemonicRow> integer_rows();
std::span<const MnemonicRow> wide_integer_rows();
std::span<const MnemonicRow> float_rows();
std::span<const MnemonicRow> double_rows();
std::span<const MnemonicRow> half_rows();
std::span<const MnemonicRow> packed_rows();
std::span<const MnemonicRow> conversion_rows();
std::span<const MnemonicRow> lane_rows();

/// By what the name says: comparisons, accesses, matrix products; null: none of these.
Row comparison_row(std::string_view mnemonic);
Row access_row(std::string_view mnemonic);
Row local_access_row(std::string_view mnemonic);
Row product_row(std::string_view mnemonic);

/// An access by a descriptor that says where the buffer ends; which lanes are before its end.
bool is_bounded_buffer(const Lifter& l, const Instruction& instruction);
Value* buffer_bounds(Lifter& l);

} // namespace forewarp::lift::amd
