// What a sweep keeps of one configuration.
#pragma once

#include "facts/prediction.h"

#include <cstdint>
#include <string>
#include <vector>

namespace forewarp::explore {

/// One configuration on one GPU.
struct Outcome {
  bool valid = false;
  std::string reason; ///< where it is not valid
  double time_ms = 0, low_ms = 0, high_ms = 0;
  double registers = 0, shared_bytes = 0, occupancy = 0, dram_bytes = 0, gflops = 0;
  std::string limiter;
};

struct Row {
  std::uint64_t id = 0;
  std::vector<std::string> values; ///< texts, in the order of the space's parameters
  std::vector<Outcome> outcomes;   ///< one a GPU
};

Outcome outcome_of(const facts::Prediction& prediction);

/// For the way between processes: exact, without loss.
std::string pack(const std::vector<Row>& rows);
/// Only for what `pack` made.
std::vector<Row> unpack(const std::string& bytes);

} // namespace forewarp::explore
