// The default predictor, `hybrid`: Wang et al.'s idea (DATE 2019: simulate warp traces on one multiprocessor,
// then compose waves) with today's detail. One SM is simulated with its share of L2 and DRAM; the grid's time
// follows from the steady rate at which groups finish, bounded below by what the whole GPU can move and
// dispatch.
//
// Not modelled: instruction caches, register-bank conflicts, TLB misses, partition camping, power limits,
// other kernels running at the same time.
#pragma once

#include "predict/traced/streams/simulation_store.h"
#include "predict/traced/traced_facts.h"

namespace forewarp::predict::hybrid {

using Facts = TracedFacts;

/// Fills time, interval, cycles, limiter, causes, units, lines, counts and rates of `prediction`. `kept`
/// changes how long it takes and nothing else.
Result<facts::Prediction> predict(const Facts& facts, const KeptSimulations& kept = {});

} // namespace forewarp::predict::hybrid
