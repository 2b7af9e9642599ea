// A folder of unknown kernels, each asked for a first answer in a process of its own.
#pragma once

#include "engine/host_launch/host_launch.h"
#include "support/result.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace forewarp::cli::survey {

enum class Outcome : std::uint8_t {
  answered,          ///< by `forewarp predict FILE --kernel NAME --gpu ...`
  template_answered, ///< by `forewarp template` and the launch file as it stands
  refused,
  not_finished ///< out of time, or the process ended
};
const char* to_string(Outcome outcome);

struct Answer {
  std::string file, kernel;
  std::string name; ///< the file as it is told: below the surveyed folder, and behind its name where there
                    ///< are several
  Outcome outcome = Outcome::refused;
  std::map<std::string, double> time_ms;      ///< by GPU
  std::map<std::string, std::string> limiter; ///< by GPU, as `forewarp predict` names it
  bool below_peak = false;                    ///< shorter than its DRAM bytes need at the board's peak
  std::size_t assumptions = 0;
  double seconds = 0;             ///< wall clock until the answer
  std::string why, where, remedy; ///< of a refusal
};

struct Options {
  std::vector<std::string> folders;
  std::vector<gpu::GpuChoice> gpus;
  std::string cache_folder;
  std::uint64_t draw = 0,
                seed = 1; ///< draw > 0: that many kernels, one a file, files in an order made of the seed
  double seconds = 60;    ///< of processor time for each file or kernel
  std::function<void(const std::string&)> progress;
  std::function<void(const Answer&)> answered; ///< told each answer as it is there
};

struct Survey {
  std::size_t files = 0, files_without_kernels = 0;
  std::vector<Answer> answers; ///< files that cannot be read at all stand here with an empty kernel
};

/// Files ending in .cu, .cl, .hip, .ocl and .opencl below the folders; headers, and such files that another
/// one includes, belong to those that include them. A file's other kernels are not hurt by one that ends its
/// process. Errors: not_found (no such folder, no such file in it).
Result<Survey> survey(const Options& options);

/// One line: what became of it, its time or why it has none.
std::string line_of(const Answer& answer);

/// Text, "json" or "markdown".
std::string written(const Survey& survey, const Options& options, const std::string& format);

} // namespace forewarp::cli::survey
