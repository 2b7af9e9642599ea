// Writers of predictions: each a function from the predictions to text, registered by name.
#pragma once

#include "facts/prediction.h"
#include "support/result.h"

#include <string>
#include <vector>

namespace forewarp::report {

using Predictions = std::vector<facts::Prediction>;

struct Report {
  const char* name;    ///< of `--format`
  const char* summary; ///< one line
  std::string (*write)(const Predictions& predictions);
};

/// The table of built-in reports; to add one, add its file and a row in registry.cpp.
const std::vector<Report>& reports();

/// usage error with the nearest names.
Result<const Report*> find_report(const std::string& name);

std::string write_text(const Predictions& predictions);
std::string write_json(const Predictions& predictions);
std::string write_csv(const Predictions& predictions);

/// Version of the JSON that `write_json` makes (data/schema/prediction.schema.json).
inline constexpr int schema_version = 1;

/// Indices, shortest time first; invalid predictions last; ties keep the order asked for.
std::vector<std::size_t> fastest_first(const Predictions& predictions);

} // namespace forewarp::report
