// The part of OpenCL 1.2's binary interface that is used, by its documented names and numbers (The OpenCL
// Specification 1.2). No vendor header is needed.
#pragma once

#include "measure/device/library.h"

#include <cstddef>
#include <cstdint>

namespace forewarp::measure::opencl {

using Status = std::int32_t;
using Platform = struct OpaquePlatform*;
using DeviceId = struct OpaqueDeviceId*;
using Context = struct OpaqueClContext*;
using Queue = struct OpaqueQueue*;
using Program = struct OpaqueProgram*;
using Kernel = struct OpaqueKernel*;
using Memory = struct OpaqueMemory*;
using Event = struct OpaqueClEvent*;

enum : Status {
  success = 0,
  device_not_found = -1,
  allocation_failure = -4,
  out_of_resources = -5,
  out_of_host_memory = -6,
  build_failure = -11,
  invalid_work_group_size = -54,
};

enum : std::uint32_t {
  platform_name = 0x0902,
  device_max_compute_units = 0x1002,
  device_max_group_size = 0x1004,
  device_max_clock_mhz = 0x100C,
  device_cache_bytes = 0x101E,
  device_memory_bytes = 0x101F,
  device_local_bytes = 0x1023,
  device_name = 0x102B,
  device_vendor = 0x102C,
  driver_version = 0x102D,
  device_version = 0x102F,
  build_log = 0x1183,
  kernel_group_size = 0x11B0,
  kernel_local_bytes = 0x11B2,
  profiling_start = 0x1282,
  profiling_end = 0x1283,
};

inline constexpr std::uint64_t all_devices = 0xFFFFFFFF, gpu_devices = 1 << 2;
inline constexpr std::uint64_t queue_profiling = 1 << 1;
inline constexpr std::uint64_t memory_read_write = 1;

struct Api {
  Status (*platforms)(std::uint32_t, Platform*, std::uint32_t*);
  Status (*platform_info)(Platform, std::uint32_t, std::size_t, void*, std::size_t*);
  Status (*devices)(Platform, std::uint64_t, std::uint32_t, DeviceId*, std::uint32_t*);
  Status (*device_info)(DeviceId, std::uint32_t, std::size_t, void*, std::size_t*);
  Context (*create_context)(const std::intptr_t*, std::uint32_t, const DeviceId*,
                            void (*)(const char*, const void*, std::size_t, void*), void*, Status*);
  Queue (*create_queue)(Context, DeviceId, std::uint64_t, Status*);
  Program (*create_program)(Context, std::uint32_t, const char**, const std::size_t*, Status*);
  Status (*build_program)(Program, std::uint32_t, const DeviceId*, const char*, void (*)(Program, void*),
                          void*);
  Status (*build_info)(Program, DeviceId, std::uint32_t, std::size_t, void*, std::size_t*);
  Status (*release_program)(Program);
  Kernel (*create_kernel)(Program, const char*, Status*);
  Status (*kernel_group_info)(Kernel, DeviceId, std::uint32_t, std::size_t, void*, std::size_t*);
  Status (*release_kernel)(Kernel);
  Status (*set_argument)(Kernel, std::uint32_t, std::size_t, const void*);
  Memory (*create_buffer)(Context, std::uint64_t, std::size_t, void*, Status*);
  Status (*release_memory)(Memory);
  Status (*write_buffer)(Queue, Memory, std::uint32_t, std::size_t, std::size_t, const void*, std::uint32_t,
                         const Event*, Event*);
  Status (*read_buffer)(Queue, Memory, std::uint32_t, std::size_t, std::size_t, void*, std::uint32_t,
                        const Event*, Event*);
  Status (*copy_buffer)(Queue, Memory, Memory, std::size_t, std::size_t, std::size_t, std::uint32_t,
                        const Event*, Event*);
  Status (*fill_buffer)(Queue, Memory, const void*, std::size_t, std::size_t, std::size_t, std::uint32_t,
                        const Event*, Event*);
  Status (*launch)(Queue, Kernel, std::uint32_t, const std::size_t*, const std::size_t*, const std::size_t*,
                   std::uint32_t, const Event*, Event*);
  Status (*finish)(Queue);
  Status (*event_profile)(Event, std::uint32_t, std::size_t, void*, std::size_t*);
  Status (*release_event)(Event);
};

/// Errors: unsupported, naming the function that the loader lacks.
Result<Api> load_api(const Library& library);

} // namespace forewarp::measure::opencl
