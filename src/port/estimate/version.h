// One way to run a region on one GPU: its pseudo-warps, operations and counts. The region as it stands is
// one version; each piece of advice makes another.
#pragma once

#include "facts/machine_program.h"
#include "gpu/machine.h"
#include "port/estimate/machine_step.h"
#include "port/scale/region_size.h"
#include "port/warps/form.h"

#include <memory>
#include <string>
#include <vector>

namespace forewarp::port {

struct Version {
  PseudoWarps warps;
  facts::MachineProgram program;       ///< blocks: the region's, then those that the version adds
  std::vector<double> block_runs;      ///< by one thread, at the wanted size
  std::vector<double> written;         ///< by site: how often it counts for C's model; beyond its end: 1
  std::vector<Table2Count> operations; ///< of a run of each block, as the option wants them counted
  std::uint64_t shared_bytes = 0;      ///< of a block of threads
  /// Blocks whose loads fill a tile (Eq. 19); their stores to shared memory are part of the load.
  std::vector<bool> fills_tile;
  bool warm_cache = false;
  double barriers_per_thread = 0;
  double traced_share = 1; ///< of the wanted size's instructions that the warps hold
};

struct VersionOptions {
  WarpOptions warps;
  bool warm_cache = false;    ///< L2 before a launch: what an earlier launch left
  bool table2 = false;        ///< C's Table 2 in place of the machine step
  bool written_loads = false; ///< C's model: loads as often as the source writes them
  /// Operations by predict's machine step; null: by machine_step's own mapping (hand-made traces).
  std::shared_ptr<const facts::MachineProgram> lowered = nullptr;
};

/// The region as it stands at `size`.
Result<Version> make_version(const facts::RegionTrace& trace, const RegionSize& size,
                             const gpu::Machine& machine, const VersionOptions& options);

/// Fills traced_share and the warps' recorded shares after block_runs or the traces changed.
void update_shares(Version& version);

} // namespace forewarp::port
