// Programs whose kernels the process beside executes by its own interpreter: all of them with `--engine own`,
// else those that the implementation cannot build, and launches that it refuses. The implementation then
// holds kernels of the same names and parameters, with nothing in them.
#pragma once

#include "program/opencl/pending.h"

namespace forewarp::program {

/// Makes and builds what stands in for the program (ProgramFacts::stand_in). False: the process beside cannot
/// compile it, or the implementation refuses even that; nothing has changed.
bool take_over(cl_program program, const std::shared_ptr<ProgramFacts>& facts);
/// What the implementation's kernels of the program are made of.
cl_program executable_of(cl_program program, const std::shared_ptr<ProgramFacts>& facts);
/// Executes a launch beside, on what its buffers hold now. "": done; else why not.
std::string execute_ourselves(const PendingLaunch& launch);

} // namespace forewarp::program
