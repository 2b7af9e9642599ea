#include "program/opencl/several/devices.h"

#include <algorithm>

namespace forewarp::program {
namespace {

template <class T> T info_of(cl_device_id device, cl_device_info name) {
  T value = {};
  const cl_int status = state().target->clGetDeviceInfo(device, name, sizeof(value), &value, nullptr);
  return status == CL_SUCCESS ? value : T{};
}

/// -1: not seen yet.
int place_of(cl_device_id handle) {
  State& s = state();
  const std::lock_guard lock(s.lock);
  const auto found = std::find(s.handles.begin(), s.handles.end(), handle);
  return found == s.handles.end() ? -1 : static_cast<int>(found - s.handles.begin());
}

} // namespace

std::vector<cl_device_id> shown_devices(cl_platform_id platform) {
  State& s = state();
  cl_uint there = 0;
  if (s.target->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &there) != CL_SUCCESS)
    return {};
  std::vector<cl_device_id> devices(there);
  if (s.target->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, there, devices.data(), nullptr) != CL_SUCCESS)
    return {};
  devices.resize(std::min(devices.size(), s.devices.size()));
  const std::lock_guard lock(s.lock);
  s.handles = devices;
  return devices;
}

unsigned device_number(cl_device_id handle) {
  if (!handle || state().devices.size() == 1)
    return 0;
  int place = place_of(handle);
  if (place < 0) {
    shown_devices(info_of<cl_platform_id>(handle, CL_DEVICE_PLATFORM));
    place = place_of(handle);
  }
  if (place >= 0)
    return static_cast<unsigned>(place);
  const auto whole = info_of<cl_device_id>(handle, CL_DEVICE_PARENT_DEVICE);
  return whole && whole != handle ? device_number(whole) : 0;
}

const DeviceFacts& device_of(cl_device_id handle) {
  return state().devices[device_number(handle)];
}

const DeviceFacts& device_of(cl_command_queue queue) {
  State& s = state();
  const std::lock_guard lock(s.lock);
  return s.devices[s.queue(queue).device];
}

} // namespace forewarp::program
