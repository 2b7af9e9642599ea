// The part of the CUDA driver's binary interface that is used, by its documented names, types and numbers
// (CUDA Driver API reference manual). No vendor header is needed, and none is at hand where this is built.
#pragma once

#include "measure/device/library.h"

#include <cstddef>

namespace forewarp::measure::cuda {

using Status = int;
using DeviceIndex = int;
using Pointer = unsigned long long;
using Context = struct OpaqueContext*;
using Module = struct OpaqueModule*;
using Function = struct OpaqueFunction*;
using Stream = struct OpaqueStream*;
using Event = struct OpaqueEvent*;

enum : Status {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  no_device = 100,
  no_binary_for_gpu = 209,
  invalid_ptx = 218,
  unsupported_ptx_version = 222,
  launch_out_of_resources = 701,
};

// Device attributes.
enum : int {
  max_threads_per_block = 1,
  shared_per_block = 8,
  total_constant_memory = 9,
  warp_size = 10,
  clock_rate_khz = 13,
  multiprocessor_count = 16,
  ecc_enabled = 32,
  memory_clock_rate_khz = 36,
  memory_bus_bits = 37,
  l2_cache_bytes = 38,
  max_threads_per_multiprocessor = 39,
  capability_major = 75,
  capability_minor = 76,
  shared_per_multiprocessor = 81,
  registers_per_multiprocessor = 82,
  shared_per_block_optin = 97,
  max_blocks_per_multiprocessor = 106,
  reserved_shared_per_block = 111,
};

// Function attributes.
enum : int {
  function_max_threads = 0,
  function_shared_bytes = 1,
  function_local_bytes = 3,
  function_registers = 4,
  function_max_dynamic_shared = 8,
};

// Options of the PTX compiler.
enum : int { jit_error_log = 5, jit_error_log_bytes = 6 };

struct Api {
  Status (*init)(unsigned);
  Status (*driver_version)(int*);
  Status (*device_count)(int*);
  Status (*device_get)(DeviceIndex*, int);
  Status (*device_name)(char*, int, DeviceIndex);
  Status (*device_memory)(std::size_t*, DeviceIndex);
  Status (*device_attribute)(int*, int, DeviceIndex);
  Status (*device_bus_id)(char*, int, DeviceIndex);
  Status (*primary_retain)(Context*, DeviceIndex);
  Status (*context_set)(Context);
  Status (*context_synchronize)();
  Status (*module_load)(Module*, const void*, unsigned, int*, void**);
  Status (*module_unload)(Module);
  Status (*module_function)(Function*, Module, const char*);
  Status (*function_get)(int*, int, Function);
  Status (*function_set)(Function, int, int);
  Status (*allocate)(Pointer*, std::size_t);
  Status (*free)(Pointer);
  Status (*to_device)(Pointer, const void*, std::size_t);
  Status (*to_host)(void*, Pointer, std::size_t);
  Status (*on_device)(Pointer, Pointer, std::size_t);
  Status (*fill8)(Pointer, unsigned char, std::size_t);
  Status (*launch)(Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Stream,
                   void**, void**);
  Status (*event_create)(Event*, unsigned);
  Status (*event_record)(Event, Stream);
  Status (*event_wait)(Event);
  Status (*event_elapsed)(float*, Event, Event);
  Status (*occupancy)(int*, Function, int, std::size_t);
  Status (*allocate_host)(void**, std::size_t);
  Status (*free_host)(void*);
  Status (*error_name)(Status, const char**);
  Status (*error_text)(Status, const char**);
};

/// Errors: unsupported, naming the function that the driver lacks.
Result<Api> load_api(const Library& library);

} // namespace forewarp::measure::cuda
