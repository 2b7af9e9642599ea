#include "simt/prepared.h"

#include "simt/arguments.h"
#include "simt/decode/decode.h"
#include "simt/exec/grid_barrier.h"
#include "simt/exec/group.h"
#include "simt/exec/waiting/cluster.h"
#include "simt/sampling/sampling.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>

namespace forewarp::simt {
namespace {

/// A sample beyond the essential groups goes on while it is cheaper than this many warp instructions.
constexpr std::uint64_t cheap_sample_instructions = 100'000;
/// Of groups that are looked at for the longest: a first look of about 10 ms, and where that found one that
/// is longer than all of the sample, a look of about a third of a second.
constexpr double first_look_instructions = 200'000, most_looked_at_instructions = 8'000'000;
constexpr double first_look_groups = 8; ///< where groups are that long
/// Groups whose lengths differ by less are alike.
constexpr double much_longer = 1.05;
/// Traces kept of equal groups when the whole grid is run.
constexpr std::size_t kept_per_behaviour = 4;

/// What the AMD runtime puts behind the dispatch and implicit argument pointers (HSA packet, code object 5).
void place_amd_packets(GroupRunner& runner, MemoryMap& memory, const facts::LaunchShape& shape) {
  auto put = [](Region& region, std::uint64_t offset, std::uint64_t value, unsigned bytes) {
    std::memcpy(region.flat + offset, &value, bytes);
    std::memset(region.flat_known + offset, 0xFF, bytes);
  };
  const std::uint64_t size[3] = {shape.group_size.x, shape.group_size.y, shape.group_size.z};
  const std::uint64_t items[3] = {shape.global_items.x, shape.global_items.y, shape.global_items.z};
  if (const std::int32_t slot = runner.group_slot(GroupValue::packet); slot != no_slot) {
    Region& region = memory.add("dispatch packet", facts::MemorySpace::parameter, 64, 64, nullptr);
    for (unsigned k = 0; k < 3; ++k) {
      put(region, 4 + 2 * k, size[k], 2);
      put(region, 12 + 4 * k, items[k], 4);
    }
    runner.set_shared(slot, LaneType::quad, region.info.base, true);
  }
  if (const std::int32_t slot = runner.group_slot(GroupValue::implicit_arguments); slot != no_slot) {
    Region& region = memory.add("implicit arguments", facts::MemorySpace::parameter, 256, 64, nullptr);
    for (unsigned k = 0; k < 3; ++k) {
      put(region, 4 * k, items[k] / size[k], 4);
      put(region, 12 + 2 * k, size[k], 2);
      put(region, 18 + 2 * k, items[k] % size[k], 2);
      put(region, 40 + 8 * k, 0, 8);
    }
    put(region, 64, items[2] > 1 ? 3 : items[1] > 1 ? 2 : 1, 2);
    runner.set_shared(slot, LaneType::quad, region.info.base, true);
  }
}

/// Options for lines at which nothing is that they could settle.
void note_idle_options(const Program& program, const UnknownPolicy& policy, std::vector<facts::Note>& notes) {
  std::set<std::uint32_t> loops, branches;
  for (const Block& block : program.blocks) {
    const Terminator& t = block.terminator;
    const std::uint32_t line = program.locations[t.location].line;
    if (t.kind == Terminator::Kind::branch)
      (t.exit_of_loop != UINT32_MAX ? loops : branches).insert(line);
  }
  const auto note = [&](const char* option, std::uint32_t line, const char* what,
                        const std::set<std::uint32_t>& lines) {
    notes.push_back({facts::Note::Severity::assumption,
                     fmt::format("{} {} has no effect: no {} ends at that line of the compiled kernel ({})",
                                 option, line, what,
                                 lines.empty() ? std::string("there is none")
                                               : fmt::format("they are at {}", fmt::join(lines, ", "))),
                     {},
                     fmt::format("{} LINE=...", option)});
  };
  for (const auto& [line, trips] : policy.trip_counts)
    if (!loops.contains(line))
      note("--trip-count", line, "loop", loops);
  branches.insert(loops.begin(), loops.end());
  for (const auto& [line, probability] : policy.branch_probabilities)
    if (!branches.contains(line))
      note("--branch", line, "branch", branches);
}

/// The groups that stand for the grid are run; their traces are kept as far as the budget goes.
class SampleRun {
public:
  SampleRun(GroupRunner& runner, const RunOptions& options, facts::KernelTrace& trace)
      : runner_(runner), options_(options), trace_(trace), plan_(plan_sample(trace.shape.groups, options)) {
    if (!options.whole_grid)
      return;
    RunOptions sampled = options;
    sampled.whole_grid = false;
    const SamplePlan usual = plan_sample(trace.shape.groups, sampled);
    usual_.insert(usual.groups.begin(), usual.groups.end());
  }

  Result<void> run_one_by_one() {
    while (const std::optional<std::uint64_t> next = next_group()) {
      if (runner_.meets_across_groups()) {
        auto more = run_cluster_of(*next);
        if (runner_.replay_failed())
          return {};
        FOREWARP_TRY(more);
        if (!*more)
          break;
        continue;
      }
      Result<facts::GroupTrace> group = runner_.run(group_at(trace_.shape.groups, *next));
      if (runner_.replay_failed())
        return {};
      FOREWARP_TRY(group);
      if (!keep(std::move(*group)))
        break;
    }
    return {};
  }

  Result<void> run_side_by_side() {
    std::vector<facts::Dim3> groups;
    for (; done_ < plan_.groups.size(); ++done_)
      groups.push_back(group_at(trace_.shape.groups, plan_.groups[done_]));
    auto traces = run_together(runner_, groups);
    FOREWARP_TRY(traces);
    for (facts::GroupTrace& group : *traces)
      if (!keep(std::move(group)))
        break;
    trace_.notes.push_back(grid_barrier_note(groups.size(), trace_.shape.groups.count()));
    return {};
  }

  /// More groups are run, and the longest takes part where it is longer than all of the sample.
  Result<void> look_for_longest() {
    if (trace_.groups.empty() || options_.whole_grid || options_.sample_groups != 0 || cut_ ||
        !may_be_unlike())
      return {};
    Look look;
    double all = 0;
    for (const facts::GroupTrace& group : trace_.groups) {
      look.longest = std::max(look.longest, work_of(group));
      all += work_of(group);
    }
    look.mean = all / static_cast<double>(trace_.groups.size());
    const double first = std::min(most_looked_at_instructions,
                                  std::max(first_look_instructions, first_look_groups * look.mean));
    for (const double most_work : {first, most_looked_at_instructions}) {
      FOREWARP_TRY(run_more(look, most_work));
      if (runner_.replay_failed() || !look.found)
        return {};
    }
    longest_ = index_of(look.found->group);
    trace_.notes.push_back(
        {facts::Note::Severity::info,
         fmt::format("what the data hold makes groups of unlike length: the longest of {} more "
                     "that were looked at, {}, takes part",
                     look.groups, *longest_),
         {},
         "--whole-grid"});
    trace_.groups.push_back(*std::move(look.found));
    return {};
  }

  /// The group that stands for itself.
  std::optional<std::uint64_t> longest() const { return longest_ ? longest_ : options_.longest_group; }

  bool is_whole_grid() const { return !cut_ && done_ == trace_.shape.groups.count(); }
  double groups_of(std::uint64_t behaviour) const { return counted_.at(behaviour); }

private:
  struct Look {
    double longest = 0, mean = 0;           ///< instructions of a group: of all so far, of the sample
    std::optional<facts::GroupTrace> found; ///< longer than all others
    std::uint64_t groups = 0;               ///< looked at
  };

  Result<void> run_more(Look& look, double most_work) {
    const std::uint64_t begun = runner_.instructions();
    look.groups = 0;
    for (const std::uint64_t index : groups_to_look_at(trace_, look.mean, most_work, options_.seed)) {
      if (static_cast<double>(runner_.instructions() - begun) > most_work || runner_.trace_is_full())
        break;
      Result<facts::GroupTrace> group = runner_.run(group_at(trace_.shape.groups, index));
      if (runner_.replay_failed())
        return {};
      FOREWARP_TRY(group);
      ++look.groups;
      const bool is_longer = work_of(*group) > much_longer * look.longest;
      const facts::GroupTrace& dropped = is_longer && look.found ? *look.found : *group;
      if (!is_longer || look.found)
        runner_.forget_trace_bytes(GroupRunner::trace_bytes(dropped));
      if (is_longer) {
        look.longest = work_of(*group);
        look.found = std::move(*group);
      }
    }
    return {};
  }

  /// Data decide, and the run knew them; or groups of one kind are of unlike length already.
  bool may_be_unlike() const {
    const auto rests = [](const facts::Note& note) { return note.rests_on_data; };
    return options_.lengths_rest_on_data && std::ranges::none_of(runner_.notes(), rests) &&
           !facts::busy_front(trace_) && done_ < trace_.shape.groups.count();
  }

  /// Of its groups those are kept that the sample holds. False: the budget is spent.
  Result<bool> run_cluster_of(std::uint64_t index) {
    const facts::Dim3 group = group_at(trace_.shape.groups, index);
    const std::vector<facts::Dim3> groups = cluster_of(trace_.shape, group);
    if (!clusters_.insert(index_of(groups.front())).second)
      return true; // with another of its groups
    auto traces = run_cluster(runner_, groups);
    FOREWARP_TRY(traces);
    for (std::size_t rank = 0; rank < groups.size(); ++rank)
      if (!is_wanted(groups, rank, index))
        runner_.forget_trace_bytes(GroupRunner::trace_bytes((*traces)[rank]));
      else if (!keep(std::move((*traces)[rank])))
        return false;
    return true;
  }

  /// Where pairs multiply together, the first of a pair asks for the products of both, and each makes a half:
  /// it stands for the other in a sample.
  bool is_wanted(const std::vector<facts::Dim3>& cluster, std::size_t rank, std::uint64_t asked_for) const {
    const auto in_sample = [&](std::size_t r) {
      const std::uint64_t at = index_of(cluster[r]);
      return at == asked_for || std::ranges::find(plan_.groups, at) != plan_.groups.end();
    };
    if (!runner_.multiplies_in_pairs() || options_.whole_grid)
      return in_sample(rank);
    return rank % 2 == 0 && (in_sample(rank) || (rank + 1 < cluster.size() && in_sample(rank + 1)));
  }

  std::uint64_t index_of(const facts::Dim3& group) const {
    const facts::Dim3& grid = trace_.shape.groups;
    return (group.z * grid.y + group.y) * grid.x + group.x;
  }

  std::optional<std::uint64_t> next_group() {
    const bool enough = done_ >= plan_.essential && options_.sample_groups == 0 &&
                        runner_.instructions() > cheap_sample_instructions;
    if (!enough && done_ < plan_.groups.size()) {
      if (is_spent() || is_full())
        return std::nullopt;
      return plan_.groups[done_++];
    }
    return options_.whole_grid || options_.sample_groups != 0 ? std::nullopt : front_probe(trace_);
  }

  /// One more group like those before would pass the budget of instructions: the sample ends here.
  bool is_spent() {
    if (options_.whole_grid || options_.sample_groups != 0 || done_ == 0 ||
        runner_.instructions() / done_ <= options_.max_instructions - runner_.instructions())
      return false;
    trace_.notes.push_back({facts::Note::Severity::info,
                            fmt::format("the instruction budget held {} work-groups of the sample", done_),
                            {},
                            "--max-instructions"});
    cut_ = true;
    return true;
  }

  /// One more group like those before would not fit into the trace.
  bool is_full() {
    if (options_.whole_grid || trace_.groups.size() < fitting_groups ||
        runner_.trace_bytes_left() >= runner_.trace_bytes() / trace_.groups.size())
      return false;
    note_full();
    return true;
  }

  void note_full() {
    trace_.notes.push_back(
        {facts::Note::Severity::info,
         fmt::format("the trace budget held {} work-groups of the sample", trace_.groups.size()),
         {},
         "--max-trace-mb"});
    cut_ = true;
  }

  /// False: the budget is spent, and what was not yet run is left out.
  bool keep(facts::GroupTrace group) {
    counted_[group.behaviour] += 1;
    if (!options_.whole_grid && runner_.trace_is_full() && trace_.groups.size() >= fitting_groups) {
      note_full();
      return false;
    }
    if (options_.whole_grid && is_one_too_many(group))
      runner_.forget_trace_bytes(GroupRunner::trace_bytes(group));
    else
      trace_.groups.push_back(std::move(group));
    return true;
  }

  /// The first groups of a wide grid lie in one row: those of the sample, which tell its dimensions apart,
  /// are always kept, and the others leave them half of the budget while they repeat what is there.
  bool is_one_too_many(const facts::GroupTrace& group) {
    const std::size_t before = kept_[group.behaviour]++;
    if (usual_.contains(index_of(group.group)))
      return false;
    const bool has_enough = before >= kept_per_behaviour && trace_.groups.size() >= 64;
    const bool repeats = before > 0 && runner_.trace_bytes_left() < runner_.trace_bytes();
    return has_enough || repeats || runner_.trace_is_full();
  }

  static facts::Note grid_barrier_note(std::size_t run, std::uint64_t groups) {
    std::string text =
        "a barrier of the grid costs two barriers of the group and four atomics on one counter; waiting for "
        "slower groups and what L1 forgets are not modelled";
    if (run < groups)
      text +=
          fmt::format(", and what the {} groups that were not run write before it is not seen", groups - run);
    return {facts::Note::Severity::assumption, std::move(text), {}, run < groups ? "--whole-grid" : ""};
  }

  GroupRunner& runner_;
  const RunOptions& options_;
  facts::KernelTrace& trace_;
  SamplePlan plan_;
  std::size_t done_ = 0;
  std::set<std::uint64_t> clusters_; ///< that were run, by their first group
  bool cut_ = false;
  std::optional<std::uint64_t> longest_;
  std::map<std::uint64_t, std::size_t> kept_;
  std::set<std::uint64_t> usual_; ///< of the whole grid: those that a sample would hold
  std::map<std::uint64_t, double> counted_;
};

} // namespace

PreparedKernel::PreparedKernel(const ir::KernelModule& module, const ir::KernelSignature& kernel,
                               std::unique_ptr<Program> program)
    : module_(&module), kernel_(&kernel), program_(std::move(program)) {}
PreparedKernel::PreparedKernel(PreparedKernel&&) noexcept = default;
PreparedKernel& PreparedKernel::operator=(PreparedKernel&&) noexcept = default;
PreparedKernel::~PreparedKernel() = default;

Result<PreparedKernel> PreparedKernel::prepare(const ir::KernelModule& module,
                                               const ir::KernelSignature& kernel) {
  Result<Program> program = decode(module, kernel);
  FOREWARP_TRY(program);
  return PreparedKernel(module, kernel, std::make_unique<Program>(std::move(*program)));
}

Result<RunResult> PreparedKernel::run(const facts::Launch& launch, const RunOptions& options) const {
  bool without_replay = false;
  Result<RunResult> result = run_once(launch, options, without_replay);
  if (!without_replay)
    return result;
  RunOptions plain = options;
  plain.replay_loops = false;
  return run_once(launch, plain, without_replay);
}

bool PreparedKernel::has_grid_barrier() const {
  return program_->has_grid_barrier;
}

/// `without_replay`: the result is not to be used; what replays left out may matter.
Result<RunResult> PreparedKernel::run_once(const facts::Launch& launch, const RunOptions& options,
                                           bool& without_replay) const {
  Result<facts::LaunchShape> shape = resolve_shape(*module_, *kernel_, launch);
  FOREWARP_TRY(shape);
  MemoryMap memory;
  Result<Binding> binding = bind_arguments(*program_, *kernel_, launch, *shape, memory);
  FOREWARP_TRY(binding);
  GroupRunner runner(*program_, *shape, options, memory, binding->shared_bytes, binding->variable_addresses);
  for (const SlotValue& value : binding->slots)
    runner.set_shared(value.slot, value.type, value.value, value.known);
  place_amd_packets(runner, memory, *shape);

  RunResult result;
  facts::KernelTrace& trace = result.trace;
  trace.warp_width = program_->warp_width;
  trace.shape = *shape;
  SampleRun sample(runner, options, trace);
  Result<void> ran = program_->has_grid_barrier ? sample.run_side_by_side() : sample.run_one_by_one();
  if (ran && !program_->has_grid_barrier && !runner.replay_failed() && !runner.meets_across_groups())
    ran = sample.look_for_longest();
  without_replay = runner.replay_failed() || (!ran && runner.replayed() &&
                                              ran.error().code != ErrorCode::budget); // replays are charged
  if (without_replay)
    return result;
  FOREWARP_TRY(ran);
  result.slow_divisions = runner.slow_divisions();
  trace.whole_grid = sample.is_whole_grid();
  const facts::Dim3 grid = shape->groups;
  auto linear = [&](const facts::GroupTrace& g) {
    return (g.group.z * grid.y + g.group.y) * grid.x + g.group.x;
  };
  std::sort(trace.groups.begin(), trace.groups.end(),
            [&](const auto& a, const auto& b) { return linear(a) < linear(b); });
  estimate_classes(trace, sample.longest());
  if (trace.whole_grid)
    for (facts::BehaviourClass& c : trace.classes)
      c.weight_groups = sample.groups_of(c.behaviour);
  for (const auto& region : memory.regions())
    if (region->info.space != facts::MemorySpace::shared && region->info.space != facts::MemorySpace::local)
      trace.regions.push_back(region->info);
  trace.regions.insert(trace.regions.end(), binding->shared_regions.begin(), binding->shared_regions.end());
  if (program_->frame_bytes > 0) // of one thread: events of private memory tell places inside its frame
    trace.regions.push_back(
        {"private memory", facts::MemorySpace::local, local_window, program_->frame_bytes});
  trace.notes.insert(trace.notes.end(), program_->notes.begin(), program_->notes.end());
  note_idle_options(*program_, options.unknown, trace.notes);
  if (!launch.group_size && !kernel_->required_group_size)
    trace.notes.push_back({facts::Note::Severity::assumption,
                           fmt::format("no group size is given: {} x {} x {} was chosen", shape->group_size.x,
                                       shape->group_size.y, shape->group_size.z),
                           {},
                           "--local X,Y,Z"});
  trace.notes.insert(trace.notes.end(), runner.notes().begin(), runner.notes().end());
  if (options.whole_grid) {
    const auto add = [&](const std::string& name, Region& region) {
      result.buffers.push_back({name, memory.contents(region), memory.unknown_bytes(region)});
    };
    for (Region* buffer : binding->buffers)
      add(buffer->info.name, *buffer);
    for (std::size_t v = 0; v < program_->variables.size(); ++v)
      if (const std::string name = ":" + program_->variables[v].name; launch.arguments.contains(name))
        if (Region* region = memory.find(binding->variable_addresses[v]))
          add(name, *region);
  }
  return result;
}

Result<RunResult> run(const ir::KernelModule& module, const ir::KernelSignature& kernel,
                      const facts::Launch& launch, const RunOptions& options) {
  Result<PreparedKernel> prepared = PreparedKernel::prepare(module, kernel);
  FOREWARP_TRY(prepared);
  return prepared->run(launch, options);
}

} // namespace forewarp::simt
