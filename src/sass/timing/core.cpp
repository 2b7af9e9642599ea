#include "sass/timing/core.h"

#include "sass/timing/operands.h"

#include <algorithm>
#include <cmath>

namespace forewarp::sass {
namespace {

constexpr double never = 1e300;
constexpr unsigned scoreboard_count = 6;

/// One read port a bank: sources of one bank take a cycle each, which holds the pipe's input (a reading:
/// Huerta et al. found no model that fits every experiment).
double port_cycles(const Kernel& kernel, std::size_t index) {
  const std::array<std::uint8_t, 2> reads = bank_reads(kernel, index);
  return std::max(reads[0], reads[1]);
}

/// One outstanding count of a counter.
struct Pending {
  double until = 0;
  std::uint32_t producer = 0;
};

struct Warp {
  const WarpPath* path = nullptr;
  std::size_t next = 0;
  double ready_cycle = 0; ///< stall count of the instruction before
  std::array<std::vector<Pending>, scoreboard_count> counters;
  std::array<double, 5> queue_end = {};
  bool at_barrier = false;
  bool done() const { return next >= path->size(); }
};

struct Reason {
  double cycle = 0; ///< may issue from here on
  Wait wait = Wait::stall_count;
  std::uint8_t scoreboards = 0;
  std::int32_t producer = -1;
};

class Core {
public:
  Core(const Kernel& kernel, const std::vector<WarpPath>& paths, const CoreRules& rules)
      : kernel_(kernel), rules_(rules) {
    outcome_.instructions.resize(kernel.instructions.size());
    for (const WarpPath& path : paths)
      warps_.push_back({&path});
    const std::size_t lines = kernel.instructions.size() * instruction_bytes / rules.instruction_line_bytes +
                              2 + rules.prefetched_lines;
    line_ready_.assign(lines, rules.cold_instruction_cache ? never : 0);
  }

  Result<CoreOutcome> run(std::uint64_t max_issues) {
    while (true) {
      release_barrier();
      const auto chosen = choose();
      if (!chosen)
        break;
      if (++outcome_.issued > max_issues)
        return fail(ErrorCode::budget,
                    "more than " + std::to_string(max_issues) + " instructions on a sub-core");
      issue(*chosen);
    }
    outcome_.cycles = std::max(outcome_.cycles, now_);
    return std::move(outcome_);
  }

private:
  const Instruction& instruction_of(const Warp& warp) const {
    return kernel_.instructions[(*warp.path)[warp.next]];
  }

  /// A line asked for brings the next ones along, one a cycle.
  double fetched(std::uint32_t offset, double now) {
    const std::size_t line = offset / rules_.instruction_line_bytes;
    const std::size_t last = std::min<std::size_t>(line + rules_.prefetched_lines, line_ready_.size() - 1);
    for (std::size_t l = line; l <= last; ++l)
      if (line_ready_[l] == never)
        line_ready_[l] = now + rules_.instruction_miss_cycles + static_cast<double>(l - line);
    return line_ready_[line];
  }

  static void later(Reason& reason, double cycle, Wait wait) {
    if (cycle > reason.cycle) {
      reason.cycle = cycle;
      reason.wait = wait;
    }
  }

  /// Counters of the mask, and DEPBAR's own, which may leave some outstanding.
  void wait_for_counters(const Warp& warp, const Instruction& instruction, Reason& reason) const {
    for (unsigned s = 0; s < scoreboard_count; ++s) {
      std::size_t may_remain = 0;
      bool waits = (instruction.control.wait_mask >> s & 1) != 0;
      if (instruction.opcode == Opcode::depbar && instruction.operands.size() == 3) {
        if (instruction.operands[0].number == s) {
          waits = true;
          may_remain = instruction.operands[1].value;
        }
        waits = waits || (instruction.operands[2].value >> s & 1) != 0;
      }
      const std::vector<Pending>& counter = warp.counters[s];
      if (!waits || counter.size() <= may_remain)
        continue;
      std::vector<Pending> ends = counter;
      std::sort(ends.begin(), ends.end(),
                [](const Pending& a, const Pending& b) { return a.until < b.until; });
      const Pending& last = ends[ends.size() - 1 - may_remain];
      if (last.until <= reason.cycle)
        continue;
      later(reason, last.until, Wait::scoreboard);
      reason.scoreboards = static_cast<std::uint8_t>(reason.scoreboards | 1U << s);
      reason.producer = static_cast<std::int32_t>(last.producer);
    }
  }

  Reason earliest(const Warp& warp) {
    const Instruction& instruction = instruction_of(warp);
    Reason reason{warp.ready_cycle, Wait::stall_count, 0, -1};
    wait_for_counters(warp, instruction, reason);
    const Pipe pipe = pipe_of(instruction);
    later(reason, pipe_free_[static_cast<std::size_t>(pipe)], Wait::pipe);
    if (pipe == Pipe::memory && served_.size() >= rules_.memory_queue_entries)
      later(reason, served_[served_.size() - rules_.memory_queue_entries], Wait::memory_queue);
    later(reason, fetched(instruction.offset, now_), Wait::instruction_cache);
    return reason;
  }

  /// The warp that issued last if it can go on in the next cycle, else the youngest of those that can first.
  std::optional<std::size_t> choose() {
    std::optional<std::size_t> best;
    double best_cycle = never;
    reasons_.assign(warps_.size(), Reason{never});
    for (std::size_t w = 0; w < warps_.size(); ++w) {
      if (warps_[w].done() || warps_[w].at_barrier)
        continue;
      reasons_[w] = earliest(warps_[w]);
      const double cycle = std::max(reasons_[w].cycle, now_);
      const bool first = cycle < best_cycle;
      const bool preferred = cycle == best_cycle && (w == last_ || *best != last_);
      if (first || preferred) {
        best = w;
        best_cycle = cycle;
      }
    }
    if (best)
      cycle_ = best_cycle;
    return best;
  }

  void account(std::size_t w, std::uint32_t index) {
    InstructionTime& time = outcome_.instructions[index];
    const Reason& reason = reasons_[w];
    Warp& warp = warps_[w];
    const double from = asked_[w];
    const double stalled = std::clamp(warp.ready_cycle, from, cycle_);
    const double allowed = std::clamp(reason.cycle, stalled, cycle_);
    time.wait_cycles[static_cast<std::size_t>(Wait::stall_count)] += stalled - from;
    time.wait_cycles[static_cast<std::size_t>(reason.wait)] += allowed - stalled;
    time.wait_cycles[static_cast<std::size_t>(Wait::other_warp)] += cycle_ - allowed;
    if (reason.wait == Wait::scoreboard) {
      time.waited_for = static_cast<std::uint8_t>(time.waited_for | reason.scoreboards);
      time.producer = reason.producer;
    }
    if (w == 0 && time.first_issue_cycle < 0)
      time.first_issue_cycle = cycle_;
    ++time.issues;
  }

  /// Cycles from issue until the result is written.
  double result_cycles(const Instruction& instruction) const {
    switch (queue_of(instruction)) {
    case Queue::global:
      return rules_.global_cycles;
    case Queue::shared:
      return rules_.shared_cycles;
    case Queue::constant:
      return rules_.constant_cycles;
    default:
      break;
    }
    if (instruction.opcode == Opcode::s2r || instruction.opcode == Opcode::s2ur)
      return rules_.system_register_cycles;
    return pipe_of(instruction) == Pipe::fp64 ? rules_.fp64_cycles : rules_.special_cycles;
  }

  void issue(std::size_t w) {
    Warp& warp = warps_[w];
    const std::uint32_t index = (*warp.path)[warp.next];
    const Instruction& instruction = kernel_.instructions[index];
    account(w, index);
    const ControlWord& control = instruction.control;
    // Stall 0 with yield stands at the jump to itself behind EXIT only; it never runs.
    warp.ready_cycle = cycle_ + std::max<double>(1, control.stall);
    const Pipe pipe = pipe_of(instruction);
    const auto p = static_cast<std::size_t>(pipe);
    pipe_free_[p] =
        std::max(pipe_free_[p], cycle_) + std::max(rules_.pipe_cycles[p], port_cycles(kernel_, index));
    if (pipe == Pipe::none)
      pipe_free_[p] = cycle_;
    if (pipe == Pipe::memory)
      served_.push_back(std::max(cycle_ + rules_.memory_queue_lead_cycles,
                                 served_.empty() ? 0 : served_.back() + rules_.memory_queue_interval_cycles));
    count(warp, instruction, index);
    ++warp.next;
    if (instruction.opcode == Opcode::bar && !warp.done())
      warp.at_barrier = true;
    asked_[w] = cycle_ + 1;
    last_ = w;
    now_ = cycle_ + 1;
  }

  void count(Warp& warp, const Instruction& instruction, std::uint32_t index) {
    for (std::vector<Pending>& counter : warp.counters)
      std::erase_if(counter, [&](const Pending& pending) { return pending.until <= cycle_; });
    double end = cycle_ + result_cycles(instruction);
    double& queue = warp.queue_end[static_cast<std::size_t>(queue_of(instruction))];
    if (queue_of(instruction) != Queue::none)
      queue = end = std::max(end, queue);
    const ControlWord& control = instruction.control;
    if (control.write_barrier < scoreboard_count)
      warp.counters[control.write_barrier].push_back({end, index});
    if (control.read_barrier < scoreboard_count)
      warp.counters[control.read_barrier].push_back({cycle_ + source_read_cycles(instruction), index});
    if (control.write_barrier < scoreboard_count)
      outcome_.cycles = std::max(outcome_.cycles, end);
  }

  void release_barrier() {
    const auto waits = [](const Warp& warp) { return warp.at_barrier || warp.done(); };
    if (!std::all_of(warps_.begin(), warps_.end(), waits))
      return;
    for (Warp& warp : warps_)
      warp.at_barrier = false;
  }

  const Kernel& kernel_;
  const CoreRules& rules_;
  CoreOutcome outcome_;
  std::vector<Warp> warps_;
  std::vector<Reason> reasons_;
  std::map<std::size_t, double> asked_; ///< by warp: the cycle after its last issue
  std::vector<double> line_ready_, served_;
  std::array<double, pipe_count> pipe_free_ = {};
  std::size_t last_ = 0;
  double now_ = 0, cycle_ = 0;
};

} // namespace

std::string_view to_string(Wait wait) {
  static constexpr std::string_view names[wait_count] = {"stall count",  "scoreboard",        "pipe",
                                                         "memory queue", "instruction cache", "other warp"};
  return names[static_cast<std::size_t>(wait)];
}

CoreRules core_rules(const gpu::Machine& machine) {
  CoreRules rules;
  for (std::size_t p = 0; p < pipe_count; ++p)
    rules.pipe_cycles[p] = std::max(1.0, machine.timing(class_of_width(static_cast<Pipe>(p))).issue_cycles);
  // Memory instructions leave the issue stage through their queue, one a cycle.
  rules.pipe_cycles[static_cast<std::size_t>(Pipe::memory)] = 1;
  rules.global_cycles = machine.memory.l1_latency_cycles;
  rules.shared_cycles = machine.memory.shared_latency_cycles;
  rules.constant_cycles = std::max(machine.memory.constant_latency_cycles, 26.0);
  rules.special_cycles = machine.timing(facts::OpClass::sfu).latency_cycles;
  rules.system_register_cycles = rules.special_cycles;
  rules.fp64_cycles = machine.timing(facts::OpClass::fp64_fma).latency_cycles;
  return rules;
}

WarpPath straight_path(const Kernel& kernel) {
  WarpPath path(kernel.instructions.size());
  for (std::uint32_t i = 0; i < path.size(); ++i)
    path[i] = i;
  return path;
}

Result<CoreOutcome> run_core(const Kernel& kernel, const std::vector<WarpPath>& paths, const CoreRules& rules,
                             std::uint64_t max_issues) {
  for (const WarpPath& path : paths)
    for (const std::uint32_t index : path)
      if (index >= kernel.instructions.size())
        return fail(ErrorCode::bad_input,
                    "instruction " + std::to_string(index) + " is not in kernel '" + kernel.name + "'");
  return Core(kernel, paths, rules).run(max_issues);
}

} // namespace forewarp::sass
