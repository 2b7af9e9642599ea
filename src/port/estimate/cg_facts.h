// A version of a region as the facts of the model `cgpredict` (Wang, Zhong, Mitra: CGPredict, TECS 2017,
// Eq. 1-12 and 19-21).
#pragma once

#include "facts/model_facts.h"
#include "port/cache/class_rates.h"
#include "port/estimate/parameters.h"
#include "port/estimate/version.h"

namespace forewarp::port {

/// How misses become latencies and departure delays.
enum class MissModel {
  cgpredict,    ///< Eq. 1-5
  simple_cache, ///< Eq. 24-25: weighted means by the plain miss rate (C's baseline, Fig. 9)
};

struct AccessCost {
  double latency_cycles = 0; ///< mem_l of the class
  double delay_cycles = 0;   ///< dep_del
};
/// Eq. 1-5, or 24-25. `transactions`: L2 transactions of a warp instruction of the class.
AccessCost access_cost(AccessPattern pattern, const ClassTraffic& traffic, double transactions,
                       const CgParameters& gpu, MissModel model);

/// Rows of the mix: the access classes that occur, tile loads, shared memory, compute.
facts::ModelFacts cg_facts(const Version& version, const gpu::Machine& machine, const CgParameters& gpu,
                           MissModel model, bool warm_cache = false);

} // namespace forewarp::port
