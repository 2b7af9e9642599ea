// A GPU as C's Table 3 wants it.
#pragma once

#include "gpu/gpu_file.h"
#include "gpu/machine.h"
#include "port/cache/conflict_sets.h"

#include <array>
#include <string>
#include <vector>

namespace forewarp::port {

/// Symbols of Wang, Zhong, Mitra (CGPredict, TECS 2017), Table 3. Cycles are SM clock cycles.
struct CgParameters {
  double inst_cycle = 0.5;
  double mem_ld_l2 = 0, mem_ld_dram = 0; ///< DRAM's on top of L2's
  double mem_ld_smem = 0;
  double smem_load_const = 0;
  double dd_l2 = 0, dd_dram = 0;           ///< departure delays, a transaction each
  std::array<double, 3> l2_transactions{}; ///< by AccessPattern, of 4-byte elements
  CacheShape l2;
  std::vector<std::string> derived; ///< keys that the GPU's file does not give: worked out from others
};

/// The value set's figures; what it lacks follows from the machine: a departure delay is the time that a line
/// takes at the bandwidth that one multiprocessor can draw, inst_cycle the inverse of the issue rate, a tile
/// load one L2 and one DRAM access.
CgParameters cg_parameters(const gpu::GpuFile& file, const std::string& value_set,
                           const gpu::Machine& machine);

} // namespace forewarp::port
