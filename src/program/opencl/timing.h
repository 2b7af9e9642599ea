// From a command that the program gave to its times on the GPU asked for.
#pragma once

#include "program/opencl/state.h"

namespace forewarp::program {

/// What is told of a command to the process beside; `detail` has its own keys (kernel's prediction, bytes).
struct Given {
  CommandKind kind = CommandKind::marker;
  const char* name = "";
  std::int64_t called_at = 0, delay = 0, duration = 0;
  bool barrier = false;
  nlohmann::json detail = nlohmann::json::object();
  std::vector<std::uint64_t> after = {}; ///< commands that it waits for beside its events
};

struct Kept {
  std::uint64_t command = 0;
  CommandTimes times;
};

/// Puts the command on the device's clock, tells of it, and keeps its times for `event` (may be null).
Kept keep(cl_command_queue queue, const Given& given, cl_uint waits, const cl_event* wait_list,
          const cl_event* event);
/// Tells that this thread of the program waited for commands and went on at `left_at`; returns that time.
std::int64_t wait_for(const std::vector<std::uint64_t>& commands, std::int64_t entered_at);
std::int64_t wait_for_queue(cl_command_queue queue, std::int64_t entered_at);

} // namespace forewarp::program
