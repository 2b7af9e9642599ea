#include "measure/device/cuda_api.h"

#include <fmt/format.h>

namespace forewarp::measure::cuda {

Result<Api> load_api(const Library& library) {
  Api api{};
  const char* missing = nullptr;
  const auto need = [&](const char* name, auto*& function) {
    if (!library.get(name, function) && !missing)
      missing = name;
  };
  need("cuInit", api.init);
  need("cuDriverGetVersion", api.driver_version);
  need("cuDeviceGetCount", api.device_count);
  need("cuDeviceGet", api.device_get);
  need("cuDeviceGetName", api.device_name);
  need("cuDeviceTotalMem_v2", api.device_memory);
  need("cuDeviceGetAttribute", api.device_attribute);
  need("cuDeviceGetPCIBusId", api.device_bus_id);
  need("cuDevicePrimaryCtxRetain", api.primary_retain);
  need("cuCtxSetCurrent", api.context_set);
  need("cuCtxSynchronize", api.context_synchronize);
  need("cuModuleLoadDataEx", api.module_load);
  need("cuModuleUnload", api.module_unload);
  need("cuModuleGetFunction", api.module_function);
  need("cuFuncGetAttribute", api.function_get);
  need("cuFuncSetAttribute", api.function_set);
  need("cuMemAlloc_v2", api.allocate);
  need("cuMemFree_v2", api.free);
  need("cuMemcpyHtoD_v2", api.to_device);
  need("cuMemcpyDtoH_v2", api.to_host);
  need("cuMemcpyDtoD_v2", api.on_device);
  need("cuMemsetD8_v2", api.fill8);
  need("cuLaunchKernel", api.launch);
  need("cuEventCreate", api.event_create);
  need("cuEventRecord", api.event_record);
  need("cuEventSynchronize", api.event_wait);
  need("cuEventElapsedTime", api.event_elapsed);
  need("cuOccupancyMaxActiveBlocksPerMultiprocessor", api.occupancy);
  need("cuMemAllocHost_v2", api.allocate_host);
  need("cuMemFreeHost", api.free_host);
  need("cuGetErrorName", api.error_name);
  need("cuGetErrorString", api.error_text);
  if (missing)
    return fail(ErrorCode::unsupported, fmt::format("the CUDA driver lacks '{}'", missing), "",
                "it is too old; CUDA 9 (driver 384) or later is needed");
  return api;
}

} // namespace forewarp::measure::cuda
