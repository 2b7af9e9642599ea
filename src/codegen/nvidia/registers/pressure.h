// Live registers of a machine program.
#pragma once

#include "facts/machine_program.h"

#include <llvm/ADT/BitVector.h>

#include <cstdint>
#include <vector>

namespace forewarp::codegen {

/// Control flow between blocks, by block index.
struct Flow {
  std::vector<std::vector<std::uint32_t>> successors;
};

/// Values live into and out of every block (backward data flow; phis read at the end of their predecessors).
struct Liveness {
  std::vector<llvm::BitVector> in, out;
};

Liveness liveness(const facts::MachineProgram& program, const Flow& flow);

/// 32-bit registers live at the fullest point of a block; `sizes` gives the registers of each value.
unsigned peak_pressure(const facts::MachineProgram& program, const Liveness& live, std::uint32_t block,
                       const std::vector<std::uint8_t>& sizes);
/// Over all blocks; `block` receives the fullest one when not null.
unsigned peak_pressure(const facts::MachineProgram& program, const Liveness& live,
                       const std::vector<std::uint8_t>& sizes, std::uint32_t* block = nullptr);

} // namespace forewarp::codegen
