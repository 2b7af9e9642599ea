// From traced runs to the answer for one region on one GPU. The door of this half of the room.
#pragma once

#include "port/advice/advice.h"
#include "port/estimate/kernel_time.h"
#include "port/scale/region_size.h"
#include "port/static/region_code.h"

#include <string>
#include <vector>

namespace forewarp::port {

struct EstimateRequest {
  std::vector<SizedRun> runs; ///< as scaling_runs orders them; the first is the one whose warps are formed
  Sizes wanted;               ///< --size; empty: the first run's sizes
  const RegionCode* code = nullptr; ///< of the first run; null: operations by machine_step's own mapping
  std::string model = predict::default_predictor;
  bool table2 = false;        ///< C's Table 2 counts operations in place of the machine step
  bool written_loads = false; ///< --loads written
  bool warm_cache = false;    ///< --cache warm
  bool advice = true;
  bool interchanged = false; ///< the two outermost loops change places (swap_loops); without advice
};

struct RegionEstimate {
  std::string gpu, model, value_set;
  KernelTime kernel; ///< the region as it stands, or tiled where the region's marks ask for it
  bool tiled = false;
  RegionSize size;
  double work_growth = 1; ///< basic blocks that the program's region runs at the wanted size / as traced
  double copy_in_ms = 0, copy_out_ms = 0; ///< 0 where the GPU's file has no link
  double launch_overhead_ms = 0;          ///< host side, all launches
  std::vector<Advice> advice;             ///< largest gain first; only gains
  std::vector<facts::Note> notes;
};

/// Errors: those of warp formation, scaling and the model.
Result<RegionEstimate> estimate_region(const EstimateRequest& request, const PortTarget& target);

} // namespace forewarp::port
