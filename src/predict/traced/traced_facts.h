// What a traced predictor sees of one launch on one machine; nothing of it is changed.
#pragma once

#include "facts/machine_program.h"
#include "facts/memory_profile.h"
#include "facts/occupancy.h"
#include "facts/shortcuts.h"
#include "facts/trace.h"
#include "gpu/latency_curves.h"
#include "gpu/machine.h"
#include "predict/predictor.h"

namespace forewarp::predict {

struct TracedFacts {
  const gpu::Machine& machine; ///< in the form that `memory` was made for
  const facts::MachineProgram& program;
  const facts::KernelTrace& trace;
  const facts::MemoryProfile& memory;
  const facts::Occupancy& occupancy;
  ProgramForm program_form = ProgramForm::machine_step;
  MachineForm machine_form = MachineForm::as_given;
  facts::Shortcuts shortcuts =
      {}; ///< like_groups, sm_waves, trace_cuts and rounded_demands are the predictor's
  gpu::LatencyCurves latencies = {}; ///< of the machine's file; none: every operation has one latency
};

} // namespace forewarp::predict
