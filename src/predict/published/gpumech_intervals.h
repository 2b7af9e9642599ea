// GPUMech's intervals and its equations for one interval.
#pragma once

#include "facts/model_facts.h"

#include <vector>

namespace forewarp::models {

struct Interval {
  double instructions = 0; ///< n_i
  double stall_cycles = 0; ///< wait for memory at its end
};
struct IntervalSums {
  double instructions = 0, stall_cycles = 0, mean_instructions = 0, issue_probability = 0;
};

/// Runs the representative warp alone: one instruction every 1 / rate cycles, computations take no time
/// beyond it.
std::vector<Interval> find_intervals(const facts::ModelFacts& facts, double rate,
                                     bool count_memory_instructions);
IntervalSums sum(const std::vector<Interval>& intervals, double rate);

/// Round robin, published (its Eq. 11).
double nonoverlapped_rr(const Interval& interval, double warps, double issue_probability);
/// Round robin as P section 2.5.1 replaces it.
double nonoverlapped_rr_corrected(const Interval& interval, double warps);
/// Greedy-then-oldest. `always` puts 1 for the probability that a warp issues in the stall.
double nonoverlapped_gto(const Interval& interval, double warps, double issue_probability,
                         double mean_instructions, bool always = false);

} // namespace forewarp::models
