// What the harness needs of a device, whatever its driver. One thread's use only.
#pragma once

#include "facts/launch.h"
#include "support/result.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace forewarp::measure {

struct DeviceInfo {
  std::string backend; ///< "cuda" or "opencl"
  std::string name, vendor, driver;
  std::string target; ///< "sm_90"; "" for OpenCL
  unsigned sm_count = 1;
  std::uint64_t memory_bytes = 0;
  std::uint64_t l2_bytes = 0;               ///< 0: unknown
  std::uint64_t shared_per_group_bytes = 0; ///< most that a group can have, with opt-in
  std::map<std::string, double> attributes; ///< further numbers under names of their own
};

using BufferHandle = std::uint64_t;

struct LocalSize {
  std::uint64_t bytes = 0;
};
using KernelArgument = std::variant<std::vector<std::uint8_t>, LocalSize, BufferHandle>;

/// What the driver says of a loaded kernel; -1: unknown.
struct KernelResources {
  int registers = -1, static_shared_bytes = -1, local_bytes = -1, max_group_threads = -1;
};

/// A loaded kernel; the handle belongs to the device that made it.
struct LoadedKernel {
  void* handle = nullptr;
  KernelResources resources;
};

struct DeviceLaunch {
  facts::Dim3 groups, group_size;
  std::uint64_t dynamic_shared_bytes = 0; ///< of the kernel itself, beside `local` arguments
  std::uint64_t unused_shared_bytes = 0;  ///< asked for only to keep other groups away
  std::vector<KernelArgument> arguments;
};

/// Clocks as the system's management library gives them; 0: unknown.
struct ClockReading {
  double sm_mhz = 0, memory_mhz = 0, temperature_c = 0, power_w = 0;
};

/// Errors of all calls: unsupported (the driver refuses; its words), launch (this launch cannot run here),
/// budget (out of memory), kernel_fault (the kernel ended with an error; the device is unusable afterwards).
class Device {
public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;
  virtual ClockReading clocks() = 0;

  /// `code` is PTX or OpenCL C. `options` are the OpenCL compiler's.
  virtual Result<LoadedKernel> load(const std::string& code, const std::string& symbol,
                                    const std::string& options) = 0;
  virtual void unload(LoadedKernel& kernel) = 0;

  virtual Result<BufferHandle> allocate(std::uint64_t bytes) = 0;
  virtual void free(BufferHandle buffer) = 0;
  virtual Result<void> write(BufferHandle to, const void* from, std::uint64_t bytes) = 0;
  virtual Result<void> read(void* to, BufferHandle from, std::uint64_t bytes) = 0;
  /// On the device; does not wait.
  virtual Result<void> copy(BufferHandle to, BufferHandle from, std::uint64_t bytes) = 0;
  /// Overwrites a buffer with one byte; used to push a cache's contents out. Does not wait.
  virtual Result<void> fill(BufferHandle buffer, std::uint8_t value, std::uint64_t bytes) = 0;

  /// Sets the arguments that the next launches of this kernel use.
  virtual Result<void> prepare(LoadedKernel& kernel, const DeviceLaunch& launch) = 0;
  /// `count` launches back to back, waited for; device time of all in microseconds, as the driver's events
  /// see it.
  virtual Result<double> run(LoadedKernel& kernel, const DeviceLaunch& launch, unsigned count) = 0;

  /// Groups resident on an SM at one time; 0: the driver cannot tell.
  virtual unsigned concurrent_groups(const LoadedKernel& kernel, const DeviceLaunch& launch) = 0;

  /// Host memory that the device can reach by itself; empty where the driver has none.
  virtual void* allocate_pinned(std::uint64_t bytes) = 0;
  virtual void free_pinned(void* memory) = 0;
};

/// Opens device `index` of a backend. Errors: not_found (no driver library, or no device; one line says
/// which), unsupported (the driver lacks a function, by name).
Result<std::unique_ptr<Device>> open_device(const std::string& backend, unsigned index);

// One function a backend; open_device chooses.
Result<std::unique_ptr<Device>> open_cuda(unsigned index);
Result<std::unique_ptr<Device>> open_opencl(unsigned index);

} // namespace forewarp::measure
