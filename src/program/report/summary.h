// The run as a person asks for it: kernels as profilers list them, copies, and where the time went.
#pragma once

#include "program/timeline.h"

namespace forewarp::program {

/// Calls of one kernel on one GPU.
struct KernelRow {
  std::string kernel;
  std::uint64_t calls = 0;
  std::uint64_t unknown_calls = 0; ///< without a time
  double total_ns = 0, least_ns = 0, most_ns = 0;
  facts::Limiter limiter = facts::Limiter::issue; ///< of the kind of launch that took longest in all
  bool has_limiter = false;
  std::string why; ///< of the first that has no time
  bool impossible = false;
  bool of_library = false; ///< a library's call with its shape, not a kernel
};

struct CopyRow {
  std::string name; ///< "read", "write", "copy", ...
  std::uint64_t calls = 0;
  double bytes = 0, total_ns = 0;
};

struct GpuSummary {
  std::string gpu;
  std::vector<KernelRow> kernels; ///< by total time, longest first
  std::vector<CopyRow> copies;
  double span_ns = 0, kernels_ns = 0, copies_ns = 0, idle_ns = 0, launch_overhead_ns = 0;
};

/// Of all processes together.
GpuSummary summarise(const RunLog& log, std::size_t gpu);

std::string text_report(const RunLog& log);
std::string json_report(const RunLog& log);
/// For ui.perfetto.dev: a process a GPU, a row a queue, each kernel with its causes.
std::string trace_report(const RunLog& log);

} // namespace forewarp::program
