// The default predictor, `hybrid`: Wang et al.'s idea (DATE 2019: simulate warp traces on one multiprocessor,
// then compose waves) with today's detail. One SM is simulated with its share of L2 and DRAM; the grid's time
// follows from the steady rate at which groups finish, bounded below by what the whole GPU can move and
// dispatch.
//
// Not modelled: instruction caches, register-bank conflicts, TLB misses, partition camping, power limits,
// other kernels running at the same time.
#pragma once

#include "engine/hybrid/simulation_store.h"
#include "facts/machine_program.h"
#include "facts/memory_profile.h"
#include "facts/occupancy.h"
#include "facts/prediction.h"
#include "facts/trace.h"
#include "gpu/machine.h"
#include "support/result.h"

namespace forewarp::engine::hybrid {

/// Everything that the predictor sees; nothing of it is changed.
struct Facts {
  const gpu::Machine& machine;
  const facts::MachineProgram& program;
  const facts::KernelTrace& trace;
  const facts::MemoryProfile& memory;
  const facts::Occupancy& occupancy;
};

/// Fills time, interval, cycles, limiter, causes, units, lines, counts and rates of `prediction`. `kept`
/// changes how long it takes and nothing else.
Result<facts::Prediction> predict(const Facts& facts, const KeptSimulations& kept = {});

} // namespace forewarp::engine::hybrid
