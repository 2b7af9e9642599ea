// Wang, Huang, Knoll, Qian (DATE 2019), section IV, as a named configuration of the same pipeline engine.
//
// What is the paper's: the stream of pruned IR instructions consumed by each warp one after the other;
// arithmetic latencies by number of active warps; memory latency scaled by maximal / actual active warps
// (printed so: it raises latency at low occupancy, the reverse of what fully loaded measurements would ask
// for; kept here only); latency in three parts of which the delay alone holds the resource; constant cache
// and L2 only, LRU; one round of active work-groups; Eq. 8.
//
// What the paper does not print, and what is taken here: the delay of a memory operation is the time of one
// cache line at the SM's share of achieved DRAM bandwidth (of one shared-memory pass for local memory); the
// rest of the latency is half before and half after it. Arithmetic latency at w active warps is the GPU
// file's `latency_by_warps`, between its points linear in w; where the file has none, max(latency, w x issue
// cycles / unit instances).
#pragma once

#include "predict/traced/traced_facts.h"

namespace forewarp::predict::wang2019 {

/// How long an access holds its memory resource.
enum class Hold {
  once,             ///< as printed: the delay is fixed
  each_transaction, ///< a reading: the paper counts a warp's transactions (III-B3); each takes the delay
};

/// Who shares the units of arithmetic. The paper's Figure 2, which would show it, is not in its text.
enum class Computation {
  by_active_warps, ///< nobody waits for them: the latency at so many active warps holds the sharing
  /// a reading of "computation pipeline" (IV-C): one of the SM, which an operation holds for 1 / w of its
  /// latency at w active warps
  pipeline
};

struct Reading {
  Hold hold = Hold::once;
  Computation computation = Computation::by_active_warps;
};

/// Latency of an operation of the class while `active_warps` of the SM run; cycles.
double arithmetic_latency(const TracedFacts& facts, facts::OpClass op, double active_warps);

/// Of pruned IR on a machine without L1, which is how the paper's cache analysis sees it. Fills time, cycles,
/// limiter and counts.
Result<facts::Prediction> predict(const TracedFacts& facts, const Reading& reading = {});

/// Eq. 8: cycles of all rounds from those of one round of `active_groups`.
double kernel_cycles(double round_cycles, double groups, double sm_count, double active_groups);

} // namespace forewarp::predict::wang2019
