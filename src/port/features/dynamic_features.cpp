#include "port/features/dynamic_features.h"

#include "port/choose.h"
#include "port/features/physics.h"
#include "port/features/text/static_features.h"
#include "port/features/text/text.h"
#include "port/features/warp_features.h"
#include "port/run_end.h"
#include "port/run_program.h"
#include "port/timing.h"

#include <fmt/format.h>

#include <numeric>

namespace forewarp::port {
namespace {

double ratio(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

class RowMaker {
public:
  RowMaker(const FeaturePlan& plan, const FeatureCounts& counts) : totals_(counts.totals) {
    for (std::size_t block = 0; block < plan.mixes.size(); ++block)
      mix_.add(plan.mixes[block], static_cast<double>(counts.block_runs[block]));
    row_.extractor = dynamic_extractor;
  }

  facts::FeatureRow make() {
    add_parallelism();
    add_mix();
    add_memory();
    add_single();
    add_branches();
    add("arith", share(mix_.arithmetic()));
    add("div", share(mix_.division));
    add_other_readings();
    return std::move(row_);
  }

private:
  void add(const std::string& name, double value) { row_.features.push_back({name, value}); }
  double share(double part) const { return ratio(part, mix_.instructions); }
  double window_share(std::uint64_t part) const {
    return ratio(static_cast<double>(part), static_cast<double>(totals_.windows.windows));
  }
  double ilp(std::size_t window) const {
    return ratio(static_cast<double>(totals_.ilp.instructions), totals_.ilp.cycles[window]);
  }

  void add_parallelism() {
    add("ilp32", ilp(0));
    add("ilp256", ilp(1));
    add("ilp2048", ilp(2));
    add("ilp65536", ilp(4));
    add("ilpRate", ratio(ilp(3), ilp(0)));
  }

  void add_mix() {
    add("mem", share(mix_.memory));
    add("ctrl", share(mix_.control));
    add("int", share(mix_.integer));
    add("fp", share(mix_.single));
    add("dp", share(mix_.twice));
  }

  /// Of the distances 0 to `most`.
  double reuse(std::size_t most) const {
    const auto& at = totals_.reuse.at;
    const auto near =
        std::accumulate(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(most) + 1, std::uint64_t{0});
    return ratio(static_cast<double>(near), static_cast<double>(totals_.reuse.accesses));
  }

  template <std::size_t size> double bank_share(const std::array<std::uint64_t, size>& by_power) const {
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i)
      sum += window_share(by_power[i]) / static_cast<double>(1U << i);
    return sum;
  }

  void add_memory() {
    const auto accesses = static_cast<double>(totals_.accesses);
    const WindowCounts& windows = totals_.windows;
    add("coldRef", ratio(static_cast<double>(totals_.blocks), accesses));
    add("reuseDist2", reuse(2));
    add("ninst", mix_.instructions);
    add("stride0", window_share(windows.same_address));
    add("noConflict", window_share(windows.odd_stride));
    add("shMemBW", bank_share(windows.by_bank_conflict));
    add("coalesced", window_share(windows.by_transactions[1]));
    double used = 0;
    for (std::size_t i = 1; i < windows.by_transactions.size(); ++i)
      used += window_share(windows.by_transactions[i]) / static_cast<double>(i);
    add("gMemBW", used);
    add("blocks", static_cast<double>(totals_.blocks));
    add("pages", static_cast<double>(totals_.pages));
    if (windows.windows == 0)
      row_.assumed.emplace_back("no load or store ran 32 times: the features of windows are 0");
  }

  void add_single() {
    const auto of_single = [&](double part) { return ratio(part, mix_.single); };
    add("mulf", of_single(mix_.mulf));
    add("divf", of_single(mix_.divf));
    add("sqrtf", of_single(mix_.sqrtf));
    add("expf", of_single(mix_.expf));
    add("sincosf", of_single(mix_.sincosf));
  }

  void add_branches() {
    const BranchCounts& branches = totals_.branches;
    for (std::size_t i = 0; i < branch_window_count; ++i) {
      const std::uint64_t size = 1ULL << (first_branch_window_log2 + i);
      add(fmt::format("Lbdiv{}", size),
          ratio(static_cast<double>(branches.mixed[i]), static_cast<double>(branches.windows[i])));
      if (branches.windows[i] == 0)
        row_.assumed.push_back(fmt::format("no branch decided {} times: Lbdiv{} is 0", size, size));
    }
  }

  void add_other_readings() {
    add("alt_reuseDist1", reuse(1));
    const auto accesses = static_cast<double>(totals_.accesses);
    add("alt_blocks", ratio(accesses, static_cast<double>(totals_.blocks)));
    add("alt_pages", ratio(accesses, static_cast<double>(totals_.pages)));
    add("alt_shMemBW", bank_share(totals_.windows.exact_power_stride));
  }

  const FeatureTotals& totals_;
  InstructionMix mix_;
  facts::FeatureRow row_;
};

facts::FeatureRow counted_row(const FeaturePlan& plan, const FeatureCounts& counts) {
  facts::FeatureRow row;
  row.extractor = counted_extractor;
  const bool known = plan.thread_block != facts::no_region_index;
  const double threads = known ? static_cast<double>(counts.block_runs[plan.thread_block]) : 0;
  std::vector<double> runs;
  for (const std::uint64_t each : counts.block_runs)
    runs.push_back(ratio(static_cast<double>(each), threads));
  const double launches = static_cast<double>(std::max<std::uint64_t>(1, counts.totals.launches));
  const auto values = static_values(plan.text, runs, threads / launches, false);
  for (std::size_t i = 0; i < values.size(); ++i)
    row.features.push_back({static_feature_names[i], values[i]});
  return row;
}

/// Loops whose calls cannot be counted.
void add_uncounted_calls(const facts::RegionTrace& trace, facts::FeatureRow& row) {
  for (const facts::Note& note : trace.notes)
    if (note.severity == facts::Note::Severity::invalid)
      row.assumed.push_back("counted without what it calls: " + note.text);
}

std::string region_name(const facts::RegionTrace& trace) {
  return place_of(trace) + " " + trace.name;
}

void add_times(const DynamicRequest& request, const SourceProgram& program,
               const std::vector<RegionMark>& marks, const RecordedProgram& recorded, DynamicAnswer& answer) {
  if (request.program.repetitions == 0)
    return;
  auto times = measure_times(request.program, program, marks);
  if (!times) {
    answer.warnings.push_back("no CPU time: " + times.error().message);
    return;
  }
  for (std::size_t i = 0; i < answer.rows.size(); ++i)
    for (const TimedRegion& timed : times->regions)
      if (timed.line == recorded.marks[i].line && timed.file == recorded.marks[i].file)
        answer.rows[i].cpu_ms = timed.timing.region_ms;
}

/// Features of the pseudo-warps, for the regions that are parallel.
void add_warps(const DynamicRequest& request, DynamicAnswer& answer) {
  ProgramRequest traced = request.program;
  traced.repetitions = 0;
  auto program = trace_program(traced);
  if (!program) {
    answer.warnings.push_back("no pseudo-warps: " + program.error().message);
    return;
  }
  for (DynamicRow& row : answer.rows)
    for (const TracedRegion& region : program->regions)
      if (row.problem.message.empty() && region_name(region.trace) == row.row.region)
        append_warp_features(region, row.row);
}

} // namespace

facts::FeatureRow dynamic_row(const FeaturePlan& plan, const FeatureCounts& counts) {
  return RowMaker(plan, counts).make();
}

Result<DynamicAnswer> dynamic_features(const DynamicRequest& request) {
  auto program = compile_program(source_request(request.program));
  FOREWARP_TRY(program);
  auto marks =
      choose_regions(program->loops, program->marks, request.program.regions, request.program.all_loops);
  FOREWARP_TRY(marks);
  auto recorded = prepare_recording(*program, *marks, Wanted::features);
  FOREWARP_TRY(recorded);
  complete(recorded->code, request.program);
  for (FeaturePlan& plan : recorded->features)
    plan.detail = request.detail;
  auto ran = run_once(recorded->code, RunKind::features, recorded->plans, &*recorded, request.program);
  FOREWARP_TRY(ran);
  DynamicAnswer answer;
  for (std::size_t i = 0; i < recorded->facts.size(); ++i) {
    facts::RegionTrace& trace = recorded->facts[i];
    DynamicRow row;
    const bool counted = i < ran->features.size() && ran->features[i].totals.launches > 0;
    if (counted)
      trace.launches.resize(ran->features[i].totals.launches);
    row.problem = problem_of_end(*ran, i, trace, request.program.budget);
    if (row.problem.message.empty() && !counted)
      row.problem = never_executed(*ran, trace);
    if (row.problem.message.empty()) {
      row.row = dynamic_row(recorded->features[i], ran->features[i]);
      row.counted = counted_row(recorded->features[i], ran->features[i]);
      row.recorded_ms = ran->times[i].total_ms;
      if (request.warps)
        append_physics(recorded->features[i], ran->features[i], row.row);
      add_uncounted_calls(trace, row.row);
    }
    row.row.region = row.counted.region = region_name(trace);
    answer.rows.push_back(std::move(row));
  }
  add_times(request, *program, *marks, *recorded, answer);
  if (request.warps)
    add_warps(request, answer);
  return answer;
}

} // namespace forewarp::port
