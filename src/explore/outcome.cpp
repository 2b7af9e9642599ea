#include "explore/outcome.h"

#include <nlohmann/json.hpp>

namespace forewarp::explore {

Outcome outcome_of(const facts::Prediction& p) {
  Outcome outcome;
  outcome.valid = p.valid;
  for (const facts::Note& note : p.notes)
    if (!p.valid && outcome.reason.empty() && note.severity == facts::Note::Severity::invalid)
      outcome.reason = note.text;
  if (!p.valid)
    return outcome;
  outcome.time_ms = p.time_ms;
  outcome.low_ms = p.interval_ms[0];
  outcome.high_ms = p.interval_ms[1];
  outcome.registers = p.resources.registers_per_thread;
  outcome.shared_bytes = static_cast<double>(p.resources.static_shared_bytes + p.shape.launch_shared_bytes());
  outcome.occupancy = p.occupancy.fraction;
  outcome.dram_bytes = p.dram_bytes;
  outcome.gflops = p.gflops;
  outcome.limiter = facts::to_string(p.limiter);
  return outcome;
}

std::string pack(const std::vector<Row>& rows) {
  nlohmann::json list = nlohmann::json::array();
  for (const Row& row : rows) {
    nlohmann::json outcomes = nlohmann::json::array();
    for (const Outcome& o : row.outcomes)
      outcomes.push_back({o.valid, o.reason, o.time_ms, o.low_ms, o.high_ms, o.registers, o.shared_bytes,
                          o.occupancy, o.dram_bytes, o.gflops, o.limiter});
    list.push_back({row.id, row.values, std::move(outcomes)});
  }
  std::string bytes;
  nlohmann::json::to_msgpack(list, bytes);
  return bytes;
}

std::vector<Row> unpack(const std::string& bytes) {
  std::vector<Row> rows;
  for (const nlohmann::json& item : nlohmann::json::from_msgpack(bytes)) {
    Row row{item[0].get<std::uint64_t>(), item[1].get<std::vector<std::string>>(), {}};
    for (const nlohmann::json& o : item[2])
      row.outcomes.push_back({o[0].get<bool>(), o[1].get<std::string>(), o[2].get<double>(),
                              o[3].get<double>(), o[4].get<double>(), o[5].get<double>(), o[6].get<double>(),
                              o[7].get<double>(), o[8].get<double>(), o[9].get<double>(),
                              o[10].get<std::string>()});
    rows.push_back(std::move(row));
  }
  return rows;
}

} // namespace forewarp::explore
