#include "statictrace/build.h"

#include "simt/sampling/sampling.h"
#include "statictrace/warp_walk.h"

#include <fmt/format.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <span>

namespace forewarp::statictrace {
namespace {

/// Of a loop that is counted, at least.
constexpr std::uint64_t least_kept = 6;
/// Of a counted trace, all warps together.
constexpr std::uint64_t counted_steps = 120'000;
constexpr std::uint64_t least_steps_a_warp = 1500;
/// Groups that are looked at to find the longest, at most.
constexpr std::uint64_t most_counted_groups = 64;
/// Groups whose lengths differ by less are alike.
constexpr double much_longer = 1.05;
/// Visited at most where the aim is to count.
constexpr std::uint64_t most_visited_instructions = 20'000'000, most_looked_at = 1'000'000;

simt::RunOptions with_budget(simt::RunOptions options, std::uint64_t instructions) {
  options.max_instructions = instructions;
  return options;
}

void mix(std::uint64_t& hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x100000001B3ULL;
}

/// Equal for groups whose warps visit the same blocks in the same order with the same lanes.
std::uint64_t behaviour_of(const facts::GroupTrace& group) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const facts::WarpTrace& warp : group.warps) {
    mix(hash, 0xFFFF'FFFF'FFFFULL);
    mix(hash, warp.ir_instructions);
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

unsigned deepest(const SearchGraph& graph) {
  unsigned depth = 0;
  for (const SearchGraph::Loop& loop : graph.loops)
    depth = std::max(depth, loop.depth);
  return depth;
}

} // namespace

struct Analysis::Parts {
  Parts(const ir::KernelModule& kernel_module, const ir::KernelSignature& signature,
        const simt::PreparedKernel& prepared_kernel)
      : module(kernel_module), kernel(signature), program(prepared_kernel.program()),
        function(*module.module().getFunction(kernel.symbol)), analyses(function) {}
  const ir::KernelModule& module;
  const ir::KernelSignature& kernel;
  const simt::Program& program;
  llvm::Function& function;
  KernelAnalyses analyses;
  SearchGraph graph;
};

/// One launch.
struct Analysis::Session {
  /// Of a group's first warp.
  struct Count {
    double instructions = 0, trace_bytes = 0;
  };

  Session(Parts& of, const simt::RunOptions& how, LaunchValues& launch)
      : parts(of), options(how), bound(launch), bounds(of.module, of.analyses, how.unknown),
        view(of.module, of.function, of.program, of.graph, bounds, of.analyses.loops),
        values(of.function, of.analyses, launch, of.program.warp_width) {
    trace.warp_width = of.program.warp_width;
    trace.shape = launch.shape;
  }

  unsigned warps() const {
    return static_cast<unsigned>((trace.shape.group_size.count() + trace.warp_width - 1) / trace.warp_width);
  }

  WarpWalk walk() {
    return {view,
            values,
            bound.memory,
            options.max_instructions - std::min(instructions, options.max_instructions),
            options.max_trace_bytes - std::min(bytes, options.max_trace_bytes),
            assumed};
  }

  /// False: the budget is used up by groups before.
  Result<bool> add_group(std::uint64_t index) {
    facts::GroupTrace group;
    group.group = simt::group_at(trace.shape.groups, index);
    for (unsigned w = 0; w < warps(); ++w) {
      values.start_warp(group.group, w);
      if (values.lanes_of_warp() == 0)
        break;
      WarpWalk one = walk();
      one.keep(keep);
      group.warps.push_back(one.run());
      counted = counted || one.counted();
      if (one.over_budget() && !trace.groups.empty())
        return false;
      if (one.over_budget())
        return fail(
            ErrorCode::budget,
            fmt::format("the static trace of one group of '{}' does not fit into {} bytes or {} instructions",
                        parts.kernel.name, options.max_trace_bytes, options.max_instructions),
            "--max-trace-mb", "raise --max-trace-mb or --max-instructions");
      instructions += keep.empty() ? group.warps.back().ir_instructions : 0;
    }
    group.behaviour = behaviour_of(group);
    bytes += bytes_of(group);
    trace.groups.push_back(std::move(group));
    return true;
  }

  /// `probe`: groups at the border of a grid whose others leave at once, too.
  Result<void> add_groups(std::span<const std::uint64_t> groups, bool probe) {
    for (const std::uint64_t index : groups) {
      const auto added = add_group(index);
      FOREWARP_TRY(added);
      if (!*added)
        return {};
    }
    while (probe) {
      const auto next = simt::front_probe(trace);
      if (!next)
        break;
      const auto added = add_group(*next);
      FOREWARP_TRY(added);
      if (!*added)
        break;
    }
    return {};
  }

  facts::KernelTrace finish() {
    const facts::Dim3 grid = trace.shape.groups;
    trace.whole_grid = trace.groups.size() == grid.count();
    const auto linear = [&](const facts::GroupTrace& g) {
      return (g.group.z * grid.y + g.group.y) * grid.x + g.group.x;
    };
    std::sort(trace.groups.begin(), trace.groups.end(),
              [&](const auto& a, const auto& b) { return linear(a) < linear(b); });
    simt::estimate_classes(trace, options.longest_group);
    for (const auto& region : bound.memory.regions())
      if (region->info.space != facts::MemorySpace::shared && region->info.space != facts::MemorySpace::local)
        trace.regions.push_back(region->info);
    trace.regions.insert(trace.regions.end(), bound.binding.shared_regions.begin(),
                         bound.binding.shared_regions.end());
    if (parts.program.frame_bytes > 0)
      trace.regions.push_back(
          {"private memory", facts::MemorySpace::local, simt::local_window, parts.program.frame_bytes});
    add_notes(assumed, trace);
    trace.notes.insert(trace.notes.end(), parts.program.notes.begin(), parts.program.notes.end());
    return std::move(trace);
  }

  /// Iterations kept of each depth so that a warp has about `steps`, and fewer where they take more than
  /// `most_bytes`, but not below `least`: pieces begin with cold lines, of which short ones have too large a
  /// share. Inner loops first, which stand together.
  void choose_kept(std::uint64_t group, std::uint64_t steps, std::uint64_t most_bytes, std::uint64_t least) {
    keep.assign(deepest(parts.graph), least_kept);
    std::vector<std::uint64_t> longest;
    const auto steps_of = [&] {
      values.start_warp(simt::group_at(trace.shape.groups, group), 0);
      WarpWalk one = walk();
      one.keep(keep);
      facts::GroupTrace taken;
      taken.warps.push_back(one.run());
      longest = one.longest();
      const std::uint64_t made = std::max<std::uint64_t>(1, taken.warps.front().steps.size());
      return made < least ? made : std::max(made, bytes_of(taken) * steps / most_bytes);
    };
    std::uint64_t taken = steps_of();
    for (std::size_t d = keep.size(); d-- > 0 && 2 * taken < steps;) {
      if (d >= longest.size() || longest[d] <= keep[d])
        continue;
      const std::uint64_t wanted = least_kept * (steps / taken);
      keep[d] = std::min(longest[d] + 1, wanted);
      taken = steps_of();
      if (keep[d] == wanted)
        break;
    }
  }

  /// Nothing where the bound of some loop follows from nothing.
  std::optional<Count> count(std::uint64_t group) {
    values.start_warp(simt::group_at(trace.shape.groups, group), 0);
    WarpWalk one = walk();
    one.keep(std::vector<std::uint64_t>(deepest(parts.graph), least_kept));
    one.count_only();
    const auto length = static_cast<double>(one.run().ir_instructions);
    if (!assumed.loops.empty() || assumed.data_leaves_loops || one.over_budget())
      return std::nullopt;
    return Count{length, one.counted_bytes()};
  }

  /// The first and the last group are compared with an inner one: longer ends, or inner neighbours of another
  /// length, mean that lengths depend on the group's index. Then more groups all over the grid are counted.
  void find_longest(Lengths& lengths) {
    simt::RunOptions from_inside = options; // small grids, too
    from_inside.longest_group = 0;
    const simt::SamplePlan plan = simt::plan_sample(trace.shape.groups, from_inside);
    const std::optional<Count> inner = count(plan.groups.front());
    if (!inner)
      return;
    Count longest = *inner;
    std::optional<std::uint64_t> found;
    const std::uint64_t groups = trace.shape.groups.count();
    bool differs = false;
    const auto look = [&](std::uint64_t group) {
      const std::optional<Count> own = count(group);
      const bool is_end = group == 0 || group + 1 == groups;
      differs = differs || (own && !is_end && own->instructions != inner->instructions);
      if (own && own->instructions > longest.instructions) {
        longest = *own;
        found = group;
      }
    };
    const std::span first = std::span(plan.groups).first(plan.essential);
    std::ranges::for_each(first.subspan(1), look);
    if (std::ranges::find(first, groups - 1) == first.end())
      look(groups - 1);
    const auto is_longer = [&] { return longest.instructions > much_longer * inner->instructions; };
    if (!differs && !is_longer())
      return;
    const std::uint64_t looks = std::min(groups, most_counted_groups);
    for (std::uint64_t k = 0; k < looks; ++k)
      look(k * groups / looks);
    if (!is_longer())
      return;
    lengths.longest_group = found;
    lengths.longest_trace_bytes = longest.trace_bytes * warps();
  }

  Parts& parts;
  simt::RunOptions options;
  LaunchValues& bound;
  LoopBounds bounds;
  KernelView view;
  Values values;
  facts::KernelTrace trace;
  Assumptions assumed;
  std::vector<std::uint64_t> keep;
  std::uint64_t bytes = 0, instructions = 0;
  bool counted = false;
};

Analysis::Analysis() = default;
Analysis::~Analysis() = default;

Result<std::unique_ptr<Analysis>> Analysis::make(const ir::KernelModule& module,
                                                 const ir::KernelSignature& kernel,
                                                 const simt::PreparedKernel& prepared) {
  std::unique_ptr<Analysis> analysis(new Analysis);
  analysis->parts_ = std::make_unique<Parts>(module, kernel, prepared);
  auto graph = search_graph(analysis->parts_->function, analysis->parts_->analyses.loops);
  FOREWARP_TRY(graph);
  analysis->parts_->graph = std::move(*graph);
  return analysis;
}

Result<facts::KernelTrace> Analysis::trace(const facts::Launch& launch, const simt::RunOptions& options) {
  auto values = bind_launch(parts_->program, parts_->module, parts_->kernel, launch);
  FOREWARP_TRY(values);
  Session session(*parts_, options, **values);
  const simt::SamplePlan plan = simt::plan_sample(session.trace.shape.groups, options);
  FOREWARP_TRY(session.add_groups(plan.groups, !options.whole_grid && options.sample_groups == 0));
  session.trace.notes.push_back({facts::Note::Severity::assumption,
                                 "the trace is of source-level analysis (--trace static): no warp was run",
                                 {},
                                 "--trace run"});
  return session.finish();
}

Result<Lengths> Analysis::lengths(const facts::Launch& launch, const simt::RunOptions& options) {
  if (deepest(parts_->graph) == 0)
    return Lengths{.exact = true};
  auto values = bind_launch(parts_->program, parts_->module, parts_->kernel, launch);
  FOREWARP_TRY(values);
  Session session(*parts_, with_budget(options, most_looked_at), **values);
  const simt::SamplePlan plan = simt::plan_sample(session.trace.shape.groups, options);
  const std::optional<Session::Count> first = session.count(plan.groups.front());
  if (!first)
    return Lengths{};
  Lengths lengths{.instructions_of_a_group = first->instructions * session.warps()};
  if (!options.whole_grid && options.sample_groups == 0)
    session.find_longest(lengths);
  lengths.exact = session.assumed.branches.empty();
  return lengths;
}

Result<facts::KernelTrace> Analysis::counted_trace(const facts::Launch& launch,
                                                   const simt::RunOptions& options, bool can_run) {
  auto values = bind_launch(parts_->program, parts_->module, parts_->kernel, launch);
  FOREWARP_TRY(values);
  Session session(*parts_, with_budget(options, most_visited_instructions), **values);
  const simt::SamplePlan plan = simt::plan_sample(session.trace.shape.groups, options);
  const std::size_t groups = std::max<std::size_t>(1, std::min(plan.essential, plan.groups.size()));
  const std::size_t warps = groups * session.warps();
  const auto add_with_least = [&](std::uint64_t least) {
    session.choose_kept(options.longest_group.value_or(plan.groups.front()),
                        std::max(least_steps_a_warp, counted_steps / warps),
                        std::max<std::uint64_t>(1, options.max_trace_bytes / warps), least);
    return session.add_groups(std::span(plan.groups).first(groups), false);
  };
  auto added = add_with_least(least_steps_a_warp);
  if (!added && added.error().code == ErrorCode::budget && !can_run)
    added = add_with_least(0);
  FOREWARP_TRY(added);
  double recorded = 0, whole = 0;
  for (const facts::GroupTrace& group : session.trace.groups)
    for (const facts::WarpTrace& warp : group.warps) {
      recorded += static_cast<double>(warp.ir_instructions) * warp.recorded_share;
      whole += static_cast<double>(warp.ir_instructions);
    }
  session.trace.notes.push_back(
      {facts::Note::Severity::info,
       fmt::format("the loops were counted, not run: of {:.4g} instructions of the sampled warps, the trace "
                   "has {:.4g} "
                   "of the first, middle and last iterations, with addresses from source-level analysis",
                   whole, recorded),
       {},
       can_run ? "--max-trace-mb" : "--max-instructions"});
  return session.finish();
}

} // namespace forewarp::statictrace
