// Printed output of a benchmark as a table: the numbers of each line.
#pragma once

#include "validate/csv_table.h"

namespace forewarp::validate {

/// Lines whose first word is a number are rows: their numbers by these names, units behind a number and words
/// between numbers passed over (`16 kB 5ms | GB/s: 53` holds 16, 5 and 53). Other lines (titles, clocks) are
/// none. A row with fewer or more numbers than names is left out and counted. Errors: not_found.
Result<CsvTable> read_numbers(const std::string& path, const std::vector<std::string>& columns);

} // namespace forewarp::validate
