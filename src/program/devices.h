// A GPU as an OpenCL program asks for it, and what its host link costs.
#pragma once

#include "gpu/gpu_file.h"
#include "gpu/machine.h"
#include "support/result.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace forewarp::program {

/// One of the GPUs that times are asked for.
struct Device {
  gpu::GpuChoice choice;
  gpu::Machine machine;
  double launch_delay_ns = 0; ///< host call to start of the kernel
  double launch_call_ns = 0;  ///< that the host spends in the call: distance of launches in a full queue
  double copy_delay_ns = 0;   ///< host call to start of a copy: a kernel's, as no file has its own
  double to_device_gbps = 0, from_device_gbps = 0, on_device_gbps = 0; ///< 0: not in the file
  std::vector<std::string> assumed; ///< what the file does not say, in sentences
};

Result<Device> make_device(const gpu::GpuChoice& choice, const std::string& value_set);

/// What the library inside the program needs of the first device.
nlohmann::json device_words(const Device& device);

} // namespace forewarp::program
