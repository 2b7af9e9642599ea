// The commands as functions: the same words, the same results, nothing printed. For the Python module.
#pragma once

#include "cli/commands/explore/explore_options.h"
#include "gpu/machine.h"
#include "report/report.h"

#include <filesystem>
#include <memory>
#include <mutex>

namespace forewarp::cli {

/// The shipped catalogue for a process of many calls: the names of some hundred files are read once, and anew
/// where the folder is another or has changed, or a name is not found. Values are read at each choice. For
/// any number of threads.
class KeptCatalogue {
public:
  /// Errors: as choose_gpus.
  Result<std::vector<gpu::GpuChoice>> choose(const std::vector<std::string>& names);

private:
  Result<std::shared_ptr<const gpu::Catalogue>> names_of_today();

  std::mutex mutex_;
  std::filesystem::path folder_;
  std::filesystem::file_time_type changed_;
  std::shared_ptr<const gpu::Catalogue> catalogue_;
};

/// The words of `forewarp predict`. Errors: as the command's.
Result<report::Predictions> predict_words(const std::vector<std::string>& words, KeptCatalogue& catalogue);

/// The words of `forewarp explore`; with the request, whose setup the reports need.
struct ExploredWords {
  ExploreRequest request;
  Explored explored;
};
Result<ExploredWords> explore_words(const std::vector<std::string>& words);

/// The GPU that a name means (docs/reference/gpu_files.md). Error: not_found with the nearest names.
Result<gpu::Machine> machine_named(const std::string& name, KeptCatalogue& catalogue);

} // namespace forewarp::cli
