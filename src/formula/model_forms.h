// Published models as closed forms: Roofline, Volkov, WFG and WFG corrected, the arithmetic of src/models on
// counts that are closed forms. Property.Formula holds them to models::registry at random points.
#pragma once

#include "formula/flow_form.h"
#include "formula/model_form.h"
#include "gpu/machine.h"

namespace forewarp::formula {

/// What the models know of a launch, as closed forms.
struct GridForm {
  Real groups;   ///< whole grid
  RealRuns runs; ///< per warp
  double warps_per_group = 1;
  double active_groups = 1; ///< per SM, by occupancy
};

struct FormParts {
  std::vector<ModelForm> models;
  Real instructions_per_warp, dram_bytes; ///< warp instructions; bytes of the whole grid if nothing is kept
};

FormParts model_forms(const CostTable& table, const facts::ControlFlow& flow, const gpu::Machine& machine,
                      const GridForm& grid);

} // namespace forewarp::formula
