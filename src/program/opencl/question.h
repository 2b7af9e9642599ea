// What a launch costs on the GPU asked for: asked of the process beside once for launches that are alike.
#pragma once

#include "program/opencl/pending.h"

namespace forewarp::program {

struct LaunchAnswer {
  cl_int status = CL_SUCCESS; ///< what the GPU's driver would return
  std::int64_t duration_ns = 0;
  std::uint64_t number = 0; ///< of the launch in the process beside; 0: it is not there any more
};

LaunchAnswer ask_about(const PendingLaunch& launch, const KernelFacts& kernel);

} // namespace forewarp::program
