// What a program did, as the library inside it told. All times are nanoseconds of the clock that the program
// saw, which is the first GPU's.
#pragma once

#include "facts/prediction.h"
#include "program/devices.h"
#include "program/wire/device_clock.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace forewarp::program {

/// A launch on one GPU: its prediction, or why there is none.
struct LaunchOnGpu {
  std::optional<facts::Prediction> prediction;
  bool impossible = false; ///< the GPU's driver would refuse it
  std::string why;         ///< of what has no prediction, or none that is valid
  bool wants_data = false; ///< the buffers' contents may give it one
  double time_ns() const { return prediction && prediction->valid ? prediction->time_ms * 1e6 : 0; }
};

/// Launches that are alike: same kernel, sizes, arguments (and contents, where they matter).
struct LaunchKind {
  std::uint64_t number = 0; ///< from 1
  std::string kernel;
  facts::Launch launch; ///< contents of buffers left out
  bool with_contents = false;
  std::vector<std::string> notes = {}; ///< of what was asked that is not modelled
  std::vector<LaunchOnGpu> on = {};    ///< in the order of the devices
  unsigned device = 0; ///< where it was launched; the only one that is asked with RunLog::as_devices
};

struct LoggedCommand {
  Command command;
  std::string name;         ///< "kernel", "read", "write", ...
  std::uint64_t launch = 0; ///< LaunchKind::number of a kernel; 0: nothing is known of it
  double bytes = 0;         ///< that a copy moves
  long thread = 0;
};

/// The host waited for commands, or for all of a queue.
struct LoggedWait {
  std::vector<std::uint64_t> commands;
  std::uint64_t queue = 0;
  std::int64_t entered_at = 0, left_at = 0;
  long thread = 0;
};

/// One process of the program that used OpenCL.
struct ProcessLog {
  int pid = 0;
  std::int64_t began_at = 0;
  std::vector<LoggedCommand> commands;
  std::vector<std::pair<std::size_t, LoggedWait>> waits; ///< before the command of that place
  std::uint64_t executed = 0;                            ///< launches that this machine ran
  std::map<std::string, int> not_executed;               ///< kernel -> OpenCL's status
  std::map<std::string, std::string> not_compiled; ///< CUDA's kernels that this machine cannot run -> why
  std::vector<std::string> faults;                 ///< what kernels did wrong, in words
  std::set<std::string> properties;                ///< calls that asked for the GPU's properties
};

struct RunLog {
  std::vector<Device> devices; ///< the program saw the first
  bool as_devices = false;     ///< it saw all: each command went to one of them, and counts there alone
  std::vector<LaunchKind> launches;
  std::vector<ProcessLog> processes;
  std::vector<std::string> program; ///< with its words
  bool built = false;               ///< of CUDA or HIP sources, by us
  std::optional<int> exit_code;     ///< empty: ended by `signal`
  int signal = 0;

  const LaunchKind* kind(std::uint64_t number) const {
    return number >= 1 && number <= launches.size() ? &launches[number - 1] : nullptr;
  }
};

} // namespace forewarp::program
