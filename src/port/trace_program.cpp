#include "port/trace_program.h"

#include "port/choose.h"
#include "port/merge.h"
#include "port/refine.h"
#include "port/run_end.h"
#include "port/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace forewarp::port {
namespace {

constexpr int most_rounds = 12;
constexpr std::uint64_t interchange_blocks = 1'000'000; ///< recorded of a nest whose loops change places

void check_region(TracedRegion& region, unsigned wanted, unsigned candidates) {
  const facts::RegionTrace& trace = region.trace;
  const auto problem = [&](ErrorCode code, const std::string& message, const std::string& hint) {
    if (region.valid())
      region.problem = {code, message, place_of(trace), hint};
  };
  for (const facts::Note& note : trace.notes)
    if (note.severity == facts::Note::Severity::invalid)
      problem(ErrorCode::unsupported, note.text, note.remedy);
  if (!region.valid())
    return;
  if (region.parallelism.dimensions == 0)
    problem(ErrorCode::unsupported, "cannot be run in parallel as it stands: " + region.parallelism.obstacle,
            region.parallelism.remedy);
  else if (wanted > region.parallelism.dimensions)
    problem(
        ErrorCode::unsupported,
        fmt::format("the block has {} dimensions, but only {} loop{} of the nest can be handed to threads",
                    wanted, region.parallelism.dimensions, region.parallelism.dimensions == 1 ? "" : "s"),
        candidates >= wanted
            ? "the inner loop needs its own earlier iterations: use a block with fewer dimensions"
            : "nothing but the inner loop may stand in the outer one's body");
}

unsigned wanted_dimensions(const ProgramRequest& request, const RegionMark& mark) {
  return request.block.empty() ? mark.block_dimensions : static_cast<unsigned>(request.block.size());
}

/// Different variables through which one object is read and written.
void note_aliases(facts::RegionTrace& trace, const RegionPlan& plan) {
  for (std::uint32_t store = 0; store < trace.sites.size(); ++store)
    for (std::uint32_t other = 0; other < trace.sites.size(); ++other) {
      const facts::RegionSite &left = trace.sites[store], &right = trace.sites[other];
      if (left.kind != facts::AccessKind::store || left.object == facts::no_region_index ||
          left.object != right.object || plan.sites[store].name.empty() || plan.sites[other].name.empty() ||
          plan.sites[store].name == plan.sites[other].name ||
          trace.objects[left.object].kind == facts::RegionObject::Kind::unknown)
        continue;
      facts::Note note;
      note.severity = facts::Note::Severity::assumption;
      note.location = left.location;
      note.text = fmt::format("line {} writes through '{}' into the array that line {} uses through '{}'",
                              left.location.line, plan.sites[store].name, right.location.line,
                              plan.sites[other].name);
      note.remedy =
          "do not declare the kernel's pointers restrict; dependences were found by address, not by name";
      trace.notes.push_back(std::move(note));
      return;
    }
}

class Tracer {
public:
  Tracer(const ProgramRequest& request, SourceProgram program)
      : request_(request), program_(std::move(program)) {}

  Result<TracedProgram> trace(std::vector<RegionMark> marks) {
    for (int round = 0; round < most_rounds; ++round) {
      FOREWARP_TRY(survey(marks));
      Refinement finer = refine(marks, recorded_, result_.regions, program_.loops);
      if (!finer.changed || round + 1 == most_rounds)
        break;
      FOREWARP_TRY(record_interchanges(finer.retired));
      for (const std::size_t region : finer.retired) {
        retired_marks_.push_back(recorded_.marks[region]);
        retired_.push_back(std::move(result_.regions[region]));
      }
      marks = std::move(finer.marks);
    }
    explain_hidden();
    FOREWARP_TRY(detail([](const TracedRegion& region) { return region.valid(); }));
    drop_failed_stand_ins(marks);
    std::move(retired_.begin(), retired_.end(), std::back_inserter(result_.regions));
    marks.insert(marks.end(), retired_marks_.begin(), retired_marks_.end());
    FOREWARP_TRY(time(marks));
    return std::move(result_);
  }

private:
  Result<void> survey(const std::vector<RegionMark>& marks) {
    auto recorded = prepare_recording(program_, marks);
    FOREWARP_TRY(recorded);
    recorded_ = *std::move(recorded);
    complete(recorded_.code, request_);
    auto ran = run_once(recorded_.code, RunKind::survey, recorded_.plans, &recorded_, request_);
    FOREWARP_TRY(ran);
    if (ran->again) {
      for (RegionPlan& plan : recorded_.plans)
        plan.quick_reads = false;
      ran = run_once(recorded_.code, RunKind::survey, recorded_.plans, &recorded_, request_);
      FOREWARP_TRY(ran);
    }
    result_.regions.clear();
    for (std::size_t i = 0; i < recorded_.facts.size(); ++i)
      add_region(i, *ran);
    add_missing(marks);
    return {};
  }

  void add_region(std::size_t i, const RunResult& ran) {
    TracedRegion region;
    region.trace = recorded_.facts[i];
    region.code = recorded_.codes[i];
    region.inside = recorded_.marks[i].inside;
    if (i < ran.regions.size())
      merge_survey(region.trace, ran.regions[i]);
    if (i < ran.times.size())
      region.recorded_ms = ran.times[i].total_ms;
    region.problem = problem_of_end(ran, i, region.trace, request_.budget);
    const unsigned wanted = wanted_dimensions(request_, recorded_.marks[i]);
    region.parallelism = decide_parallelism(region.trace, recorded_.plans[i].candidates, wanted);
    settle_shape(region.trace, region.parallelism, recorded_.marks[i], request_.block);
    if (region.valid() && region.trace.launches.empty())
      region.problem = never_executed(ran, region.trace);
    check_region(region, wanted, recorded_.plans[i].candidates);
    if (region.valid()) {
      note_aliases(region.trace, recorded_.plans[i]);
      if (!region.trace.trace_complete)
        add_note(region,
                 "the dependence check ran out of memory: not all of the region's data were looked at",
                 "trace a smaller problem (-D) and scale it with --size");
    }
    result_.regions.push_back(std::move(region));
  }

  static void add_note(TracedRegion& region, const std::string& text, const std::string& remedy) {
    facts::Note note;
    note.severity = facts::Note::Severity::assumption;
    note.text = text;
    note.remedy = remedy;
    note.location = region.trace.location;
    region.trace.notes.push_back(std::move(note));
  }

  void add_missing(const std::vector<RegionMark>& marks) {
    for (const RegionMark& mark : marks) {
      const bool there =
          std::any_of(recorded_.marks.begin(), recorded_.marks.end(), [&](const RegionMark& other) {
            return other.line == mark.line && other.column == mark.column && other.file == mark.file;
          });
      if (there)
        continue;
      TracedRegion region;
      region.trace.files = {mark.file};
      region.trace.location = {0, mark.line, mark.column};
      region.trace.name = mark.name.empty() ? mark.function + ":" + std::to_string(mark.line) : mark.name;
      region.problem = {ErrorCode::bad_input,
                        "the compiler removed the loop: nothing that it does is used, or nobody calls it",
                        place_of(region.trace), "use its result, or mark a loop that is called"};
      result_.regions.push_back(std::move(region));
    }
  }

  void explain_hidden() {
    for (std::size_t i = 0; i < recorded_.marks.size(); ++i)
      if (const auto outer = hidden_by(i, recorded_, result_.regions)) {
        const facts::RegionTrace& holder = result_.regions[*outer].trace;
        result_.regions[i].problem = {
            ErrorCode::bad_input,
            fmt::format("the region runs only inside the region '{}' ({}), where each thread runs it",
                        holder.name, place_of(holder)),
            place_of(result_.regions[i].trace), "mark one of the two"};
      }
  }

  /// Events of the detail run: the detailed launch's by its share of blocks, and a tenth more.
  static void expect(RegionPlan& plan, const facts::RegionTrace& trace) {
    double steps = 0, addresses = 0, blocks = 1;
    for (const facts::RegionBlock& block : trace.blocks) {
      steps += static_cast<double>(block.detailed_launch_runs);
      addresses += static_cast<double>(block.detailed_launch_runs) * block.site_count;
    }
    for (unsigned level = 0; level < plan.dimensions; ++level) {
      const std::uint64_t side = plan.block[plan.dimensions - 1 - level];
      blocks *= static_cast<double>((plan.extents[level] + side - 1) / side);
    }
    const double share = 1.1 * std::min(1.0, static_cast<double>(plan.detail_blocks) / blocks);
    plan.expected_steps = static_cast<std::uint64_t>(share * steps);
    plan.expected_addresses = static_cast<std::uint64_t>(share * addresses);
  }

  /// Regions whose two outermost loops may change places, before they are no longer recorded: iterations of
  /// the outermost loop as threads, for swap_loops.
  Result<void> record_interchanges(const std::vector<std::size_t>& retired) {
    const auto wanted = [&](std::size_t i) { return result_.regions[i].parallelism.interchange; };
    if (std::none_of(retired.begin(), retired.end(), wanted))
      return {};
    for (const std::size_t i : retired)
      if (wanted_dimensions(request_, recorded_.marks[i]) != 1) // the nest as interchanged has one
        result_.regions[i].trace.block = {256, 1, 1};
    return detail([](const TracedRegion& region) { return region.parallelism.interchange; });
  }

  /// So many iterations of the outermost loop hold about `interchange_blocks` basic blocks.
  static std::uint64_t outer_iterations(const facts::RegionTrace& trace) {
    std::uint64_t runs = 0;
    for (const facts::RegionBlock& block : trace.blocks)
      runs += block.detailed_launch_runs;
    const std::uint64_t iterations = std::max<std::uint64_t>(1, trace.extents[0]);
    return std::max<std::uint64_t>(2, interchange_blocks * iterations / std::max<std::uint64_t>(1, runs));
  }

  /// Events of the regions that are wanted.
  Result<void> detail(const std::function<bool(const TracedRegion&)>& wanted) {
    std::vector<RegionPlan> plans = recorded_.plans;
    bool any = false;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      const TracedRegion& region = result_.regions[i];
      const facts::RegionTrace& trace = region.trace;
      plans[i].dimensions = trace.dimensions;
      plans[i].block = region.valid() ? trace.block : std::array<std::uint64_t, 3>{1, 1, 1};
      plans[i].extents = trace.extents;
      const std::uint64_t block_threads = plans[i].block[0] * plans[i].block[1] * plans[i].block[2];
      const std::uint64_t threads = region.valid() ? request_.detail_threads : outer_iterations(trace);
      plans[i].detail_blocks = wanted(region) ? (threads + block_threads - 1) / block_threads : 0;
      expect(plans[i], trace);
      any = any || wanted(region);
    }
    if (!any)
      return {};
    auto ran = run_once(recorded_.code, RunKind::detail, plans, &recorded_, request_);
    FOREWARP_TRY(ran);
    for (std::size_t i = 0; i < ran->regions.size(); ++i) {
      TracedRegion& region = result_.regions[i];
      if (!wanted(region))
        continue;
      merge_detail(region.trace, std::move(ran->regions[i]));
      if (!region.valid())
        continue;
      region.problem = problem_of_end(*ran, i, region.trace, request_.budget);
      if (region.valid() && !region.trace.trace_complete)
        add_note(region, "the trace budget ended the record before two batches of threads were complete",
                 "trace a smaller problem (-D) and scale it with --size, or raise --max-trace-mb");
    }
    return {};
  }

  /// Loops that were looked at in place of one around them, and are none either: the one around them says
  /// why.
  void drop_failed_stand_ins(std::vector<RegionMark>& marks) {
    std::erase_if(result_.regions,
                  [](const TracedRegion& region) { return !region.inside.empty() && !region.valid(); });
    std::erase_if(marks, [&](const RegionMark& mark) {
      return !mark.inside.empty() &&
             std::none_of(result_.regions.begin(), result_.regions.end(), [&](const TracedRegion& region) {
               return region.trace.location.line == mark.line &&
                      place_of(region.trace) == fmt::format("{}:{}", mark.file, mark.line);
             });
    });
  }

  Result<void> time(const std::vector<RegionMark>& marks);

  /// One mark in a template is several regions with one time: parted by the blocks that they ran.
  double share_of_mark(const facts::RegionTrace& trace) const {
    double own = 0, all = 0;
    for (const TracedRegion& other : result_.regions) {
      if (other.trace.location.line != trace.location.line || place_of(other.trace) != place_of(trace))
        continue;
      double work = 0;
      for (const facts::RegionLaunch& launch : other.trace.launches)
        work += static_cast<double>(launch.block_runs);
      all += work;
      own += &other.trace == &trace ? work : 0;
    }
    return all > 0 ? own / all : 1;
  }

  const ProgramRequest& request_;
  SourceProgram program_;
  RecordedProgram recorded_;
  TracedProgram result_;
  std::vector<TracedRegion> retired_;
  std::vector<RegionMark> retired_marks_;
};

Result<void> Tracer::time(const std::vector<RegionMark>& marks) {
  const bool any = std::any_of(result_.regions.begin(), result_.regions.end(),
                               [](const TracedRegion& region) { return region.valid(); });
  if (request_.repetitions == 0 || !any)
    return {};
  auto times = measure_times(request_, program_, marks);
  if (!times) { // the traced runs stand; the CPU time is missing
    result_.warnings.push_back("no CPU time: " + times.error().message);
    return {};
  }
  result_.program_ms = times->program_ms;
  for (TracedRegion& region : result_.regions)
    for (const TimedRegion& timed : times->regions)
      if (timed.line == region.trace.location.line &&
          timed.file == region.trace.files[region.trace.location.file]) {
        region.trace.timing = timed.timing;
        region.trace.timing.region_ms *= share_of_mark(region.trace);
      }
  return {};
}

} // namespace

Result<TracedProgram> trace_program(const ProgramRequest& request) {
  auto program = compile_program(source_request(request));
  FOREWARP_TRY(program);
  auto marks = choose_regions(program->loops, program->marks, request.regions, request.all_loops);
  FOREWARP_TRY(marks);
  return Tracer(request, *std::move(program)).trace(*std::move(marks));
}

} // namespace forewarp::port
