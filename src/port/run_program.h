// One run of the program in a process of its own.
#pragma once

#include "port/prepare.h"
#include "port/trace_program.h"

namespace forewarp::port {

SourceRequest source_request(const ProgramRequest& request);

/// What the run needs beside the code that prepare made.
void complete(ProgramCode& code, const ProgramRequest& request);

/// `recorded`: of a survey or a detail run; null: a timed one.
/// Errors: compile (it does not link).
Result<RunResult> run_once(const ProgramCode& code, RunKind kind, const std::vector<RegionPlan>& plans,
                           const RecordedProgram* recorded, const ProgramRequest& request);

} // namespace forewarp::port
