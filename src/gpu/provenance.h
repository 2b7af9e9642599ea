// Which measured rows the values of a GPU file were derived from. Predictions never ask; `forewarp validate`
// does, to keep rows that a value was taken from apart from rows that nothing was taken from.
#pragma once

#include "support/result.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::gpu {

/// Rows of a suite: `derived_from = [{ suite = "pmpp", kernels = ["histogram"], gpus = ["GeForce RTX 3060"]
/// }]`.
struct MeasuredRows {
  std::string suite;                ///< one of suite_names()
  std::vector<std::string> kernels; ///< by the suite's names; empty: all
  std::vector<std::string> gpus;    ///< by the catalogue's names; empty: all that the suite measured
  bool operator==(const MeasuredRows&) const = default;
};

/// Key of a value -> the rows behind it; values that no measured row of a suite is behind are not there.
using Provenance = std::map<std::string, std::vector<MeasuredRows>>;

/// Of all values that the file has, inherited ones included (a value of the file's own replaces what it would
/// have inherited, rows and all). `directory` is where `extends` looks. Errors: as read_gpu_file.
Result<Provenance> read_provenance(const std::filesystem::path& path, const std::filesystem::path& directory);

/// The same for text that is in memory already; `path` is what errors call it.
Result<Provenance> parse_provenance(std::string_view text, const std::string& path,
                                    const std::filesystem::path& directory);

/// Suites of measured rows that `derived_from` may name: those of validation/suites.
const std::vector<std::string>& suite_names();

} // namespace forewarp::gpu
