// What a launch costs on the GPU asked for: asked of the process beside once for launches that are alike.
#pragma once

#include "program/opencl/pending.h"

namespace forewarp::program {

struct LaunchAnswer {
  cl_int status = CL_SUCCESS; ///< what the GPU's driver would return
  std::int64_t duration_ns = 0;
  std::uint64_t number = 0; ///< of the launch in the process beside; 0: it is not there any more
};

/// The process beside knows a program by it; told at first. "": it was not made of source.
std::string key_of(const std::shared_ptr<ProgramFacts>& source);
/// The launch for the process beside: sizes, and what each argument is.
nlohmann::json words_of(const PendingLaunch& launch, const std::string& program);
LaunchAnswer ask_about(const PendingLaunch& launch, const KernelFacts& kernel);

} // namespace forewarp::program
