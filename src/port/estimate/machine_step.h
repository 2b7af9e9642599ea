// A region's basic blocks as machine operations of a GPU: the instructions that the CPU's compiler left, with
// the tables of `predict`'s machine step for what is no single instruction. Index arithmetic counts as 32-bit
// (C's `int`, widened by the CPU's compiler only), an address that differs from another by a constant is part
// of the access. Not modelled: unrolling, vector accesses.
#pragma once

#include "facts/machine_program.h"
#include "facts/region_trace.h"
#include "gpu/machine.h"

#include <vector>

namespace forewarp::port {

/// Blocks and sites are the region's. Registers are estimated.
facts::MachineProgram machine_step(const facts::RegionTrace& trace,
                                   const std::vector<facts::MemorySite>& sites, const gpu::Machine& machine);

/// Operations of a block by Table 2 of Wang, Zhong, Mitra (CGPredict, TECS 2017): loads and stores, one
/// compute instruction for each other operation, one add and one branch for a loop. What the table does not
/// name (divisions, functions, comparisons, conversions of values) counts as one; conversions of an index
/// as none.
struct Table2Count {
  double memory = 0, compute = 0;
};
std::vector<Table2Count> table2_counts(const facts::RegionTrace& trace);

/// The same for machine operations.
std::vector<Table2Count> machine_counts(const facts::MachineProgram& program);

} // namespace forewarp::port
