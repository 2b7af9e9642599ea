// What a launch costs on the GPU asked for: asked of the process beside once for launches that are alike.
#pragma once

#include "program/cuda/execute.h"
#include "program/cuda/state.h"

namespace forewarp::program {

struct LaunchAnswer {
  cudaError_t error = cudaSuccess; ///< what the GPU's driver would return
  std::int64_t duration_ns = 0;
  std::uint64_t number = 0; ///< of the launch in the process beside; 0: it is not there any more
  std::string key;          ///< what launches that are alike have in common
};
/// The launch as the process beside reads it, without contents.
nlohmann::json words_of(const KernelEntry& kernel, const NativeLaunch& launch);
LaunchAnswer ask_about(const KernelEntry& kernel, const NativeLaunch& launch);

struct KernelResources {
  int registers = 0;
};
KernelResources ask_resources(const KernelEntry& kernel);
/// Groups of so many work-items on one multiprocessor at a time.
int ask_occupancy(const KernelEntry& kernel, std::uint64_t size, std::uint64_t shared);

} // namespace forewarp::program
