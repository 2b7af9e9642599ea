// The answer. Everything that a report prints about one kernel on one GPU.
#pragma once

#include "facts/launch.h"
#include "facts/machine_program.h"
#include "facts/memory_profile.h"
#include "facts/occupancy.h"
#include "facts/op_class.h"
#include "facts/trace.h"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace forewarp::facts {

/// What bounds the time. Fixed vocabulary, docs/reference/vocabulary.md.
enum class Limiter : std::uint8_t {
  dram_bandwidth,
  l2_bandwidth,
  l1_bandwidth,
  shared_memory,
  constant_cache,
  issue,
  fp32,
  fp64,
  fp16,
  integer,
  sfu,
  tensor,
  atomics,
  memory_latency,
  arithmetic_latency,
  barrier,
  imbalance,
  launch_overhead,
};
std::string_view to_string(Limiter limiter);

struct CauseShare {
  Limiter cause = Limiter::issue;
  double share = 0; ///< of the time; shares of one prediction add up to 1
};

/// Instructions of one unit: whole kernel per warp (mean), shortest and longest warp, and the bound it sets
/// alone.
struct UnitMix {
  std::string unit;
  double instructions_per_warp = 0, shortest_warp = 0, longest_warp = 0;
  double bound_ms = 0; ///< time if only this unit took time
};

struct LineCost {
  SourceLocation location;
  double share = 0; ///< of the warps' time attributed to this line
};

struct Prediction {
  std::string kernel, source, gpu, gpu_requested, value_set;
  std::string model = "hybrid";
  LaunchShape shape;
  double time_ms = 0;                         ///< kernel alone, launch overhead apart
  std::array<double, 2> interval_ms = {0, 0}; ///< nominal coverage 90 %
  double cycles = 0;                          ///< SM clock cycles of time_ms
  double sm_clock_mhz = 0;
  double launch_overhead_ms = 0;
  Limiter limiter = Limiter::issue;
  std::vector<CauseShare> causes; ///< largest first
  bool valid = true;
  Occupancy occupancy;
  double achieved_occupancy = 0; ///< mean resident warps / max, over the kernel's time
  ResourceUse resources;
  double instructions_per_warp = 0; ///< machine instructions, mean over warps
  double ir_instructions_per_warp = 0;
  std::array<double, op_class_count> op_counts_per_warp = {};
  std::vector<UnitMix> units;
  std::vector<MemorySite> sites;
  std::vector<SiteProfile> memory;
  unsigned sm_count = 0;
  double dram_bytes = 0, l2_bytes = 0;
  double dram_read_bytes = 0, dram_written_bytes = 0, l2_read_bytes = 0, l2_written_bytes = 0;
  double compulsory_bytes =
      0; ///< least possible DRAM traffic: distinct bytes read + written, less what L2 still holds at the end
  double dram_gbps = 0, dram_peak_gbps = 0, dram_achievable_gbps = 0;
  double gflops = 0, peak_gflops = 0;
  /// of matrix products by tensor cores (AMD: matrix cores), whatever the type; the peak is the dense one of
  /// the types that the kernel multiplies. 0: it has none
  double tensor_gflops = 0, peak_tensor_gflops = 0;
  double waves = 0;
  std::vector<LineCost> lines; ///< costliest first
  SourceFiles files;
  std::vector<Note> notes; ///< assumptions and what is not modelled
  std::vector<std::string> assumed_gpu_values;
};

} // namespace forewarp::facts
