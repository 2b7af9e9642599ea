// What one request needs: one compile per target family (OpenCL) or target (CUDA), one trace per module and
// warp width, the rest per GPU.
#pragma once

#include "engine/predict.h"
#include "facts/occupancy.h"
#include "gpu/machine.h"
#include "ir/kernel_module.h"

#include <memory>
#include <vector>

namespace forewarp::engine {

/// A compiled source with the kernel chosen and everything that its runs share.
struct CompiledKernel {
  ir::KernelModule module;
  const ir::KernelSignature* kernel = nullptr;
  facts::LaunchShape shape;
};

/// One GPU of the request, ready to be predicted.
struct Target {
  const gpu::GpuChoice* choice = nullptr;
  gpu::Machine machine;
  std::size_t compiled = 0; ///< index into Plan::compiled
  facts::MachineProgram program;
  facts::Occupancy occupancy;
};

struct Plan {
  std::vector<std::unique_ptr<CompiledKernel>> compiled;
  std::vector<Target> targets; ///< in the order asked for
};

/// Compiles, lowers and computes occupancy for every GPU of the request.
Result<Plan> plan(const PredictRequest& request);

} // namespace forewarp::engine
