// The helper's side of a run: what the program's recording code calls, and the allocation functions that it
// gets. One run a process, so the state is the process's.
#pragma once

#include "port/features/plan.h"
#include "port/helper/recorder.h"

#include <string>
#include <utility>
#include <vector>

namespace forewarp::port {

/// Seen by both processes.
struct SharedStatus {
  volatile int region = -1; ///< running now
  volatile int finished = 0;
};

struct RuntimeRequest {
  RunKind kind = RunKind::survey;
  std::vector<RegionPlan> regions;
  std::vector<FeaturePlan> features; ///< of a features run, by region
  std::vector<GlobalPlan> globals, stack;
  std::uint64_t slack_words = 0; ///< words that may follow the limit
  Budget budget;
  std::string input; ///< file that is the program's standard input; "": nothing
  SharedStatus* status = nullptr;
  int result_file = -1; ///< the result is written here
};

/// Name and address of each function that the program must find here.
std::vector<std::pair<std::string, void*>> runtime_symbols();

/// Before the program runs. `cursor` and `limit` are the program's variables (null without recording),
/// `globals` the addresses of its variables.
void start_runtime(RuntimeRequest request, std::uint64_t** cursor, std::uint64_t** limit,
                   void* const* globals);

/// Main starts.
void start_clock();

/// Writes the result and ends the process.
[[noreturn]] void finish_runtime(RunResult::End end, int code, const std::string& message = "");

} // namespace forewarp::port
