// The second producer of traces: from source-level analysis alone, nothing is run (Wang, Huang, Knoll, Qian,
// DATE 2019, sections III-A and III-B). Blocks are those of the optimised module, so that machine program,
// memory room and every predictor take the trace as they take an executed one.
#pragma once

#include "facts/trace.h"
#include "ir/kernel_module.h"
#include "simt/prepared.h"
#include "support/result.h"

namespace forewarp::statictrace {

/// Groups as the executed run would sample them. Conditions and bounds that rest on arguments, work-item ids
/// and iteration numbers are exact for each lane; what rests on data is "always hit": both sides of a branch
/// run, and a loop whose bound nothing gives runs as `unknown.trip_counts` says for its line, or
/// `default_trip_count` times, with a note. Addresses that rest on data are unknown. `branch_probabilities`
/// are not read. Errors: launch, unsupported (a cycle with two entries), budget (steps beyond
/// `max_trace_bytes` or `max_instructions`).
Result<facts::KernelTrace> build(const ir::KernelModule& module, const ir::KernelSignature& kernel,
                                 const simt::PreparedKernel& prepared, const facts::Launch& launch,
                                 const simt::RunOptions& options);

} // namespace forewarp::statictrace
