#include "formula/sampled_trips.h"

#include "engine/stages.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace forewarp::formula {
namespace {

struct Runs {
  double headers = 0, entries = 0, most = 0, lanes = 0;
};

/// Of one warp.
Runs runs_of(const facts::WarpTrace& warp, const symbolic::Loop& loop) {
  Runs runs;
  double here = 0;
  for (const facts::BlockStep& step : warp.steps) {
    if (step.block != loop.header)
      continue;
    const bool inside = std::binary_search(loop.blocks.begin(), loop.blocks.end(), step.previous_block);
    runs.entries += inside ? 0 : 1;
    here = inside ? here + 1 : 1;
    runs.headers += 1;
    runs.lanes += std::popcount(step.active);
    runs.most = std::max(runs.most, here);
  }
  return runs;
}

} // namespace

std::vector<bool> rest_on_data(const symbolic::KernelValues& values) {
  std::vector<bool> rests;
  for (std::uint32_t block = 0; block < values.block_count(); ++block) {
    bool unknown = values.reached(block).has_unknown();
    for (std::uint32_t l = values.loop_of(block); l != symbolic::no_loop; l = values.loops()[l].parent)
      unknown = unknown || values.entered(l).has_unknown();
    rests.push_back(unknown);
  }
  return rests;
}

Result<SampledTrips> sampled_trips(const engine::PredictRequest& request, const engine::Target& target,
                                   const symbolic::KernelValues& values) {
  engine::PredictRequest sampled = request;
  sampled.static_trace = false;
  sampled.run.sample_groups = target.machine->sm_count;
  sampled.run.whole_grid = target.shape.groups.count() <= target.machine->sm_count;
  engine::RunStore store;
  const auto ran = engine::run_all(sampled, {target}, store);
  FOREWARP_TRY(ran);
  const facts::KernelTrace& trace = ran->at(target.compiled.get())->trace;
  SampledTrips out;
  out.groups = trace.groups.size();
  for (const facts::GroupTrace& group : trace.groups)
    out.warps += group.warps.size();
  out.block_runs.assign(values.block_count(), 0);
  for (const facts::GroupTrace& group : trace.groups)
    for (const facts::WarpTrace& warp : group.warps)
      for (const facts::BlockStep& step : warp.steps)
        out.block_runs[step.block] += 1 / (warp.recorded_share * static_cast<double>(out.warps));
  for (const symbolic::Loop& loop : values.loops()) {
    if (loop.trips.known())
      continue;
    Runs all;
    for (const facts::GroupTrace& group : trace.groups)
      for (const facts::WarpTrace& warp : group.warps) {
        const Runs one = runs_of(warp, loop);
        all.headers += one.headers;
        all.entries += one.entries;
        all.lanes += one.lanes;
        all.most = std::max(all.most, one.most);
      }
    constexpr std::int64_t parts = 16;
    // A copy of the loop that no sampled warp entered, such as an unrolled one's rest, does not run.
    const double mean = all.entries > 0 ? all.headers / all.entries : 0;
    out.header_runs[loop.header] =
        symbolic::Rational::ratio(std::llround(mean * static_cast<double>(parts)), parts);
    if (all.entries > 0)
      out.lines.push_back({loop.location.line, mean, all.most, all.lanes / all.headers});
  }
  return out;
}

} // namespace forewarp::formula
