// Runs a kernel's compiled code over the whole grid.
#pragma once

#include "native/abi/abi.h"
#include "program/cuda/api.h"

#include <string>
#include <vector>

namespace forewarp::program {

struct NativeLaunch {
  const native::KernelFacts* kernel = nullptr;
  dim3 groups, size;
  std::uint64_t dynamic_shared_bytes = 0;
  void** arguments = nullptr;
  std::vector<native::Span> spans; ///< the buffer behind each pointer argument, by position
};

/// How a launch ended.
struct NativeEnd {
  std::vector<std::string> faults; ///< what it did wrong; reads near a buffer end nothing
  cudaError_t error = cudaSuccess; ///< of the fault that ended it
};
NativeEnd execute(const NativeLaunch& launch);

/// Ends the launch that runs: `group`'s work-item accesses `what`. No return.
[[noreturn]] void fault_in_kernel(const native::Group& group, const std::string& what);

} // namespace forewarp::program
