// What one request needs before anything is run: compile, machine step and occupancy for every GPU.
#pragma once

#include "engine/compile_cache.h"
#include "facts/machine_program.h"
#include "facts/occupancy.h"

#include <memory>
#include <vector>

namespace forewarp::engine {

/// One GPU of the request, ready to be predicted.
struct Target {
  const gpu::GpuChoice* choice = nullptr;
  gpu::Machine machine;
  std::shared_ptr<const CompiledKernel> compiled; ///< shared by targets that run the same module
  facts::LaunchShape shape;
  facts::MachineProgram program;
  facts::Occupancy occupancy;
};

/// Targets in the order asked for.
Result<std::vector<Target>> plan(const PredictRequest& request, CompileCache& cache);

} // namespace forewarp::engine
