#include "predict/published/gpumech_intervals.h"

#include <algorithm>

namespace forewarp::models {

std::vector<Interval> find_intervals(const facts::ModelFacts& facts, double rate,
                                     bool count_memory_instructions) {
  const auto& instructions = facts.graphs.front().instructions;
  std::vector<double> ready(instructions.size(), 0);
  std::vector<Interval> intervals;
  Interval current;
  double now = 0, last_ready = 0;
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    const facts::ModelClass& row = facts.mix[instructions[i].mix_class];
    double start = now;
    for (const std::uint32_t predecessor : instructions[i].predecessors)
      start = std::max(start, ready[predecessor]);
    if (start > now) {
      current.stall_cycles = start - now;
      intervals.push_back(current);
      current = {};
      now = start;
    }
    const bool memory = row.kind == facts::ModelClassKind::memory;
    if (memory && row.waited)
      last_ready = std::max(last_ready, ready[i] = now + instructions[i].latency_cycles);
    if (memory && !count_memory_instructions)
      continue;
    current.instructions += 1;
    now += 1 / rate;
  }
  current.stall_cycles = std::max(0.0, last_ready - now);
  if (current.instructions > 0 || current.stall_cycles > 0)
    intervals.push_back(current);
  return intervals;
}

IntervalSums sum(const std::vector<Interval>& intervals, double rate) {
  IntervalSums total;
  for (const Interval& interval : intervals) {
    total.instructions += interval.instructions;
    total.stall_cycles += interval.stall_cycles;
  }
  if (!intervals.empty())
    total.mean_instructions = total.instructions / static_cast<double>(intervals.size());
  const double cycles = total.instructions / rate + total.stall_cycles;
  total.issue_probability = cycles > 0 ? total.instructions / cycles : 1;
  return total;
}

double nonoverlapped_rr(const Interval& interval, double warps, double issue_probability) {
  return issue_probability * (warps - 1) * std::max(0.0, interval.instructions - 1);
}

double nonoverlapped_rr_corrected(const Interval& interval, double warps) {
  const double overlapped = std::min(interval.stall_cycles, warps - 1);
  return std::max(0.0, (warps - 1) * interval.instructions - overlapped);
}

double nonoverlapped_gto(const Interval& interval, double warps, double issue_probability,
                         double mean_instructions, bool always) {
  const double in_stall = always ? 1 : std::min(issue_probability * interval.stall_cycles, 1.0);
  const double issued = in_stall * mean_instructions * (warps - 1);
  return std::max(0.0, issued - interval.stall_cycles);
}

} // namespace forewarp::models
