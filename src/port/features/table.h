// Rows of features as CSV, JSON and text.
#pragma once

#include "facts/learning/features.h"

#include <string>
#include <vector>

namespace forewarp::port {

/// One line of a table from which predictors are trained.
struct TableRow {
  facts::FeatureRow features;
  double cpu_ms = 0;              ///< 0: not measured, an empty cell
  std::string problem;            ///< "": none; otherwise there are no features
  std::vector<std::string> notes; ///< beside what was assumed
};

/// region,extractor,provenance,cpu,gpu,cpu_ms,gpu_ms, then the features of all rows, in the order in which
/// they are first met. Cells without a value are empty; rows with a problem are left out.
std::string features_csv(const std::vector<TableRow>& rows, const std::string& cpu);
std::string features_json(const std::vector<TableRow>& rows);
/// A block for each region.
std::string features_text(const std::vector<TableRow>& rows);

} // namespace forewarp::port
