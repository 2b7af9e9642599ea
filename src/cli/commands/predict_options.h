// The words of `forewarp predict`, and the request that they make.
#pragma once

#include "engine/host_launch/host_launch.h"
#include "engine/predict.h"
#include "launch/parse.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace forewarp::cli {

/// As the parser filled them; nothing is checked yet.
struct PredictWords {
  std::string source, kernel, launch_file, from_run, standard,
      format = "text", output, value_set, model = predict::default_predictor, trace = "run";
  std::optional<Error> run_problem; ///< why --from-run gives no launch
  std::vector<std::string> gpus, defines, include_directories, options, arguments, trip_counts, branches,
      exact;
  std::string global, grid, local, cluster;
  std::string code = "imitated", registers = "estimate", cache = "cold", cache_folder, out_of_bounds;
  std::uint64_t dynamic_shared = 0, sample = 0, seed = 1, default_trip_count = 0;
  std::uint64_t max_instructions = 0, max_trace_mb = 0;
  double max_seconds = 0, clock_mhz = 0;
  std::string host_file, host_arguments;
  std::vector<std::string> host_variables;
  std::uint64_t launch_site = 0;
  bool host_arguments_given = false;
  bool list_kernels = false, whole_grid = false, dynamic_shared_given = false, no_cache = false,
       ignore_control_words = false;
};

/// What kernel, launch and GPU are: for every command that predicts. A launch of a run stands as its launch
/// file when the words have been read.
void add_request_options(CLI::App& app, PredictWords& words);
void add_predict_options(CLI::App& app, PredictWords& words);
/// Where a launch is looked for that the command line does not give.
void add_host_options(CLI::App& app, PredictWords& words);
Result<engine::HostSource> make_host_source(const PredictWords& words);

/// The launch file first, then the command line over it. Errors name the option.
Result<engine::PredictRequest> make_request(const PredictWords& words);
/// The same where the launch file has been read; empty where there is none.
Result<engine::PredictRequest> make_request(const PredictWords& words, launch::LaunchFile file);

/// GPUs by name; at least one.
Result<std::vector<gpu::GpuChoice>> choose_gpus(const std::vector<std::string>& names);
/// The same from a catalogue that is open.
Result<std::vector<gpu::GpuChoice>> choose_gpus(const std::vector<std::string>& names,
                                                const gpu::Catalogue& catalogue);

} // namespace forewarp::cli
