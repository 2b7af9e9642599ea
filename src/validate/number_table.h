// Printed output of a benchmark as a table: the numbers of each line.
#pragma once

#include "validate/csv_table.h"

namespace forewarp::validate {

/// As the first of the names: the words in front of a line's first number, with one blank between them.
inline constexpr const char* words_column = "words";

/// Lines whose first word is a number are rows: their numbers by these names, units behind a number and words
/// between numbers passed over (`16 kB 5ms | GB/s: 53` holds 16, 5 and 53). Other lines (titles, clocks) are
/// none, but all lines with a number are rows where `words_column` is the first name. Names
/// that end in `?`, the last ones, may be without a number. A row with fewer or more numbers than names is
/// left out and counted. Errors: not_found.
Result<CsvTable> read_numbers(const std::string& path, const std::vector<std::string>& columns);

} // namespace forewarp::validate
