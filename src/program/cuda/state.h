// What the library knows of the program's CUDA objects. One lock; every entry of the API holds it.
#pragma once

#include "native/abi/abi.h"
#include "program/cuda/api.h"
#include "program/inside/clock/virtual_clock.h"
#include "program/inside/talk.h"
#include "program/wire/device_clock.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace forewarp::program {

enum class MemoryKind : std::uint8_t { device, managed, pinned, registered, variable };

struct Allocation {
  std::uint64_t begin = 0, bytes = 0;
  MemoryKind kind = MemoryKind::device;
  std::uint64_t number = 0;  ///< of the program's allocations, from 1
  std::uint64_t version = 0; ///< grows when something writes it
  std::string name = {};     ///< of a variable
};

struct KernelEntry {
  const native::KernelFacts* facts = nullptr;
  std::string module;
  std::uint64_t shared_limit = 0; ///< that the program asked for (cudaFuncSetAttribute)
};

struct Stream {
  std::uint64_t id = 0;
  bool blocking = true; ///< waits for the default stream, and it for this one
  std::uint64_t last = 0;
  struct Graph* capture = nullptr;
};

struct Event {
  std::uint64_t command = 0;
  std::int64_t time = 0;
  bool recorded = false;
};

struct Graph {
  std::vector<std::function<void(Stream&)>> steps;
};

struct State {
  std::recursive_mutex lock;
  nlohmann::json device;
  std::string execute = "needed";
  std::int64_t launch_delay_ns = 0, launch_call_ns = 0, copy_delay_ns = 0;
  double to_device_gbps = 0, from_device_gbps = 0, on_device_gbps = 0;
  unsigned look_again = 0;
  int device_number = 0;

  DeviceClock clock;
  std::uint64_t commands = 0, streams = 0, allocations = 0, versions = 0;
  Stream default_stream;
  std::map<std::uint64_t, std::unique_ptr<Stream>> made_streams;
  std::map<std::uint64_t, Allocation> memory; ///< by begin
  std::uint64_t device_bytes = 0;
  std::vector<const native::ModuleFacts*> modules;
  std::unordered_map<const void*, KernelEntry> kernels;  ///< by host stub
  std::unordered_map<const void*, Allocation> variables; ///< by host shadow
  cudaError_t last_error = cudaSuccess, sticky = cudaSuccess;
  std::map<std::string, std::uint64_t> outside; ///< calls that were taken to do nothing
};

/// One for the process; never destroyed. Greets the process beside it on first use.
State& state();

/// An entry of the API: holds the lock, stands the program's clock still.
class Call {
public:
  Call() : lock_(state().lock) {}
  std::int64_t entered_at() const { return still_.entered_at(); }
  void leave_at(std::int64_t time) { still_.leave_at(time); }

private:
  StillCall still_;
  std::lock_guard<std::recursive_mutex> lock_;
};

/// Notes an error for cudaGetLastError and hands it on; a fault of a kernel stays.
cudaError_t give(cudaError_t error);

Stream& stream_of(cudaStream_t handle);
/// The allocation that holds `address`; null: none.
Allocation* allocation_at(const void* address);
Allocation& add_allocation(void* at, std::size_t bytes, MemoryKind kind);
/// Something other than a kernel writes there.
void wrote(const void* address);

/// A command for the clock of the device.
struct Given {
  CommandKind kind = CommandKind::marker;
  const char* name = "";
  std::int64_t called_at = 0, delay = 0, duration = 0;
  std::vector<std::uint64_t> after = {};
  nlohmann::json detail = nlohmann::json::object();
};
struct Kept {
  std::uint64_t command = 0;
  CommandTimes times;
};
Kept keep(Stream& stream, Given given);
/// The host waits for commands; when it goes on.
std::int64_t wait_for(const std::vector<std::uint64_t>& commands, std::int64_t entered_at);
/// The last command of each stream.
std::vector<std::uint64_t> last_of_all();

} // namespace forewarp::program
