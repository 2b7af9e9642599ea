// RegionRecorder: what is left to say when the program ends, by itself or not.
#include "port/helper/recorder.h"

namespace forewarp::port {

std::uint32_t RegionRecorder::last_block(const std::uint64_t* at, const std::uint64_t* last) const {
  std::uint32_t block = facts::no_region_index;
  bool in_run = open_.run != facts::no_region_index;
  if (in_run)
    block = plan_.runs[open_.run].blocks.front().block;
  if (in_run && open_.left > 0) // only its words can follow
    return block;
  while (at < last) {
    const std::uint64_t word = *at++;
    if (in_run) {
      in_run = word != end_of_run;
      continue;
    }
    if ((word & loop_entry_flag) != 0) {
      ++at;
      continue;
    }
    const std::uint64_t index = word & ~run_flag;
    if ((word & run_flag) != 0) {
      if (index >= plan_.runs.size())
        return block;
      const RunPlan& run = plan_.runs[index];
      block = run.blocks.front().block;
      in_run = run.paths;
      if (!run.scattered.empty()) {
        const std::uint64_t words = at < last ? *at * run.scattered.size() : 0;
        at += 1 + 2 * std::size_t{run.site_count};
        if (at >= last || words >= static_cast<std::uint64_t>(last - at))
          return block;
        at += words;
        continue;
      }
      at += (run.paths ? 0 : 1) + 2 * std::size_t{run.site_count};
      continue;
    }
    if (index >= plan_.blocks.size())
      return block;
    block = static_cast<std::uint32_t>(index);
    at += plan_.blocks[block].site_count;
  }
  return block;
}

void RegionRecorder::finish(facts::RegionTrace& trace) {
  trace = std::move(out_);
  if (shadow_) {
    shadow_->finish(trace);
    if (shadow_->over_budget())
      trace.trace_complete = false;
  }
  trace.loops.resize(loops_.size());
  for (std::size_t i = 0; i < loops_.size(); ++i) {
    trace.loops[i].executions = loops_[i].executions;
    trace.loops[i].iterations = loops_[i].iterations;
    trace.loops[i].detailed_launch_executions = loops_[i].detailed_executions;
    trace.loops[i].detailed_launch_iterations = loops_[i].detailed_iterations;
    trace.loops[i].min_trips = loops_[i].executions > 0 ? loops_[i].min_trips : 0;
    trace.loops[i].max_trips = loops_[i].max_trips;
  }
  trace.blocks.resize(runs_.size());
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    trace.blocks[i].runs = runs_[i];
    trace.blocks[i].detailed_launch_runs = detailed_runs_[i];
  }
}

} // namespace forewarp::port
