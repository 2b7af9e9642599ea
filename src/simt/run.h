// Runs a kernel's IR warp by warp on lanes that are known or unknown (design law 3), and writes the trace.
#pragma once

#include "facts/launch.h"
#include "facts/slow_division.h"
#include "facts/trace.h"
#include "ir/kernel_module.h"
#include "support/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace forewarp::simt {

/// What to do where a branch or trip count rests on unknown values: the papers' conservative default is to
/// run both sides of a branch and a loop `default_trip_count` times.
struct UnknownPolicy {
  std::map<std::uint32_t, std::uint64_t> trip_counts; ///< line -> iterations (`--trip-count LINE=N`)
  std::map<std::uint32_t, double>
      branch_probabilities; ///< line -> share of lanes taking it (`--branch LINE=P`)
  std::uint64_t default_trip_count = 16;
  bool operator==(const UnknownPolicy&) const = default;
};

/// Whole samples that the trace budget always has room for.
inline constexpr std::uint64_t fitting_groups = 3;

struct RunOptions {
  bool whole_grid = false;        ///< run every group: output buffers are the kernel's result
  unsigned sample_groups = 0;     ///< 0: chosen from the grid; borders, first wave and random ones
  unsigned first_wave_groups = 0; ///< groups resident at one time on the GPU, when known
  /// Linear index of the group that counts say runs longest, where groups differ: always in the sample.
  std::optional<std::uint64_t> longest_group = std::nullopt;
  /// What buffers hold may decide how long a group is, and no count tells which is the longest: others than
  /// the sample's are looked at.
  bool lengths_rest_on_data = false;
  std::uint64_t seed = 1;
  UnknownPolicy unknown;
  /// Iterations that provably repeat the ones before with moved addresses are written to the trace without
  /// being run (replay_analysis.h); the trace is the same. Never with whole_grid.
  bool replay_loops = true;
  /// Values that no address, branch or division rests on are not computed (asked_values.h); the trace is the
  /// same. Never with whole_grid, which gives the buffers.
  bool asked_values_only = true;
  std::uint64_t max_instructions = 400'000'000; ///< warp-level, branches counted; budget error beyond
  double max_seconds = 60;                      ///< of processor time
  std::uint64_t max_trace_bytes = 50'000'000;   ///< beyond: fewer groups, then a part of each warp
  /// Work-items whose access lies in no buffer read zero or write nothing, and are noted; else it is an
  /// error.
  bool outside_reads_zero = false;
  bool operator==(const RunOptions&) const = default;
};

/// A buffer after the run.
struct BufferResult {
  std::string name;
  std::vector<std::uint8_t> bytes;
  std::uint64_t unknown_bytes = 0; ///< of instructions that no value is computed for; 0 in `bytes`
};

struct RunResult {
  facts::KernelTrace trace;
  facts::SlowDivisions slow_divisions;
  std::vector<BufferResult> buffers; ///< only with whole_grid
};

/// Errors: launch (missing or mistyped arguments: all of them in one message), kernel_fault (out of bounds
/// with line, work-item and index; barrier that live threads disagree on), budget, unsupported.
Result<RunResult> run(const ir::KernelModule& module, const ir::KernelSignature& kernel,
                      const facts::Launch& launch, const RunOptions& options = {});

/// Sizes of a launch checked against the kernel (required sizes, divisibility where the language asks for
/// it).
Result<facts::LaunchShape> resolve_shape(const ir::KernelModule& module, const ir::KernelSignature& kernel,
                                         const facts::Launch& launch);

} // namespace forewarp::simt
