#include "port/trace_program.h"

#include "port/choose.h"
#include "port/helper/process.h"
#include "port/merge.h"
#include "port/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace forewarp::port {
namespace {

constexpr double clocks_a_launch = 3; ///< a launch shorter than so many readings of the clock is not measured
constexpr double long_run_ms = 2000;

Result<RunResult> run(const ProgramCode& code, RunKind kind, const std::vector<RegionPlan>& plans,
                      const RecordedProgram* recorded, const Budget& budget) {
  RuntimeRequest request;
  request.kind = kind;
  request.regions = plans;
  request.budget = budget;
  if (recorded) {
    request.globals = recorded->globals;
    request.stack = recorded->stack;
    request.slack_words = recorded->slack_words;
  }
  auto result = run_in_process(std::move(request),
                               [&](RuntimeRequest inside) { run_program(code, std::move(inside)); });
  FOREWARP_TRY(result);
  if (result->end == RunResult::End::jit_error)
    return fail(ErrorCode::compile, "the program cannot be run: " + result->message, "",
                "name every file and library (-l) of the program");
  return result;
}

std::string signal_word(int number) {
  const char* text = strsignal(number);
  return text ? text : "signal " + std::to_string(number);
}

/// How the program ended, when it did not end by itself; "" otherwise.
std::string end_words(const RunResult& run, const Budget& budget) {
  switch (run.end) {
  case RunResult::End::signal:
    return "the program crashed (" + signal_word(run.code) + ")";
  case RunResult::End::exited:
    return run.message.empty() ? fmt::format("the program ended itself with exit({})", run.code)
                               : run.message;
  case RunResult::End::time_budget:
    return fmt::format("the program still ran after {:g} s", budget.seconds);
  case RunResult::End::lost:
    return "the program's process ended without an answer";
  default:
    return {};
  }
}

std::string end_remedy(const RunResult& run) {
  switch (run.end) {
  case RunResult::End::signal:
    return "run the program by itself first; a debugger shows the place";
  case RunResult::End::time_budget:
    return "trace a smaller problem (-D), scale it with --size, or raise --max-seconds";
  case RunResult::End::exited:
    return "let the loop run to its end";
  default:
    return "";
  }
}

std::uint32_t line_of_block(const facts::RegionTrace& trace, std::uint32_t block) {
  if (block >= trace.blocks.size())
    return trace.location.line;
  const facts::RegionBlock& described = trace.blocks[block];
  for (std::uint32_t i = 0; i < described.instruction_count; ++i)
    if (const auto line = trace.instructions[described.first_instruction + i].location.line; line != 0)
      return line;
  return trace.location.line;
}

std::string where(const facts::RegionTrace& trace) {
  return fmt::format("{}:{}", trace.files[trace.location.file], trace.location.line);
}

/// What a run that ended early means for region `index`.
Error problem_of_end(const RunResult& run, std::size_t index, const facts::RegionTrace& trace,
                     const Budget& budget) {
  const std::string words = end_words(run, budget);
  if (words.empty())
    return {ErrorCode::internal, "", "", ""};
  const ErrorCode code = run.end == RunResult::End::time_budget ? ErrorCode::budget : ErrorCode::kernel_fault;
  if (run.region == static_cast<int>(index))
    return {code, fmt::format("{} inside the region, near line {}", words, line_of_block(trace, run.block)),
            where(trace), end_remedy(run)};
  if (trace.launches.empty() && run.end != RunResult::End::exited)
    return {code, words + " before the region was reached", where(trace), end_remedy(run)};
  return {ErrorCode::internal, "", "", ""};
}

void check_region(TracedRegion& region, unsigned wanted, unsigned candidates) {
  const facts::RegionTrace& trace = region.trace;
  const auto problem = [&](ErrorCode code, const std::string& message, const std::string& hint) {
    if (region.valid())
      region.problem = {code, message, where(trace), hint};
  };
  if (trace.launches.empty())
    problem(ErrorCode::bad_input, "the region was never executed",
            "give the program the input (-D, --run-arg) with which it gets there");
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
    for (int depth = 0; depth < 4; ++depth) {
      FOREWARP_TRY(survey(marks));
      std::vector<RegionMark> finer = request_.all_loops ? refine(marks) : marks;
      if (same(finer, marks))
        break;
      marks = std::move(finer);
    }
    FOREWARP_TRY(detail());
    FOREWARP_TRY(time(marks));
    return std::move(result_);
  }

private:
  static bool same(const std::vector<RegionMark>& left, const std::vector<RegionMark>& right) {
    return left.size() == right.size() &&
           std::equal(left.begin(), left.end(), right.begin(), [](const RegionMark& a, const RegionMark& b) {
             return a.line == b.line && a.column == b.column && a.file == b.file;
           });
  }

  Result<void> survey(const std::vector<RegionMark>& marks) {
    auto recorded = prepare_recording(program_, marks);
    FOREWARP_TRY(recorded);
    recorded_ = *std::move(recorded);
    recorded_.code.libraries = request_.libraries;
    recorded_.code.arguments = request_.arguments;
    auto ran = run(recorded_.code, RunKind::survey, recorded_.plans, &recorded_, request_.budget);
    FOREWARP_TRY(ran);
    if (ran->again) {
      for (RegionPlan& plan : recorded_.plans)
        plan.quick_reads = false;
      ran = run(recorded_.code, RunKind::survey, recorded_.plans, &recorded_, request_.budget);
      FOREWARP_TRY(ran);
    }
    result_.instrumented_ms = ran->program_ms;
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
    if (i < ran.regions.size())
      merge_survey(region.trace, ran.regions[i]);
    if (i < ran.times.size())
      region.recorded_ms = ran.times[i].total_ms;
    region.problem = problem_of_end(ran, i, region.trace, request_.budget);
    const unsigned wanted = wanted_dimensions(request_, recorded_.marks[i]);
    region.parallelism = decide_parallelism(region.trace, recorded_.plans[i].candidates, wanted);
    settle_shape(region.trace, region.parallelism, recorded_.marks[i], request_.block);
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
                        where(region.trace), "use its result, or mark a loop that is called"};
      result_.regions.push_back(std::move(region));
    }
  }

  /// Loops that are not parallel give way to the loops inside them.
  std::vector<RegionMark> refine(const std::vector<RegionMark>& marks) const {
    std::vector<RegionMark> finer;
    for (const RegionMark& mark : marks) {
      const auto region =
          std::find_if(result_.regions.begin(), result_.regions.end(), [&](const TracedRegion& traced) {
            return traced.trace.location.line == mark.line && traced.trace.location.column == mark.column;
          });
      const std::vector<RegionMark> inner = inner_marks(program_.loops, mark);
      const bool split = mark.pragma_line == 0 && region != result_.regions.end() && !region->valid() &&
                         !region->trace.launches.empty() && !inner.empty();
      if (split)
        finer.insert(finer.end(), inner.begin(), inner.end());
      else
        finer.push_back(mark);
    }
    return finer;
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

  Result<void> detail() {
    std::vector<RegionPlan> plans = recorded_.plans;
    bool any = false;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      const facts::RegionTrace& trace = result_.regions[i].trace;
      plans[i].dimensions = trace.dimensions;
      plans[i].block = trace.block;
      plans[i].extents = trace.extents;
      const std::uint64_t block_threads = trace.block[0] * trace.block[1] * trace.block[2];
      plans[i].detail_blocks =
          result_.regions[i].valid() ? (request_.detail_threads + block_threads - 1) / block_threads : 0;
      expect(plans[i], trace);
      any = any || result_.regions[i].valid();
    }
    if (!any)
      return {};
    auto ran = run(recorded_.code, RunKind::detail, plans, &recorded_, request_.budget);
    FOREWARP_TRY(ran);
    result_.detail_ms = ran->program_ms;
    for (std::size_t i = 0; i < ran->regions.size(); ++i) {
      TracedRegion& region = result_.regions[i];
      if (!region.valid())
        continue;
      merge_detail(region.trace, std::move(ran->regions[i]));
      region.problem = problem_of_end(*ran, i, region.trace, request_.budget);
      if (region.valid() && !region.trace.trace_complete)
        add_note(region, "the trace budget ended the record before two batches of threads were complete",
                 "trace a smaller problem (-D) and scale it with --size, or raise --max-trace-mb");
    }
    return {};
  }

  Result<void> time(const std::vector<RegionMark>& marks);

  /// One mark in a template is several regions with one time: parted by the blocks that they ran.
  double share_of_mark(const facts::RegionTrace& trace) const {
    double own = 0, all = 0;
    for (const TracedRegion& other : result_.regions) {
      if (other.trace.location.line != trace.location.line || where(other.trace) != where(trace))
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
};

double median(std::vector<double> values) {
  if (values.empty())
    return 0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// Times of each mark, and of the program in the last element's program_ms.
struct Times {
  std::vector<TimedRegion> regions;
  double program_ms = 0;
};

Result<Times> measure(const ProgramRequest& request, const SourceProgram& program,
                      const std::vector<RegionMark>& marks) {
  auto timed = prepare_timing(program, marks);
  FOREWARP_TRY(timed);
  timed->code.libraries = request.libraries;
  timed->code.arguments = request.arguments;
  std::vector<std::vector<double>> totals(marks.size());
  std::vector<double> programs, least_ms(marks.size());
  Times times;
  times.regions.resize(marks.size());
  const std::vector<RegionPlan> plans(marks.size());
  double spent_ms = 0;
  for (unsigned i = 0; i < request.repetitions; ++i) {
    auto ran = run(timed->code, RunKind::timing, plans, nullptr, request.budget);
    FOREWARP_TRY(ran);
    if (const std::string words = end_words(*ran, request.budget);
        !words.empty() && ran->end != RunResult::End::exited)
      return fail(ran->end == RunResult::End::time_budget ? ErrorCode::budget : ErrorCode::kernel_fault,
                  words, "", end_remedy(*ran));
    programs.push_back(ran->program_ms);
    for (std::size_t region = 0; region < marks.size() && region < ran->times.size(); ++region) {
      const RegionTimes& time = ran->times[region];
      const double clocks_ms = ran->clock_ms * static_cast<double>(time.launches);
      totals[region].push_back(time.total_ms - clocks_ms);
      times.regions[region].launches = time.launches;
      least_ms[region] = clocks_a_launch * clocks_ms;
    }
    spent_ms += ran->program_ms;
    if (spent_ms > long_run_ms) // long runs need no repetition
      break;
  }
  times.program_ms = median(programs);
  for (std::size_t region = 0; region < marks.size(); ++region) {
    times.regions[region].file = marks[region].file;
    times.regions[region].line = marks[region].line;
    facts::RegionTiming& timing = times.regions[region].timing;
    timing = {median(totals[region]), times.program_ms, static_cast<unsigned>(programs.size()), ""};
    if (timing.region_ms <= least_ms[region]) {
      timing.region_ms = 0;
      timing.note = "the region runs too briefly to be measured: run a larger problem (-D, --size)";
    }
  }
  return times;
}

Result<void> Tracer::time(const std::vector<RegionMark>& marks) {
  const bool any = std::any_of(result_.regions.begin(), result_.regions.end(),
                               [](const TracedRegion& region) { return region.valid(); });
  if (request_.repetitions == 0 || !any)
    return {};
  auto times = measure(request_, program_, marks);
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

SourceRequest source_request(const ProgramRequest& request) {
  return {request.files, request.defines, request.include_directories, request.libraries, request.standard};
}

} // namespace

Result<TracedProgram> trace_program(const ProgramRequest& request) {
  auto program = compile_program(source_request(request));
  FOREWARP_TRY(program);
  auto marks = choose_regions(program->loops, program->marks, request.regions, request.all_loops);
  FOREWARP_TRY(marks);
  return Tracer(request, *std::move(program)).trace(*std::move(marks));
}

Result<std::vector<TimedRegion>> time_program(const ProgramRequest& request) {
  auto program = compile_program(source_request(request));
  FOREWARP_TRY(program);
  const auto marks = choose_regions(program->loops, program->marks, request.regions, false);
  FOREWARP_TRY(marks);
  auto times = measure(request, *program, *marks);
  FOREWARP_TRY(times);
  return std::move(times->regions);
}

} // namespace forewarp::port
