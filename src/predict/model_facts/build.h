// Trace, machine program and memory profile -> what the published models know (facts/model_facts.h). The same
// facts as the default predictor's, at the level of one SM.
//
// Not in the facts: caches beyond the mean rates of each access, atomics' return path, the order of the lines
// of one access.
#pragma once

#include "facts/machine_code/control_flow.h"
#include "predict/model_facts/graphs.h"

namespace forewarp::predict::model_facts {

using facts::ControlFlow;

struct Built {
  facts::ModelFacts facts;
  std::vector<facts::Note> notes;
};

/// Errors: bad_input when the result breaks a rule of the facts file (an error of this program).
Result<Built> build(const TracedFacts& facts, const ControlFlow& flow, Mapper mapper,
                    const GraphLimits& limits = {});

} // namespace forewarp::predict::model_facts
