// The device as the GPU file has it, in place of the processor that executes.
#include "program/opencl/answer.h"
#include "program/opencl/entries.h"
#include "program/opencl/several/devices.h"

#include <algorithm>
#include <array>
#include <vector>

// Queries of vendors' extensions (cl_nv_device_attribute_query, cl_amd_device_attribute_query).
#define FOREWARP_CL_COMPUTE_CAPABILITY_MAJOR_NV 0x4000
#define FOREWARP_CL_COMPUTE_CAPABILITY_MINOR_NV 0x4001
#define FOREWARP_CL_REGISTERS_PER_BLOCK_NV 0x4002
#define FOREWARP_CL_WARP_SIZE_NV 0x4003
#define FOREWARP_CL_WAVEFRONT_WIDTH_AMD 0x4043

namespace forewarp::program {
namespace {

std::string text_of(const DeviceFacts& device, const char* key) {
  return device.words.value(key, std::string());
}

template <class T> T number_of(const DeviceFacts& device, const char* key) {
  return static_cast<T>(device.words.value(key, 0.0));
}

bool is_nvidia(const DeviceFacts& device) {
  return text_of(device, "vendor") == "NVIDIA Corporation";
}

/// The types that a program may ask for a GPU with. The processor behind it is never shown as one.
bool means_gpu(cl_device_type type) {
  return type == CL_DEVICE_TYPE_ALL || (type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_DEFAULT)) != 0;
}

cl_int CL_API_CALL platform_info(cl_platform_id platform, cl_platform_info name, size_t size, void* value,
                                 size_t* size_out) {
  if (name == CL_PLATFORM_NAME)
    return give(std::string("Forewarp"), size, value, size_out);
  if (name == CL_PLATFORM_VENDOR)
    return give(text_of(state().devices.front(), "vendor"), size, value, size_out);
  return state().target->clGetPlatformInfo(platform, name, size, value, size_out);
}

cl_int CL_API_CALL device_ids(cl_platform_id platform, cl_device_type type, cl_uint entries,
                              cl_device_id* devices, cl_uint* count) {
  if (!means_gpu(type)) {
    if (count)
      *count = 0;
    return CL_DEVICE_NOT_FOUND;
  }
  if ((devices && entries == 0) || (!devices && !count))
    return CL_INVALID_VALUE;
  std::vector<cl_device_id> shown = shown_devices(platform);
  if (shown.empty()) // the implementation says why
    return state().target->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, entries, devices, count);
  if (type == CL_DEVICE_TYPE_DEFAULT)
    shown.resize(1);
  if (devices)
    std::copy_n(shown.begin(), std::min<std::size_t>(entries, shown.size()), devices);
  if (count)
    *count = static_cast<cl_uint>(shown.size());
  return CL_SUCCESS;
}

cl_context CL_API_CALL context_from_type(const cl_context_properties* properties, cl_device_type type,
                                         void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*),
                                         void* data, cl_int* status) {
  if (!means_gpu(type)) {
    if (status)
      *status = CL_DEVICE_NOT_FOUND;
    return nullptr;
  }
  return state().target->clCreateContextFromType(properties, CL_DEVICE_TYPE_ALL, notify, data, status);
}

cl_int device_limits(const DeviceFacts& device, cl_device_info name, size_t size, void* value,
                     size_t* size_out, bool& known) {
  switch (name) {
  case CL_DEVICE_MAX_COMPUTE_UNITS:
    return give(number_of<cl_uint>(device, "compute_units"), size, value, size_out);
  case CL_DEVICE_MAX_CLOCK_FREQUENCY:
    return give(number_of<cl_uint>(device, "clock_mhz"), size, value, size_out);
  case CL_DEVICE_MAX_WORK_GROUP_SIZE:
    return give(number_of<size_t>(device, "max_group_size"), size, value, size_out);
  case CL_DEVICE_MAX_WORK_ITEM_SIZES: {
    const auto most = number_of<size_t>(device, "max_group_size");
    const std::array<size_t, 3> sizes = {most, most, is_nvidia(device) ? size_t{64} : most};
    return give(sizes, size, value, size_out);
  }
  case CL_DEVICE_LOCAL_MEM_SIZE:
    return give(number_of<cl_ulong>(device, "local_bytes"), size, value, size_out);
  case CL_DEVICE_LOCAL_MEM_TYPE:
    return give(cl_device_local_mem_type{CL_LOCAL}, size, value, size_out);
  case CL_DEVICE_GLOBAL_MEM_SIZE:
    return give(number_of<cl_ulong>(device, "memory_bytes"), size, value, size_out);
  case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
    return give(number_of<cl_ulong>(device, "memory_bytes") / 4, size, value, size_out);
  case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
    return give(number_of<cl_ulong>(device, "l2_bytes"), size, value, size_out);
  case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE:
    return give(number_of<cl_uint>(device, "line_bytes"), size, value, size_out);
  case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
    return give(cl_ulong{65536}, size, value, size_out);
  case CL_DEVICE_HOST_UNIFIED_MEMORY:
    return give(cl_bool{CL_FALSE}, size, value, size_out);
  case CL_DEVICE_PROFILING_TIMER_RESOLUTION:
    return give(size_t{1}, size, value, size_out);
  case CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
    return give(number_of<size_t>(device, "warp_width"), size, value, size_out);
  default:
    known = false;
    return CL_SUCCESS;
  }
}

cl_int vendor_queries(const DeviceFacts& device, cl_device_info name, size_t size, void* value,
                      size_t* size_out, bool& known) {
  const auto capability = number_of<double>(device, "compute_capability");
  const auto major = static_cast<cl_uint>(capability);
  switch (is_nvidia(device) ? name : 0) {
  case FOREWARP_CL_COMPUTE_CAPABILITY_MAJOR_NV:
    return give(major, size, value, size_out);
  case FOREWARP_CL_COMPUTE_CAPABILITY_MINOR_NV:
    return give(static_cast<cl_uint>((capability - major) * 10 + 0.5), size, value, size_out);
  case FOREWARP_CL_REGISTERS_PER_BLOCK_NV:
    return give(number_of<cl_uint>(device, "registers_per_sm"), size, value, size_out);
  case FOREWARP_CL_WARP_SIZE_NV:
    return give(number_of<cl_uint>(device, "warp_width"), size, value, size_out);
  default:
    break;
  }
  if (!is_nvidia(device) && name == FOREWARP_CL_WAVEFRONT_WIDTH_AMD)
    return give(number_of<cl_uint>(device, "warp_width"), size, value, size_out);
  known = false;
  return CL_SUCCESS;
}

cl_int CL_API_CALL device_info(cl_device_id handle, cl_device_info name, size_t size, void* value,
                               size_t* size_out) {
  const DeviceFacts& device = device_of(handle);
  switch (name) {
  case CL_DEVICE_NAME:
    return give(text_of(device, "name"), size, value, size_out);
  case CL_DEVICE_VENDOR:
    return give(text_of(device, "vendor"), size, value, size_out);
  case CL_DEVICE_VENDOR_ID:
    return give(cl_uint{is_nvidia(device) ? 0x10deU : 0x1002U}, size, value, size_out);
  case CL_DEVICE_TYPE:
    return give(cl_device_type{CL_DEVICE_TYPE_GPU}, size, value, size_out);
  case CL_DRIVER_VERSION:
    return give(std::string("forewarp"), size, value, size_out);
  default:
    break;
  }
  bool known = true;
  cl_int status = device_limits(device, name, size, value, size_out, known);
  if (known)
    return status;
  known = true;
  status = vendor_queries(device, name, size, value, size_out, known);
  return known ? status : state().target->clGetDeviceInfo(handle, name, size, value, size_out);
}

} // namespace

void override_devices(cl_icd_dispatch& table) {
  table.clGetPlatformInfo = platform_info;
  table.clGetDeviceIDs = device_ids;
  table.clCreateContextFromType = context_from_type;
  table.clGetDeviceInfo = device_info;
}

} // namespace forewarp::program
