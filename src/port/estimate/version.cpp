#include "port/estimate/version.h"

#include <algorithm>

namespace forewarp::port {
namespace {

double lanes_of(std::uint64_t active) {
  double count = 0;
  for (; active; active &= active - 1)
    ++count;
  return count;
}

} // namespace

void update_shares(Version& version) {
  // Runs of blocks by a traced thread against those of the wanted size, weighted with the blocks' operations.
  double threads = 0, traced = 0, wanted = 0;
  for (const facts::GroupTrace& group : version.warps.trace.groups)
    for (const facts::WarpTrace& warp : group.warps)
      for (const facts::BlockStep& step : warp.steps)
        traced += lanes_of(step.active) * static_cast<double>(version.program.blocks[step.block].ops.size());
  threads = static_cast<double>(version.warps.traced_threads);
  for (std::size_t b = 0; b < version.block_runs.size(); ++b)
    wanted += version.block_runs[b] * static_cast<double>(version.program.blocks[b].ops.size());
  version.traced_share = wanted > 0 && threads > 0 ? traced / threads / wanted : 1;
  for (facts::GroupTrace& group : version.warps.trace.groups)
    for (facts::WarpTrace& warp : group.warps)
      warp.recorded_share = version.traced_share;
}

Result<Version> make_version(const facts::RegionTrace& trace, const RegionSize& size,
                             const gpu::Machine& machine, const VersionOptions& options) {
  WarpOptions warp_options = options.warps;
  warp_options.warp_width = machine.warp_width;
  for (unsigned d = 0; d < 3; ++d)
    warp_options.extents[d] = static_cast<std::uint64_t>(std::max(1.0, size.extents[d]));
  auto warps = form_warps(trace, warp_options);
  FOREWARP_TRY(warps);
  Version version;
  version.warps = *std::move(warps);
  if (options.lowered != nullptr) {
    version.program = *options.lowered;
    version.program.sites = version.warps.sites;
  } else {
    version.program = machine_step(trace, version.warps.sites, machine);
  }
  if (options.written_loads)
    for (const facts::RegionSite& site : trace.sites)
      version.written.push_back(site.written);
  version.block_runs = size.block_runs;
  version.operations = options.table2 ? table2_counts(trace) : machine_counts(version.program);
  version.warm_cache = options.warm_cache;
  version.fills_tile.assign(trace.blocks.size(), false);
  update_shares(version);
  return version;
}

} // namespace forewarp::port
