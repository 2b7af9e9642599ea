// One GPU file as it was read: every value with unit, source and reference. No code knows a GPU's name.
#pragma once

#include "support/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace forewarp::gpu {

enum class ValueSource { datasheet, whitepaper, microbenchmark, paper, derived, proxy, assumed };

/// A number, a list of numbers or a word.
struct Value {
  std::variant<double, std::string, std::vector<double>> value;
  std::string unit;
  ValueSource source = ValueSource::assumed;
  std::string ref;            ///< where exactly; for `proxy` which part
  std::string inherited_from; ///< file that the value came from by `extends`; empty: this file
  bool operator==(const Value&) const = default;
};

struct GpuFile {
  std::string name;   ///< "Tesla V100 SXM2"
  std::string vendor; ///< "nvidia" | "amd"
  std::string target; ///< compiler's name of the machine: "sm_70", "gfx942"; a neighbour where LLVM has none
  std::string generation;
  std::vector<std::string> aliases;
  std::vector<std::string> default_for; ///< short names ("v100") that pick this file; the answer then says so
  std::vector<std::string> prefixes;    ///< words that a name may have in front ("NVIDIA", "GeForce")
  bool abstract = false;                ///< a base for `extends`, not a GPU
  std::string path;
  std::map<std::string, Value> values;
  std::map<std::string, std::map<std::string, Value>> value_sets; ///< named sets: a paper's own numbers
  bool operator==(const GpuFile&) const = default;
};

/// What a name resolved to.
struct GpuChoice {
  GpuFile file;
  std::string requested;
  std::string note; ///< "v100 means Tesla V100 SXM2 16GB; ..." when an alias picked a default; else empty
};

class Catalogue {
public:
  /// Every *.toml of `directory`, `extends` resolved. Errors name file, line and column.
  static Result<Catalogue> load(const std::filesystem::path& directory);
  /// The shipped catalogue: $FOREWARP_DATA/gpus, else <prefix of the program>/../../data/gpus (source tree),
  /// else <prefix>/../share/forewarp/gpus.
  static Result<Catalogue> load_default();

  /// The same without reading the files' values: `find` reads the one that it is asked for, `files` is empty.
  /// For a command that needs a few GPUs.
  static Result<Catalogue> open(const std::filesystem::path& directory);
  static Result<Catalogue> open_default();

  /// Name, alias, or path of a .toml file. Case, blanks, dashes, underscores and vendor prefixes do not
  /// matter. Unknown: not_found with the nearest names.
  Result<GpuChoice> find(const std::string& name_or_path) const;
  const std::vector<GpuFile>& files() const { return files_; }

private:
  std::vector<GpuFile> files_;        ///< everything; empty after `open`
  std::vector<GpuFile> index_;        ///< identity only
  std::vector<std::string> prefixes_; ///< squeezed, longest first
  std::filesystem::path directory_;
};

/// A file may be this large; real ones have some kilobytes.
inline constexpr std::uint64_t max_gpu_file_bytes = 1 << 20;

/// The same for text that is in memory already; `path` is what errors call it.
Result<GpuFile> parse_gpu_text(std::string_view text, const std::string& path,
                               const std::filesystem::path& directory);

/// Where load_default looks.
Result<std::filesystem::path> default_gpu_folder();

/// Reads and checks one file (schema: known keys, units, sources, ranges). `directory` is where `extends`
/// looks.
Result<GpuFile> read_gpu_file(const std::filesystem::path& path, const std::filesystem::path& directory);

} // namespace forewarp::gpu
