// What a formula was made of: the planned kernel, its launch in the symbols, and how often its blocks run.
#pragma once

#include "engine/plan.h"
#include "formula/open_launch.h"

namespace forewarp::formula {

struct FormulaSource {
  symbolic::GridRuns runs;
  OpenLaunch open;
  engine::Target target;
};

} // namespace forewarp::formula
