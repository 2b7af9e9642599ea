// Tables for the tests of the learners: times that follow a rule.
#pragma once

#include "learn/training_rows.h"
#include "support/counter_random.h"

#include <cmath>
#include <string>

namespace forewarp::learn {

inline double made_number(std::uint64_t stream, std::uint64_t index) {
  return counter_random_unit(stream + 1000, index);
}

/// Six shares f0 to f5, pages and ninst; the time an instruction grows with f1 and shrinks with f4.
inline TrainingTable made_table(std::size_t rows, std::uint64_t seed,
                                const std::string& extractor = "dynamic-1") {
  TrainingTable table;
  table.source = "made.csv";
  table.extractor = extractor;
  table.names = {"f0", "f1", "f2", "f3", "f4", "f5", "pages", "ninst"};
  for (std::size_t i = 0; i < rows; ++i) {
    TrainingRow row;
    row.region = row.family = "kernel" + std::to_string(i);
    row.cpu = "Some CPU";
    row.gpu = "Some GPU";
    row.line = i + 2;
    for (std::uint64_t feature = 0; feature < 6; ++feature)
      row.features.push_back(made_number(seed * 10 + feature, i));
    row.features.push_back(std::floor(1 + 500 * made_number(seed * 10 + 7, i)));
    const double instructions = 1e6 * std::exp(4 * made_number(seed * 10 + 8, i));
    row.features.push_back(instructions);
    row.gpu_ms = instructions * 1e-6 * std::exp(2 * row.features[1] - row.features[4]) * 0.02;
    row.cpu_ms = instructions * 1e-6;
    table.rows.push_back(std::move(row));
  }
  return table;
}

} // namespace forewarp::learn
