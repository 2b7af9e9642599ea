// The parts of `resolve`, one subject a file. Each reads facts and fills its part of a Machine.
#pragma once

#include "gpu/machine.h"
#include "gpu/resolve/fact_reader.h"

namespace forewarp::gpu {

void resolve_limits(FactReader& facts, Machine& machine);
void resolve_memory(FactReader& facts, Machine& machine);
void resolve_fixed_costs(FactReader& facts, Machine& machine);
void resolve_instruction_cache(FactReader& facts, Machine& machine);
/// After resolve_memory: latencies of memory operations come from there. Errors (bad_input): a class on a
/// unit that the file does not describe, a class with neither throughput nor lanes.
Result<void> resolve_operations(FactReader& facts, const GpuFile& file, Machine& machine);

} // namespace forewarp::gpu
