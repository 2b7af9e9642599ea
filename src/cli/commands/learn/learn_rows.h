// Training rows of a file, chosen by the words of a command.
#pragma once

#include "gpu/gpu_file.h"
#include "learn/training_rows.h"

#include <string>
#include <vector>

namespace forewarp::cli {

struct RowWords {
  std::string data, times, gpu, cpu, method, provenance;
  std::vector<std::string> without;  ///< beginnings of the names of features
  std::vector<std::string> may_lack; ///< the same of those that are 0 where a row lacks them
  bool complete_only = false;
};

/// GPUs by the catalogue's names. Errors: as the catalogue's, read_csv's and choose_rows'; usage (no method
/// where the file has rows of both kinds).
Result<learn::TrainingTable> read_training_rows(const RowWords& words);

} // namespace forewarp::cli
