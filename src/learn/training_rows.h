// What a learner is trained on: regions with their features, their times, and where each time comes from.
#pragma once

#include "support/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace forewarp::learn {

/// Where a row's GPU time comes from. Accuracy is judged on measured rows alone.
enum class Provenance : std::uint8_t { measured, predicted };

const char* to_string(Provenance provenance);

struct TrainingRow {
  std::string region;
  std::string family; ///< rows of one family are relatives (one kernel at other sizes); default: the region
  Provenance provenance = Provenance::measured;
  std::string cpu, gpu;
  double cpu_ms = 0; ///< one thread; 0: not known
  double gpu_ms = 0;
  std::vector<double> features; ///< as the table's names
  std::size_t line = 0;         ///< in the file, the header is line 1
  double speedup() const { return cpu_ms / gpu_ms; }
};

struct TrainingTable {
  std::string source;    ///< file, for messages
  std::string extractor; ///< of all rows: "dynamic-1"
  std::vector<std::string> names;
  std::vector<TrainingRow> rows;
  std::vector<std::string> left_out; ///< regions of rows that lack a feature, where that is allowed
  /// Index of a feature; -1: none.
  int feature(const std::string& name) const;
};

/// The texts of a file.
struct TextTable {
  std::string source;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows; ///< each as long as `columns`
};

/// Which rows of a file, and what they must have.
struct RowChoice {
  std::string kind;                     ///< "dynamic" or "static": the extractor's name begins so
  std::string gpu;                      ///< as the catalogue calls it; empty: whatever the rows say
  std::optional<Provenance> provenance; ///< none: both
  bool need_cpu_time = false;           ///< rows without a CPU time are left out
  std::vector<std::string> features;    ///< columns that must be there; empty: all others
  std::vector<std::string> without;     ///< features whose names begin so are left out
  bool complete_only = false;           ///< rows that lack a feature are left out; else they are an error
  std::vector<std::string> may_lack;    ///< features whose names begin so are 0 where a row lacks them
  std::function<std::string(const std::string&)> gpu_name; ///< the catalogue's name of a row's GPU
};

/// Times beyond these are typing errors or other units: ten days, and a speed-up of a million either way.
inline constexpr double longest_time_ms = 864e6, largest_speedup = 1e6;

/// "dynamic" of "dynamic-1", "static" of "static-1", "counted" of "static-1-counted".
std::string kind_of(const std::string& extractor);

/// Errors (bad_input): missing columns; by row: no number, a time that cannot be, a missing feature; no row
/// of the kind and the GPU (those that are there are named); rows of several extractor versions or CPUs.
Result<TrainingTable> choose_rows(const TextTable& texts, const RowChoice& choice);

/// Names of the features that have one value in all rows: no learner can use them.
std::vector<std::string> constant_features(const TrainingTable& table);

} // namespace forewarp::learn
