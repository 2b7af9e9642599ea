// The commands as functions: the same words, the same results, nothing printed. For the Python module.
#pragma once

#include "cli/commands/explore/explore_options.h"
#include "gpu/machine.h"
#include "report/report.h"

namespace forewarp::cli {

/// The words of `forewarp predict`. Errors: as the command's.
Result<report::Predictions> predict_words(const std::vector<std::string>& words);

/// The words of `forewarp explore`; with the request, whose setup the reports need.
struct ExploredWords {
  ExploreRequest request;
  Explored explored;
};
Result<ExploredWords> explore_words(const std::vector<std::string>& words);

/// The GPU that a name means (docs/reference/gpu_files.md). Error: not_found with the nearest names.
Result<gpu::Machine> machine_named(const std::string& name);

} // namespace forewarp::cli
