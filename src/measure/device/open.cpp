#include "measure/device/device.h"

#include <fmt/format.h>

namespace forewarp::measure {

Result<std::unique_ptr<Device>> open_device(const std::string& backend, unsigned index) {
  if (backend == "cuda")
    return open_cuda(index);
  if (backend == "opencl")
    return open_opencl(index);
  return fail(ErrorCode::usage, fmt::format("unknown backend '{}'", backend), "--backend", "cuda or opencl");
}

} // namespace forewarp::measure
