// The words of `forewarp explore`, and the sweep that they ask for.
#pragma once

#include "cli/commands/predict_options.h"
#include "explore/sweep.h"
#include "explore/write/write.h"

namespace forewarp::cli {

/// As the parser filled them; nothing is checked yet.
struct ExploreWords {
  PredictWords request;
  std::vector<std::string> spaces, where;
  std::uint64_t prefilter = 0; ///< 0: none
  std::string space_file, objective = "time", store, plots;
  explore::SweepOptions sweep;
  explore::SummaryOptions summary;
};

void add_explore_options(CLI::App& app, ExploreWords& words);

/// What was asked for, checked. Errors name the option.
struct ExploreRequest {
  explore::Setup setup;
  explore::SweepOptions sweep;
  explore::SummaryOptions summary;
  const explore::Format* format = nullptr;
  std::string output; ///< file for the answer; "": standard output
};
Result<ExploreRequest> make_explore_request(const ExploreWords& words);

/// A sweep that was done.
struct Explored {
  explore::Space space;
  explore::Store store;
  explore::Summary summary;
};
/// Empty in the processes of an MPI job that only work.
Result<std::optional<Explored>> run_explore(const ExploreRequest& request);

} // namespace forewarp::cli
