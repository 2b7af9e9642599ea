// A CSV file, plain or gzip-compressed, as rows of named texts.
#pragma once

#include "support/result.h"

#include <string>
#include <vector>

namespace forewarp::validate {

struct CsvTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows; ///< each as long as `columns`
  std::size_t malformed_rows = 0;             ///< left out: another number of fields

  /// Index of a column; -1: none.
  int column(const std::string& name) const;
};

/// Errors: not_found, bad_input (no header, not CSV, broken compression).
Result<CsvTable> read_csv(const std::string& path);

} // namespace forewarp::validate
