// Which rows of a suite something was made from: a row that a value or a rule was taken from is no test of
// it.
#pragma once

#include "gpu/provenance.h"

#include <string>
#include <string_view>
#include <vector>

namespace forewarp::gpu {
struct GpuFile;
}

namespace forewarp::validate {

/// How near a row (suite, kernel, GPU) is to what the prediction of its GPU was made from.
enum class Standing {
  unseen,  ///< no value of the GPU's file and no rule that applies was derived from this suite
  related, ///< one was, from other kernels or from other GPUs of the suite
  used     ///< one was derived from this kernel on this GPU
};
/// "never looked at", "related", "used".
std::string_view to_string(Standing standing);

/// What a rule decides; stages count as times.
enum class Affects {
  times,
  intervals,
  rankings ///< how many configurations of a space are to be measured
};

/// A rule or a constant of the code that was derived from measured rows (data/evidence/rules.toml).
struct Rule {
  std::string name;
  std::string code, text; ///< file below src, and what stands there
  std::string what;
  Affects affects = Affects::times;
  /// The GPUs that it applies to; all lists empty: every GPU.
  std::vector<std::string> vendors, generations, targets;
  std::vector<gpu::MeasuredRows> derived_from;
};

/// Errors (bad_input) name file, line and what to write; not_found.
Result<std::vector<Rule>> read_rules(const std::string& path);
/// data/evidence/rules.toml beside the folder of GPU files.
std::string rules_path(const std::string& gpu_folder);

/// All that the prediction of one GPU in one suite rests on.
class Evidence {
public:
  /// `board`: what the suite's own entry of this GPU (its clock, the host's part) was derived from.
  Evidence(const gpu::GpuFile& file, const gpu::Provenance& values, const std::vector<Rule>& rules,
           const std::vector<gpu::MeasuredRows>& board);

  /// Of times and stages.
  Standing standing(std::string_view suite, std::string_view kernel) const;
  /// Of intervals: what times rest on, and rules of intervals.
  Standing interval_standing(std::string_view suite, std::string_view kernel) const;
  /// Keys and names of rules that make a row `used`, sorted: "throughput.load_shared", "rule
  /// turing-bank-passes".
  std::vector<std::string> used_by(std::string_view suite, std::string_view kernel) const;

private:
  struct Entry {
    std::string by;
    gpu::MeasuredRows rows;
    Affects affects;
  };
  Standing of(const Entry& entry, std::string_view suite, std::string_view kernel) const;
  Standing worst(std::string_view suite, std::string_view kernel, bool with_intervals) const;

  std::string gpu_;
  std::vector<Entry> entries_;
};

} // namespace forewarp::validate
