// The catalogue as rows: what `forewarp gpus`, `gpus show`, `gpus check` and `gpus diff` print. No formatting
// here.
#pragma once

#include "gpu/gpu_file.h"

#include <string>
#include <vector>

namespace forewarp::gpu {

/// One line of `forewarp gpus`. Figures are those that predictions use; 0 where the file does not resolve.
struct GpuSummary {
  std::string name, vendor, generation, target;
  std::vector<std::string> short_names; ///< default_for, then aliases
  std::vector<std::string> value_sets;
  double sm_count = 0, sm_clock_mhz = 0, fp32_peak_gflops = 0, dram_peak_gbps = 0, dram_read_gbps = 0;
  double l2_size_bytes = 0;
  std::size_t values = 0, assumed = 0; ///< values of the file; keys that a prediction would have to assume
  std::string path;
};

/// One value, ready to print.
struct ValueRow {
  std::string key, value, unit, source, ref, inherited_from, meaning;
  std::string value_set; ///< empty: the main values
};

/// A key in which two files differ; an empty side: the file does not have it.
struct DiffRow {
  std::string key, unit, left, right;
};

/// What `gpus check` says about a file that could be read.
struct CheckReport {
  GpuSummary summary;
  std::vector<std::string> assumed;  ///< keys that no source gives
  std::vector<std::string> warnings; ///< odd, but usable: e.g. achieved bandwidth above peak
};

/// Sorted by vendor, generation's age as compute capability or target tells it, and name.
std::vector<GpuSummary> list(const Catalogue& catalogue);
GpuSummary summarise(const GpuFile& file);
/// Main values in the order of the schema, then those of every value set.
std::vector<ValueRow> describe(const GpuFile& file);
std::vector<DiffRow> diff(const GpuFile& left, const GpuFile& right);
/// Errors: what is wrong with the file (bad_input), as `resolve` finds it, value sets included.
Result<CheckReport> check(const GpuFile& file);

/// "1530", "0.818", "0 8 16 32", "GV100".
std::string value_text(const Value& value);

} // namespace forewarp::gpu
