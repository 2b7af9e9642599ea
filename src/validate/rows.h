// Rows of measured data that a suite's kernels claim.
#pragma once

#include "validate/csv_table.h"
#include "validate/runner.h"
#include "validate/suite.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace forewarp::validate {

using Values = std::map<std::string, double>;

/// A row of data that a kernel of the suite claims.
struct Row {
  std::size_t index = 0;
  const SuiteKernel* kernel = nullptr;
  std::string data_gpu;
  Values values;
};

/// Rows by (kernel, GPU), in the data's order.
using Spaces = std::map<std::pair<std::string, std::string>, std::vector<Row>>;

struct DataTable {
  std::string file; ///< as the suite names it
  CsvTable table;
};

/// The rows of all data. A stage whose columns this table lacks and another has is no error: not every board
/// was measured with counters. Errors: bad_input (row and column of a wrong expression).
Result<void> collect(const Suite& suite, const std::vector<DataTable>& tables, Spaces& spaces,
                     std::vector<LeftOutRow>& left_out);

} // namespace forewarp::validate
