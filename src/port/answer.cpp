#include "port/answer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace forewarp::port {
namespace {

constexpr std::size_t most_listed = 20;

Result<Sizes> parse_sizes(const std::vector<std::string>& words, const std::string& option) {
  Sizes sizes;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    char* end = nullptr;
    const std::string number = equals == std::string::npos ? "" : word.substr(equals + 1);
    const double value = std::strtod(number.c_str(), &end);
    if (equals == 0 || number.empty() || *end != '\0' || !(value >= 1) || value != std::floor(value))
      return fail(ErrorCode::usage, "'" + word + "' is not NAME=NUMBER", option, "write for instance N=1024");
    sizes[word.substr(0, equals)] = value;
  }
  return sizes;
}

/// Values of the defines that --size names.
Result<Sizes> traced_sizes(const std::vector<std::string>& defines, const Sizes& wanted) {
  Sizes traced;
  for (const auto& [name, value] : wanted) {
    const auto define = std::find_if(defines.begin(), defines.end(),
                                     [&](const std::string& word) { return word.starts_with(name + "="); });
    if (define == defines.end())
      return fail(ErrorCode::usage, "--size names '" + name + "', which no -D gives", "--size",
                  fmt::format("say at what size to trace: -D {}=128", name));
    auto parsed = parse_sizes({*define}, "-D");
    FOREWARP_TRY(parsed);
    traced.insert(parsed->begin(), parsed->end());
  }
  return traced;
}

ProgramRequest at_sizes(ProgramRequest program, const Sizes& sizes) {
  for (std::string& define : program.defines)
    for (const auto& [name, value] : sizes)
      if (define.starts_with(name + "="))
        define = fmt::format("{}={:.0f}", name, value);
  return program;
}

std::string words_of(const Sizes& sizes) {
  std::string text;
  for (const auto& [name, value] : sizes)
    text += fmt::format("{}{}={:.0f}", text.empty() ? "" : " ", name, value);
  return text;
}

std::string file_of(const facts::RegionTrace& trace) {
  return trace.files.empty() ? "" : trace.files[trace.location.file];
}

bool same_region(const facts::RegionTrace& left, const facts::RegionTrace& right) {
  return left.location.line == right.location.line && left.name == right.name &&
         file_of(left) == file_of(right);
}

class Porter {
public:
  explicit Porter(const PortRequest& request) : request_(request) {}

  Result<PortAnswer> answer() {
    FOREWARP_TRY(settle_sizes());
    for (const gpu::GpuChoice& choice : request_.gpus) {
      auto target = port_target(choice, request_.value_set, request_.model);
      FOREWARP_TRY(target);
      targets_.push_back(*std::move(target));
    }
    FOREWARP_TRY(trace_all());
    answer_.model = request_.model;
    for (const PortTarget& target : targets_)
      for (const TracedRegion& region : runs_.front().regions)
        if (region.valid() && !failed(region))
          estimate(region, target);
    FOREWARP_TRY(measure());
    for (RegionAnswer& region : answer_.regions)
      weigh(region);
    order();
    add_up();
    list_unanswered();
    find_ways_out();
    answer_.traced = std::move(runs_.front().regions);
    answer_.warnings = runs_.front().warnings;
    const bool any_way = std::any_of(answer_.unanswered.begin(), answer_.unanswered.end(),
                                     [](const UnansweredRegion& region) { return !region.ways_out.empty(); });
    if (answer_.regions.empty() && !answer_.unanswered.empty() && !any_way)
      return tl::unexpected(all_problems());
    return std::move(answer_);
  }

private:
  void say(const std::string& what) const {
    if (request_.progress)
      request_.progress(what);
  }

  Result<void> settle_sizes() {
    auto wanted = parse_sizes(request_.sizes, "--size");
    FOREWARP_TRY(wanted);
    wanted_ = *wanted;
    auto traced = traced_sizes(request_.program.defines, wanted_);
    FOREWARP_TRY(traced);
    if (wanted_.empty()) {
      points_ = {{}};
      return {};
    }
    auto points = scaling_runs(*traced, wanted_);
    FOREWARP_TRY(points);
    points_ = *std::move(points);
    answer_.sizes = words_of(wanted_);
    if (*traced != wanted_)
      answer_.sizes += " (traced at " + words_of(*traced) + ")";
    return {};
  }

  /// The first size in detail; the others for their totals and the coefficients of their addresses.
  Result<void> trace_all() {
    for (std::size_t i = 0; i < points_.size(); ++i) {
      say(points_[i].empty() ? "running the program" : "running the program at " + words_of(points_[i]));
      ProgramRequest program = at_sizes(request_.program, points_[i]);
      if (i > 0) {
        program.detail_threads = 1; // one block: coefficients of the addresses
        program.repetitions = 0;
        if (!finds_loops_itself(runs_.front())) {
          program.all_loops = false;
          program.regions = places(runs_.front());
        }
      }
      auto run = trace_program(program);
      FOREWARP_TRY(run);
      runs_.push_back(*std::move(run));
    }
    return {};
  }

  /// Then the runs at other sizes have to go the same way.
  static bool finds_loops_itself(const TracedProgram& program) {
    return std::any_of(program.regions.begin(), program.regions.end(), [](const TracedRegion& region) {
      return !region.inside.empty() || region.parallelism.interchange;
    });
  }

  static std::vector<std::string> places(const TracedProgram& program) {
    std::vector<std::string> list;
    for (const TracedRegion& region : program.regions)
      if (region.valid())
        list.push_back(fmt::format("{}:{}", file_of(region.trace), region.trace.location.line));
    return list;
  }

  EstimateRequest estimate_request(const TracedRegion& region) const {
    EstimateRequest request;
    request.wanted = wanted_;
    request.model = request_.model;
    request.table2 = request_.table2;
    request.written_loads = request_.written_loads;
    request.warm_cache = request_.warm_cache;
    request.advice = request_.advice;
    request.runs.push_back({points_.front(), &region.trace});
    request.code = &region.code;
    for (std::size_t i = 1; i < runs_.size(); ++i)
      for (const TracedRegion& other : runs_[i].regions)
        if (same_region(other.trace, region.trace) && !other.trace.launches.empty()) {
          request.runs.push_back({points_[i], &other.trace});
          break;
        }
    return request;
  }

  bool failed(const TracedRegion& region) const {
    return std::any_of(answer_.unanswered.begin(), answer_.unanswered.end(),
                       [&](const UnansweredRegion& other) {
                         return other.name == region.trace.name && other.line == region.trace.location.line;
                       });
  }

  void estimate(const TracedRegion& region, const PortTarget& target) {
    const facts::RegionTrace& trace = region.trace;
    say("predicting " + trace.name + " on " + target.machine.name);
    auto estimate = estimate_region(estimate_request(region), target);
    if (!estimate) {
      Error problem = estimate.error();
      if (problem.where.empty())
        problem.where = fmt::format("{}:{}", file_of(trace), trace.location.line);
      answer_.unanswered.push_back(
          {trace.name, file_of(trace), trace.location.line, trace.timing.region_ms, problem});
      return;
    }
    RegionAnswer answer;
    answer.name = trace.name;
    answer.file = file_of(trace);
    answer.line = trace.location.line;
    answer.gpu = estimate->gpu;
    answer.inside = region.inside;
    answer.time_ms = estimate->kernel.time_ms;
    answer.launch_ms = estimate->launch_overhead_ms;
    answer.copy_in_ms = estimate->copy_in_ms;
    answer.copy_out_ms = estimate->copy_out_ms;
    answer.copy_in_bytes = estimate->size.copy_in_bytes;
    answer.copy_out_bytes = estimate->size.copy_out_bytes;
    answer.cpu_time_ms = trace.timing.region_ms;
    answer.reason = trace.timing.note;
    answer.estimate = *std::move(estimate);
    answer_.regions.push_back(std::move(answer));
  }

  /// CPU times at the wanted size: measured when that is quick, else the traced size's in proportion to the
  /// work.
  Result<void> measure() {
    answer_.program_ms = runs_.front().program_ms;
    answer_.cpu_note = "CPU times: median of measured runs";
    if (points_.size() <= 1 && (wanted_.empty() || points_.front() == wanted_))
      return {};
    double growth = 1;
    for (const RegionAnswer& region : answer_.regions)
      growth = std::max(growth, region.estimate.work_growth);
    if (runs_.front().program_ms * growth > 1000 * request_.cpu_seconds) {
      scale_times(fmt::format(
          "CPU times: measured at {}, in proportion to the blocks run (the program would take about "
          "{:.0f} s at {}; --cpu-seconds allows it)",
          words_of(points_.front()), runs_.front().program_ms * growth / 1000, words_of(wanted_)));
      return {};
    }
    say("measuring the program at " + words_of(wanted_));
    ProgramRequest program = at_sizes(request_.program, wanted_);
    program.regions = places(runs_.front());
    program.all_loops = false;
    program.budget.seconds = std::max(program.budget.seconds, 4 * request_.cpu_seconds);
    const auto timed = time_program(program);
    if (!timed) {
      scale_times("CPU times: measured at " + words_of(points_.front()) +
                  ", in proportion to the blocks run (at " + words_of(wanted_) + ": " +
                  timed.error().message + ")");
      return {};
    }
    for (RegionAnswer& region : answer_.regions)
      for (const TimedRegion& other : *timed)
        if (other.line == region.line && other.file == region.file) {
          region.cpu_time_ms = other.timing.region_ms;
          region.reason = other.timing.note;
          answer_.program_ms = other.timing.program_ms;
        }
    answer_.cpu_note += " at " + words_of(wanted_);
    return {};
  }

  void scale_times(const std::string& note) {
    for (RegionAnswer& region : answer_.regions)
      region.cpu_time_ms *= region.estimate.work_growth;
    answer_.program_ms = 0;
    answer_.cpu_note = note;
  }

  void weigh(RegionAnswer& region) const {
    const double kernels = region.time_ms + region.launch_ms;
    const double all = kernels + region.copy_ms();
    if (region.cpu_time_ms <= 0) {
      if (answer_.program_ms > 0 && kernels > answer_.program_ms)
        region.reason +=
            fmt::format("{}its kernels take longer than the whole program on this CPU ({:.3g} launches)",
                        region.reason.empty() ? "" : "; ", region.estimate.size.launches);
      return;
    }
    region.speedup = kernels > 0 ? region.cpu_time_ms / kernels : 0;
    region.speedup_with_copies = all > 0 ? region.cpu_time_ms / all : 0;
    region.gain_ms = region.cpu_time_ms - all;
    region.worth = region.gain_ms > 0;
    if (answer_.program_ms > 0)
      region.program_speedup = answer_.program_ms / std::max(answer_.program_ms - region.gain_ms, 1e-9);
    if (region.worth)
      return;
    if (kernels >= region.cpu_time_ms)
      region.reason =
          region.launch_ms > region.time_ms
              ? "starting its kernels takes longer than the loop on this CPU: mark a loop further out"
              : "its kernels take longer than the loop on this CPU";
    else
      region.reason = fmt::format(
          "copying {:.3g} MB takes longer than the GPU gains: it pays only if the data stay on the "
          "GPU between kernels",
          (region.copy_in_bytes + region.copy_out_bytes) / 1e6);
  }

  void order() {
    const auto rank = [&](const RegionAnswer& region) {
      for (std::size_t i = 0; i < targets_.size(); ++i)
        if (targets_[i].machine.name == region.gpu)
          return i;
      return targets_.size();
    };
    std::stable_sort(answer_.regions.begin(), answer_.regions.end(),
                     [&](const RegionAnswer& left, const RegionAnswer& right) {
                       const std::size_t a = rank(left), b = rank(right);
                       return a != b ? a < b : left.gain_ms > right.gain_ms;
                     });
  }

  void add_up() {
    for (const PortTarget& target : targets_) {
      TogetherAnswer together;
      together.gpu = target.machine.name;
      for (const RegionAnswer& region : answer_.regions)
        if (region.gpu == together.gpu && region.worth) {
          ++together.regions;
          together.gain_ms += region.gain_ms;
        }
      if (answer_.program_ms > 0)
        together.program_speedup = answer_.program_ms / std::max(answer_.program_ms - together.gain_ms, 1e-9);
      answer_.together.push_back(together);
    }
  }

  /// The first problem, and where the others are.
  Error all_problems() const {
    Error error = answer_.unanswered.front().problem;
    for (std::size_t i = 1; i < answer_.unanswered.size(); ++i) {
      const Error& other = answer_.unanswered[i].problem;
      if (i > most_listed) {
        error.message += fmt::format("\n  and {} more", answer_.unanswered.size() - i);
        break;
      }
      error.message += fmt::format("\n  {}: {}", other.where, other.message);
    }
    return error;
  }

  void list_unanswered() {
    for (const TracedRegion& region : runs_.front().regions)
      if (!region.valid())
        answer_.unanswered.push_back({region.trace.name, file_of(region.trace), region.trace.location.line,
                                      region.trace.timing.region_ms, region.problem});
  }

  void find_ways_out() {
    for (UnansweredRegion& region : answer_.unanswered)
      for (const PortTarget& target : targets_) {
        std::vector<WayOut> ways;
        interchange(region, target, ways);
        mark_inner_loops(region, target, ways);
        std::stable_sort(ways.begin(), ways.end(),
                         [](const WayOut& a, const WayOut& b) { return a.time_ms < b.time_ms; });
        region.ways_out.insert(region.ways_out.end(), ways.begin(), ways.end());
      }
  }

  void interchange(const UnansweredRegion& region, const PortTarget& target,
                   std::vector<WayOut>& ways) const {
    for (const TracedRegion& traced : runs_.front().regions) {
      const facts::RegionTrace& trace = traced.trace;
      if (!traced.parallelism.interchange || trace.name != region.name ||
          trace.location.line != region.line || file_of(trace) != region.file)
        continue;
      EstimateRequest request = estimate_request(traced);
      request.interchanged = true;
      request.advice = false;
      const auto estimate = estimate_region(request, target);
      if (estimate)
        ways.push_back(
            {"interchange",
             fmt::format("interchange the loops of lines {} and {}: a thread for each iteration of the "
                         "second, which runs the first",
                         trace.loops[0].location.line, trace.loops[1].location.line),
             target.machine.name, estimate->kernel.time_ms + estimate->launch_overhead_ms,
             estimate->size.launches});
    }
  }

  void mark_inner_loops(const UnansweredRegion& region, const PortTarget& target,
                        std::vector<WayOut>& ways) const {
    WayOut way{"inner_loops", "", target.machine.name};
    std::vector<std::uint32_t> lines;
    for (const RegionAnswer& inner : answer_.regions)
      if (inner.gpu == target.machine.name &&
          inner.inside == fmt::format("{}:{}", region.file, region.line)) {
        way.time_ms += inner.time_ms + inner.launch_ms;
        way.launches += inner.estimate.size.launches;
        lines.push_back(inner.line);
      }
    if (lines.empty())
      return;
    std::sort(lines.begin(), lines.end());
    way.text = fmt::format("mark the loop{} inside it in line{} {}", lines.size() > 1 ? "s" : "",
                           lines.size() > 1 ? "s" : "", fmt::join(lines, ", "));
    ways.push_back(std::move(way));
  }

  const PortRequest& request_;
  Sizes wanted_;
  std::vector<Sizes> points_;
  std::vector<TracedProgram> runs_;
  std::vector<PortTarget> targets_;
  PortAnswer answer_;
};

} // namespace

Result<PortAnswer> port_program(const PortRequest& request) {
  return Porter(request).answer();
}

} // namespace forewarp::port
