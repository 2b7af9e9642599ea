// A trained model as a data file: what it is for, what it was made from, how good it is, and its numbers.
#pragma once

#include "learn/model/dynamic_model.h"
#include "learn/model/static_model.h"

#include <string>
#include <variant>
#include <vector>

namespace forewarp::learn {

/// What the model's own cross-validation said when it was trained.
struct Validation {
  std::string protocol; ///< in words
  std::size_t rows = 0;
  double score = 0;    ///< dynamic: mean error of the speed-up; static: accuracy
  double baseline = 0; ///< the same of the mean (dynamic) or of the most frequent class (static)
  double balanced = 0; ///< static: balanced accuracy
  bool worse_than_baseline = false;
};

struct TrainedFrom {
  std::string region, family;
  Provenance provenance = Provenance::measured;
};

struct ModelFile {
  std::string extractor, cpu, gpu; ///< cpu: whose times the speed-ups are over; "" where no row has one
  std::vector<TrainedFrom> rows;
  std::vector<std::string> constant_features; ///< not used: they had one value in all rows
  Validation validation;
  bool forced = false; ///< written although worse than its baseline
  std::uint64_t seed = 1;
  std::variant<DynamicModel, StaticModel> model;
  std::string hash; ///< of everything else; set by the writer and checked by the reader

  const char* kind() const { return model.index() == 0 ? "dynamic" : "static"; }
  /// "48 measured rows", "95 predicted rows", "48 measured and 95 predicted rows".
  std::string trained_on() const;
};

/// JSON, one line a row, a regression, a tree; `hash` is computed.
std::string model_text(const ModelFile& model);

/// Errors (bad_input): not JSON, another format or its version, a missing or senseless part (its key is
/// named), a hash that does not fit (the file was changed after training).
Result<ModelFile> parse_model(const std::string& text, const std::string& path);

/// As parse_model; not_found.
Result<ModelFile> read_model(const std::string& path);

/// What somebody wants to predict. Empty: anything.
struct ModelUse {
  std::string kind, extractor, cpu, gpu;
};

/// Errors (bad_input): the model is of another kind, extractor version, CPU or GPU; all that differs is
/// named.
Result<void> check_use(const ModelFile& model, const ModelUse& use, const std::string& path);

} // namespace forewarp::learn
