// `forewarp run`: a program, unchanged, on GPUs that are not there.
#pragma once

#include "program/build_helper.h"
#include "program/run_log.h"
#include "program/server.h"

namespace forewarp::program {

struct RunRequest {
  std::vector<std::string> words; ///< the program and what it is given; with sources: what it is given
  std::optional<BuildRequest> build = {}; ///< CUDA or HIP sources that the program is made of
  std::vector<gpu::GpuChoice> gpus;       ///< the program sees the first
  std::string value_set;
  RunOptions options;
  BuildLimits limits = {};
  Progress progress = {}; ///< called about once a second when the log has grown
};

/// Runs it to its end. Results are computed on this machine; times are the GPUs'. Errors: not_found (the
/// program), unsupported (the library is not there), those of the GPU files and of build_program. A program
/// that fails is no error: see RunLog::exit_code.
Result<RunLog> run_program(const RunRequest& request);

} // namespace forewarp::program
