// The run's commands on each GPU's own clock. The program saw the first GPU; for another one, what the host
// did between its calls takes as long, and what it waited for ends when that GPU ends it. Where the program
// saw all GPUs, each has the commands that went to it; the span is the whole run's.
#pragma once

#include "program/run_log.h"

namespace forewarp::program {

struct PlacedCommand {
  const LoggedCommand* command = nullptr;
  CommandTimes times;
};

struct Timeline {
  std::vector<PlacedCommand> commands;     ///< in the order of the host's calls
  std::int64_t began_at = 0, ended_at = 0; ///< first call to the last end
  double kernels_ns = 0, copies_ns = 0;    ///< sums; they may overlap
  double busy_ns = 0;                      ///< at least one command on the GPU
  double span_ns() const { return static_cast<double>(ended_at - began_at); }
  double idle_ns() const { return span_ns() - busy_ns; }
};

Timeline timeline_of(const RunLog& log, const ProcessLog& process, std::size_t gpu);

} // namespace forewarp::program
