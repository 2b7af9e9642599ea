#include "statictrace/build.h"

#include "simt/sampling.h"
#include "statictrace/warp_walk.h"

#include <fmt/format.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace forewarp::statictrace {
namespace {

void mix(std::uint64_t& hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x100000001B3ULL;
}

/// Equal for groups whose warps visit the same blocks in the same order with the same lanes.
std::uint64_t behaviour_of(const facts::GroupTrace& group) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const facts::WarpTrace& warp : group.warps) {
    mix(hash, 0xFFFF'FFFF'FFFFULL);
    for (const facts::BlockStep& step : warp.steps) {
      mix(hash, step.block);
      mix(hash, step.active);
    }
  }
  return hash;
}

std::uint64_t bytes_of(const facts::GroupTrace& group) {
  std::uint64_t bytes = 0;
  for (const facts::WarpTrace& warp : group.warps)
    bytes += warp.steps.size() * sizeof(facts::BlockStep) + warp.events.size() * sizeof(facts::MemoryEvent) +
             warp.offsets.size() * sizeof(std::int64_t);
  return bytes;
}

void add_notes(const Assumptions& assumed, facts::KernelTrace& trace) {
  trace.notes.push_back({facts::Note::Severity::assumption,
                         "the trace is of source-level analysis (--trace static): no warp was run",
                         {},
                         "--trace run"});
  for (const auto& [file, line, trips] : assumed.loops)
    trace.notes.push_back(
        {facts::Note::Severity::assumption,
         fmt::format("the bound of the loop at line {} follows from nothing: {} iterations", line, trips),
         {file, line, 0},
         fmt::format("--trip-count {}=N", line)});
  for (const auto& [file, line] : assumed.branches)
    trace.notes.push_back({facts::Note::Severity::assumption,
                           fmt::format("the branch at line {} rests on data: both sides are taken", line),
                           {file, line, 0},
                           "--trace run"});
}

} // namespace

Result<facts::KernelTrace> build(const ir::KernelModule& module, const ir::KernelSignature& kernel,
                                 const simt::PreparedKernel& prepared, const facts::Launch& launch,
                                 const simt::RunOptions& options) {
  const simt::Program& program = prepared.program();
  llvm::Function& function = *module.module().getFunction(kernel.symbol);
  KernelAnalyses analyses(function);
  auto graph = search_graph(function, analyses.loops);
  FOREWARP_TRY(graph);
  auto values_of_launch = bind_launch(program, module, kernel, launch);
  FOREWARP_TRY(values_of_launch);
  LaunchValues& bound = **values_of_launch;
  const LoopBounds bounds(module, analyses, options.unknown);
  const KernelView view(module, function, program, *graph, bounds, analyses.loops);
  Values values(function, analyses, bound, program.warp_width);

  facts::KernelTrace trace;
  trace.warp_width = program.warp_width;
  trace.shape = bound.shape;
  Assumptions assumed;
  const facts::Dim3& grid = trace.shape.groups;
  const auto warps =
      static_cast<unsigned>((trace.shape.group_size.count() + program.warp_width - 1) / program.warp_width);
  std::uint64_t bytes = 0, instructions = 0;
  const auto add_group = [&](std::uint64_t index) -> Result<bool> {
    facts::GroupTrace group;
    group.group = simt::group_at(grid, index);
    for (unsigned w = 0; w < warps; ++w) {
      values.start_warp(group.group, w);
      if (values.lanes_of_warp() == 0)
        break;
      WarpWalk walk(view, values, bound.memory,
                    options.max_instructions - std::min(instructions, options.max_instructions),
                    options.max_trace_bytes - std::min(bytes, options.max_trace_bytes), assumed);
      group.warps.push_back(walk.run());
      if (walk.over_budget()) {
        if (!trace.groups.empty())
          return false;
        return fail(
            ErrorCode::budget,
            fmt::format("the static trace of one group of '{}' does not fit into {} bytes or {} instructions",
                        kernel.name, options.max_trace_bytes, options.max_instructions),
            "--max-trace-mb", "raise --max-trace-mb or --max-instructions");
      }
      instructions += group.warps.back().ir_instructions;
    }
    group.behaviour = behaviour_of(group);
    bytes += bytes_of(group);
    trace.groups.push_back(std::move(group));
    return true;
  };
  bool cut = false;
  for (const std::uint64_t index : simt::plan_sample(grid, options).groups) {
    const auto added = add_group(index);
    FOREWARP_TRY(added);
    if (!*added) {
      cut = true;
      break;
    }
  }
  while (!cut && !options.whole_grid && options.sample_groups == 0) {
    const auto probe = simt::front_probe(trace);
    if (!probe)
      break;
    const auto added = add_group(*probe);
    FOREWARP_TRY(added);
    cut = !*added;
  }
  trace.whole_grid = trace.groups.size() == grid.count();
  const auto linear = [&](const facts::GroupTrace& g) {
    return (g.group.z * grid.y + g.group.y) * grid.x + g.group.x;
  };
  std::sort(trace.groups.begin(), trace.groups.end(),
            [&](const auto& a, const auto& b) { return linear(a) < linear(b); });
  simt::estimate_classes(trace);
  for (const auto& region : bound.memory.regions())
    if (region->info.space != facts::MemorySpace::shared && region->info.space != facts::MemorySpace::local)
      trace.regions.push_back(region->info);
  trace.regions.insert(trace.regions.end(), bound.binding.shared_regions.begin(),
                       bound.binding.shared_regions.end());
  if (program.frame_bytes > 0)
    trace.regions.push_back(
        {"private memory", facts::MemorySpace::local, simt::local_window, program.frame_bytes});
  add_notes(assumed, trace);
  trace.notes.insert(trace.notes.end(), program.notes.begin(), program.notes.end());
  return trace;
}

} // namespace forewarp::statictrace
