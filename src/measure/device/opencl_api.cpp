#include "measure/device/opencl_api.h"

#include <fmt/format.h>

namespace forewarp::measure::opencl {

Result<Api> load_api(const Library& library) {
  Api api{};
  const char* missing = nullptr;
  const auto need = [&](const char* name, auto*& function) {
    if (!library.get(name, function) && !missing)
      missing = name;
  };
  need("clGetPlatformIDs", api.platforms);
  need("clGetPlatformInfo", api.platform_info);
  need("clGetDeviceIDs", api.devices);
  need("clGetDeviceInfo", api.device_info);
  need("clCreateContext", api.create_context);
  need("clCreateCommandQueue", api.create_queue);
  need("clCreateProgramWithSource", api.create_program);
  need("clBuildProgram", api.build_program);
  need("clGetProgramBuildInfo", api.build_info);
  need("clReleaseProgram", api.release_program);
  need("clCreateKernel", api.create_kernel);
  need("clGetKernelWorkGroupInfo", api.kernel_group_info);
  need("clReleaseKernel", api.release_kernel);
  need("clSetKernelArg", api.set_argument);
  need("clCreateBuffer", api.create_buffer);
  need("clReleaseMemObject", api.release_memory);
  need("clEnqueueWriteBuffer", api.write_buffer);
  need("clEnqueueReadBuffer", api.read_buffer);
  need("clEnqueueCopyBuffer", api.copy_buffer);
  need("clEnqueueFillBuffer", api.fill_buffer);
  need("clEnqueueNDRangeKernel", api.launch);
  need("clFinish", api.finish);
  need("clGetEventProfilingInfo", api.event_profile);
  need("clReleaseEvent", api.release_event);
  if (missing)
    return fail(ErrorCode::unsupported, fmt::format("the OpenCL loader lacks '{}'", missing), "",
                "OpenCL 1.2 or later is needed");
  return api;
}

} // namespace forewarp::measure::opencl
