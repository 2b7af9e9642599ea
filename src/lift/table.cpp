// The opcode table: one row an opcode, by group in rows/. Branches, calls and exits are flow.cpp's.
#include "lift/rows/rows.h"

#include <array>

namespace forewarp::lift {
namespace {

constexpr std::size_t opcode_count = static_cast<std::size_t>(Opcode::uvirtcount) + 1;

std::array<Row, opcode_count> make_table() {
  std::array<Row, opcode_count> table{};
  for (const auto rows : {integer_rows(), logic_rows(), float_rows(), conversion_rows(), half_rows(),
                          memory_rows(), atomic_rows(), warp_rows(), tensor_rows(), asynchronous_rows()})
    for (const OpcodeRow& row : rows)
      table[static_cast<std::size_t>(row.opcode)] = row.row;
  return table;
}

} // namespace

Row row_of(Opcode opcode) {
  static const std::array<Row, opcode_count> table = make_table();
  return table[static_cast<std::size_t>(opcode)];
}

bool needs_branch(const Instruction& instruction) {
  switch (instruction.opcode) {
  case Opcode::ldg:
  case Opcode::stg:
  case Opcode::ld:
  case Opcode::st:
  case Opcode::lds:
  case Opcode::sts:
  case Opcode::ldl:
  case Opcode::stl:
  case Opcode::atom:
  case Opcode::atomg:
  case Opcode::atoms:
  case Opcode::red:
  case Opcode::redg:
  case Opcode::ldgsts:
  case Opcode::ldsm:
  case Opcode::stsm:
  case Opcode::bar:
  case Opcode::syncs:
  case Opcode::arrives:
  case Opcode::ucgabar_arv:
  case Opcode::ucgabar_wait:
    return true;
  case Opcode::ldc:
    for (const Operand& operand : instruction.sources())
      if (operand.kind == OperandKind::constant && operand.address.base != sass::zero_register)
        return true;
    return false;
  default:
    return false;
  }
}

} // namespace forewarp::lift
