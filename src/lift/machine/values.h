// Registers of machine code as values that are written once, with phis where ways meet: what the machine
// program names its operands by.
#pragma once

#include "facts/machine_program.h"
#include "sass/program.h"

#include <cstdint>
#include <vector>

namespace forewarp::lift {

/// A block: its instructions and where it goes on. The first block is the entry.
struct CodeBlock {
  std::uint32_t first = 0, end = 0;
  std::vector<std::uint32_t> successors;
};

/// By block and instruction of it.
struct NamedInstruction {
  std::vector<std::uint32_t> sources; ///< guard last
  std::uint32_t destination = facts::no_value;
  std::uint32_t guard = facts::no_value;
  bool writes_predicate = false; ///< and nothing else
};

struct NamedProgram {
  std::vector<std::vector<NamedInstruction>> instructions;
  std::vector<std::vector<facts::PhiAlias>> phis;
  std::uint32_t value_count = 0;
};

NamedProgram name_values(const sass::Kernel& kernel, const std::vector<CodeBlock>& blocks);

} // namespace forewarp::lift
