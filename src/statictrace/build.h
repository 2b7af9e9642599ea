// The second producer of traces: from source-level analysis alone, nothing is run (Wang, Huang, Knoll, Qian,
// DATE 2019, sections III-A and III-B). Blocks are those of the optimised module, so that machine program,
// memory room and every predictor take the trace as they take an executed one.
#pragma once

#include "facts/trace.h"
#include "ir/kernel_module.h"
#include "simt/prepared.h"
#include "support/result.h"

#include <memory>
#include <optional>

namespace forewarp::statictrace {

/// About: the first warp of a group stands for all of its warps.
struct Lengths {
  double instructions_of_a_group = 0; ///< 0: the bound of some loop follows from nothing
  /// Linear index of a group that is longer than the first sampled one; none where the inner one is as long
  /// as any, by all signs. Of grids of more than 64 groups it is the longest of that many.
  std::optional<std::uint64_t> longest_group = std::nullopt;
  double longest_trace_bytes = 0; ///< of that group's whole trace, without irregular addresses
  bool exact = false;             ///< there is no loop, or no condition rests on data
};

/// What does not depend on the launch. `module` and `prepared` outlive it. One thread's use only.
class Analysis {
public:
  /// Errors: unsupported (a cycle of the control flow with two entries).
  static Result<std::unique_ptr<Analysis>> make(const ir::KernelModule& module,
                                                const ir::KernelSignature& kernel,
                                                const simt::PreparedKernel& prepared);
  ~Analysis();

  /// Groups as the executed run would sample them. Conditions and bounds that rest on arguments, work-item
  /// ids and iteration numbers are exact for each lane; what rests on data is "always hit": both sides of a
  /// branch run, and a loop whose bound nothing gives runs as `unknown.trip_counts` says for its line, or
  /// `default_trip_count` times, with a note. Addresses that rest on data are unknown. `branch_probabilities`
  /// are not read. Errors: launch, budget (`max_trace_bytes`, `max_instructions`).
  Result<facts::KernelTrace> trace(const facts::Launch& launch, const simt::RunOptions& options);

  /// What the loops of a launch come to, counted without visiting all iterations. Errors: launch.
  Result<Lengths> lengths(const facts::Launch& launch, const simt::RunOptions& options);

  /// As `trace`, but of long loops the first, some middle and the last iterations are visited and the rest is
  /// counted (loop_schedule.h); WarpTrace::recorded_share says how much is there. Few groups, a few thousand
  /// steps a warp. `can_run`: a run within `max_instructions` is the other way, so that one group of such
  /// steps that exceeds `max_trace_bytes` is an error (budget); where it cannot, shorter pieces are taken.
  Result<facts::KernelTrace> counted_trace(const facts::Launch& launch, const simt::RunOptions& options,
                                           bool can_run);

private:
  Analysis();
  struct Parts;
  struct Session;
  std::unique_ptr<Parts> parts_;
};

} // namespace forewarp::statictrace
