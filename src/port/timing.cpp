#include "port/timing.h"

#include "port/choose.h"
#include "port/run_end.h"

#include <algorithm>

namespace forewarp::port {
namespace {

/// A launch shorter than so many readings of the clock is not measured; the mean of many can be shorter.
constexpr double clocks_a_launch = 3, clocks_of_many = 0.5;
constexpr std::uint64_t many_launches = 32;
constexpr double long_run_ms = 2000;

double median(std::vector<double> values) {
  if (values.empty())
    return 0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

} // namespace

Result<Times> measure_times(const ProgramRequest& request, const SourceProgram& program,
                            const std::vector<RegionMark>& marks) {
  auto timed = prepare_timing(program, marks);
  FOREWARP_TRY(timed);
  complete(timed->code, request);
  std::vector<std::vector<double>> totals(marks.size());
  std::vector<double> programs, least_ms(marks.size());
  Times times;
  times.regions.resize(marks.size());
  const std::vector<RegionPlan> plans(marks.size());
  double spent_ms = 0;
  for (unsigned i = 0; i < request.repetitions; ++i) {
    auto ran = run_once(timed->code, RunKind::timing, plans, nullptr, request);
    FOREWARP_TRY(ran);
    if (const std::string words = end_words(*ran, request.budget);
        !words.empty() && ran->end != RunResult::End::exited)
      return fail(ran->end == RunResult::End::time_budget ? ErrorCode::budget : ErrorCode::kernel_fault,
                  words, "", end_remedy(*ran));
    programs.push_back(ran->program_ms);
    for (std::size_t region = 0; region < marks.size() && region < ran->times.size(); ++region) {
      const RegionTimes& time = ran->times[region];
      totals[region].push_back(time.total_ms);
      times.regions[region].launches = time.launches;
      // A busy machine reads its clock more slowly in one run than in the next.
      least_ms[region] =
          std::max(least_ms[region],
                   time.clock_ms * (time.launches < many_launches ? clocks_a_launch : clocks_of_many));
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

Result<std::vector<TimedRegion>> time_program(const ProgramRequest& request) {
  auto program = compile_program(source_request(request));
  FOREWARP_TRY(program);
  const auto marks = choose_regions(program->loops, program->marks, request.regions, false, Nesting::allowed);
  FOREWARP_TRY(marks);
  auto times = measure_times(request, *program, *marks);
  FOREWARP_TRY(times);
  return std::move(times->regions);
}

} // namespace forewarp::port
