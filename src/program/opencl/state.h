// What the library knows of the program's OpenCL objects. Everything behind one lock; nothing in here calls
// the implementation.
#pragma once

#include "program/inside/talk.h"
#include "program/wire/device_clock.h"

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl_icd.h>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace forewarp::program {

/// Which launches are executed on this machine: those whose results are read, all, or none.
enum class Execute { needed, all, none };

struct ProgramFacts {
  std::string source, options;
  std::string key; ///< as the other process knows it; "": not told yet
  bool has_source = true;
  bool own_engine = false;       ///< its kernels are executed by the process beside (own_engine.h)
  cl_program stand_in = nullptr; ///< then: what its kernels are made of; null: the program itself
};

struct KernelArgument {
  std::vector<std::uint8_t> bytes;
  std::size_t local_bytes = 0; ///< of a `__local` pointer; 0: not one
  bool is_svm = false;
  bool is_set = false;
};

struct KernelFacts {
  cl_program program = nullptr;
  std::shared_ptr<ProgramFacts> source;
  std::string name;
  std::vector<KernelArgument> arguments;
};

struct ImageFacts {
  std::size_t width = 1, height = 1, depth = 1; ///< depth: slices or layers
  std::string format;                           ///< as launch files write it: "rgba8", "r32f"
  bool in_rows = false;                         ///< texels lie one row behind the other
};

struct MemoryFacts {
  std::size_t bytes = 0;
  cl_mem parent = nullptr;   ///< of a sub-buffer
  unsigned references = 1;   ///< the program's own
  bool read_only = false;    ///< by kernels
  std::size_t origin = 0;    ///< of a sub-buffer: where it begins
  std::uint64_t holders = 0; ///< a bit for each device that has what was written last
  std::optional<ImageFacts> image = {};
  void* host = nullptr; ///< the program's own memory, which the buffer shows through
};

struct QueueFacts {
  std::uint64_t id = 0;
  unsigned device = 0; ///< place in State::devices
  bool in_order = true, profiled = false;
};

struct EventFacts {
  std::uint64_t command = 0; ///< 0: a user event
  CommandTimes times;
  bool profiled = false;
};

/// A GPU as the program sees it.
struct DeviceFacts {
  nlohmann::json words; ///< what it says of itself
  std::int64_t launch_delay_ns = 0, launch_call_ns = 0, copy_delay_ns = 0;
  double to_device_gbps = 0, from_device_gbps = 0, on_device_gbps = 0;
};

struct State {
  std::mutex lock;
  const cl_icd_dispatch* target = nullptr;
  std::vector<DeviceFacts> devices;  ///< those that the program sees, at least one; never changed
  std::vector<cl_device_id> handles; ///< the implementation's, which stand for them
  Execute execute = Execute::needed;
  bool own_engine = false; ///< for all programs
  unsigned look_again =
      0; ///< launches of one kind between two looks at the data; 0: at the 2nd, 4th, 8th, ...

  DeviceClock clock;
  std::uint64_t commands = 0, queues = 0, programs = 0;
  std::unordered_map<cl_program, std::shared_ptr<ProgramFacts>> program_of;
  std::map<std::string, std::shared_ptr<ProgramFacts>> program_of_binary; ///< by the binary's bytes
  std::unordered_map<cl_kernel, KernelFacts> kernels;
  std::unordered_map<cl_mem, MemoryFacts> memory;
  std::unordered_map<cl_sampler, std::string> samplers; ///< in the words of launch files
  std::map<void*, std::size_t> svm;
  std::unordered_map<cl_command_queue, QueueFacts> queue_of;
  std::unordered_map<cl_event, EventFacts> events;

  QueueFacts& queue(cl_command_queue queue);
};

/// One for the process; never destroyed: the implementation's threads may outlive `main`.
State& state();

} // namespace forewarp::program
