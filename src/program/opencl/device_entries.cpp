// The device as the GPU file has it, in place of the processor that executes.
#include "program/opencl/answer.h"
#include "program/opencl/entries.h"

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

std::string text_of(const char* key) {
  return state().device.value(key, std::string());
}

template <class T> T number_of(const char* key) {
  return static_cast<T>(state().device.value(key, 0.0));
}

bool is_nvidia() {
  return text_of("vendor") == "NVIDIA Corporation";
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
    return give(text_of("vendor"), size, value, size_out);
  return state().target->clGetPlatformInfo(platform, name, size, value, size_out);
}

cl_int CL_API_CALL device_ids(cl_platform_id platform, cl_device_type type, cl_uint entries,
                              cl_device_id* devices, cl_uint* count) {
  if (!means_gpu(type)) {
    if (count)
      *count = 0;
    return CL_DEVICE_NOT_FOUND;
  }
  // One device: the implementation may have several, all of them this machine.
  cl_uint there = 0;
  const cl_int status =
      state().target->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, devices ? entries : 0, devices, &there);
  if (status == CL_SUCCESS && count)
    *count = std::min<cl_uint>(there, 1);
  return status;
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

cl_int device_limits(cl_device_info name, size_t size, void* value, size_t* size_out, bool& known) {
  switch (name) {
  case CL_DEVICE_MAX_COMPUTE_UNITS:
    return give(number_of<cl_uint>("compute_units"), size, value, size_out);
  case CL_DEVICE_MAX_CLOCK_FREQUENCY:
    return give(number_of<cl_uint>("clock_mhz"), size, value, size_out);
  case CL_DEVICE_MAX_WORK_GROUP_SIZE:
    return give(number_of<size_t>("max_group_size"), size, value, size_out);
  case CL_DEVICE_MAX_WORK_ITEM_SIZES: {
    const auto most = number_of<size_t>("max_group_size");
    const std::array<size_t, 3> sizes = {most, most, is_nvidia() ? size_t{64} : most};
    return give(sizes, size, value, size_out);
  }
  case CL_DEVICE_LOCAL_MEM_SIZE:
    return give(number_of<cl_ulong>("local_bytes"), size, value, size_out);
  case CL_DEVICE_LOCAL_MEM_TYPE:
    return give(cl_device_local_mem_type{CL_LOCAL}, size, value, size_out);
  case CL_DEVICE_GLOBAL_MEM_SIZE:
    return give(number_of<cl_ulong>("memory_bytes"), size, value, size_out);
  case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
    return give(number_of<cl_ulong>("memory_bytes") / 4, size, value, size_out);
  case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
    return give(number_of<cl_ulong>("l2_bytes"), size, value, size_out);
  case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE:
    return give(number_of<cl_uint>("line_bytes"), size, value, size_out);
  case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
    return give(cl_ulong{65536}, size, value, size_out);
  case CL_DEVICE_HOST_UNIFIED_MEMORY:
    return give(cl_bool{CL_FALSE}, size, value, size_out);
  case CL_DEVICE_PROFILING_TIMER_RESOLUTION:
    return give(size_t{1}, size, value, size_out);
  case CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
    return give(number_of<size_t>("warp_width"), size, value, size_out);
  default:
    known = false;
    return CL_SUCCESS;
  }
}

cl_int vendor_queries(cl_device_info name, size_t size, void* value, size_t* size_out, bool& known) {
  const auto capability = number_of<double>("compute_capability");
  const auto major = static_cast<cl_uint>(capability);
  switch (is_nvidia() ? name : 0) {
  case FOREWARP_CL_COMPUTE_CAPABILITY_MAJOR_NV:
    return give(major, size, value, size_out);
  case FOREWARP_CL_COMPUTE_CAPABILITY_MINOR_NV:
    return give(static_cast<cl_uint>((capability - major) * 10 + 0.5), size, value, size_out);
  case FOREWARP_CL_REGISTERS_PER_BLOCK_NV:
    return give(number_of<cl_uint>("registers_per_sm"), size, value, size_out);
  case FOREWARP_CL_WARP_SIZE_NV:
    return give(number_of<cl_uint>("warp_width"), size, value, size_out);
  default:
    break;
  }
  if (!is_nvidia() && name == FOREWARP_CL_WAVEFRONT_WIDTH_AMD)
    return give(number_of<cl_uint>("warp_width"), size, value, size_out);
  known = false;
  return CL_SUCCESS;
}

cl_int CL_API_CALL device_info(cl_device_id device, cl_device_info name, size_t size, void* value,
                               size_t* size_out) {
  switch (name) {
  case CL_DEVICE_NAME:
    return give(text_of("name"), size, value, size_out);
  case CL_DEVICE_VENDOR:
    return give(text_of("vendor"), size, value, size_out);
  case CL_DEVICE_VENDOR_ID:
    return give(cl_uint{is_nvidia() ? 0x10deU : 0x1002U}, size, value, size_out);
  case CL_DEVICE_TYPE:
    return give(cl_device_type{CL_DEVICE_TYPE_GPU}, size, value, size_out);
  case CL_DRIVER_VERSION:
    return give(std::string("forewarp"), size, value, size_out);
  default:
    break;
  }
  bool known = true;
  cl_int status = device_limits(name, size, value, size_out, known);
  if (known)
    return status;
  known = true;
  status = vendor_queries(name, size, value, size_out, known);
  return known ? status : state().target->clGetDeviceInfo(device, name, size, value, size_out);
}

} // namespace

void override_devices(cl_icd_dispatch& table) {
  table.clGetPlatformInfo = platform_info;
  table.clGetDeviceIDs = device_ids;
  table.clCreateContextFromType = context_from_type;
  table.clGetDeviceInfo = device_info;
}

} // namespace forewarp::program
