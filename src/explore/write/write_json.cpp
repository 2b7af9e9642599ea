// The report for programs: {"...": ..., "configurations": [one a line]}.
#include "explore/write/write.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace forewarp::explore {
namespace {

using Json = nlohmann::ordered_json;

constexpr int schema_version = 1;

std::string dump(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json parameters_json(const std::vector<std::string>& names, const std::vector<std::string>& values) {
  Json object = Json::object();
  for (std::size_t p = 0; p < names.size(); ++p)
    object[names[p]] = Json::parse(json_value(values[p]));
  return object;
}

Json ranked_json(const Findings& f, const std::vector<Ranked>& list) {
  Json rows = Json::array();
  for (const Ranked& r : list)
    rows.push_back({{"id", r.id},
                    {"parameters", parameters_json(f.store.parameters(), r.values)},
                    {"time_ms", r.outcome.time_ms},
                    {"interval_ms", {r.outcome.low_ms, r.outcome.high_ms}},
                    {"registers", r.outcome.registers},
                    {"shared_bytes", r.outcome.shared_bytes},
                    {"occupancy", r.outcome.occupancy},
                    {"limiter", r.outcome.limiter},
                    {"score", r.score},
                    {"chance_faster_than_first", r.chance},
                    {"equal_to_previous", r.equal}});
  return rows;
}

Json effects_json(const std::vector<ParameterEffect>& effects) {
  Json rows = Json::array();
  for (const ParameterEffect& effect : effects) {
    Json values = Json::array();
    for (const ValueEffect& value : effect.values)
      values.push_back({{"value", Json::parse(json_value(value.value))},
                        {"configurations", value.count},
                        {"mean_ms", value.mean_ms},
                        {"best_ms", value.best_ms}});
    rows.push_back({{"parameter", effect.parameter},
                    {"explained", effect.explained},
                    {"largest_ratio", effect.largest_ratio},
                    {"matters", effect.matters()},
                    {"values", std::move(values)}});
  }
  return rows;
}

Json gpu_json(const Findings& f, const GpuSummary& gpu) {
  const SummaryOptions& options = f.summary.options;
  return {{"gpu", gpu.gpu},
          {"valid", gpu.valid},
          {"invalid", gpu.invalid},
          {"best", ranked_json(f, gpu.best)},
          {"worst", ranked_json(f, gpu.worst)},
          {"pareto_time_shared_bytes", ranked_json(f, gpu.pareto)},
          {"pareto_size", gpu.pareto_size},
          {"near_ties", gpu.near_ties},
          {"measure",
           {{"count", gpu.to_measure},
            {"sure", options.confidence.sure},
            {"within", options.confidence.within},
            {"common_error", options.common_error}}},
          {"effects", effects_json(gpu.effects)}};
}

Json head_json(const Findings& f) {
  const Summary& s = f.summary;
  Json parameters = Json::array();
  for (std::size_t p = 0; p < s.parameters.size(); ++p)
    parameters.push_back({{"name", s.parameters[p]}, {"sets", s.roles[p]}});
  Json gpus = Json::array(), compromises = Json::array(), reasons = Json::array();
  for (const GpuSummary& gpu : s.gpus)
    gpus.push_back(gpu_json(f, gpu));
  for (const Compromise& c : s.compromises)
    compromises.push_back({{"id", c.id},
                           {"parameters", parameters_json(s.parameters, c.values)},
                           {"mean_ratio_to_best", c.mean_ratio}});
  for (const Reason& reason : s.reasons)
    reasons.push_back({{"reason", reason.text}, {"count", reason.count}});
  return {{"schema_version", schema_version},
          {"source", f.setup.base.compile.path},
          {"kernel", f.setup.base.kernel},
          {"model", f.setup.base.model},
          {"objective", s.options.objective->name},
          {"parameters", std::move(parameters)},
          {"points", s.points},
          {"evaluated", s.configurations},
          {"gpus", std::move(gpus)},
          {"best_for_all_gpus", std::move(compromises)},
          {"invalid_reasons", std::move(reasons)}};
}

Json configuration_json(const Findings& f, const Row& row) {
  Json times = Json::object(), intervals = Json::object(), reasons = Json::object();
  bool valid = false;
  std::string reason;
  for (std::size_t g = 0; g < row.outcomes.size(); ++g) {
    const Outcome& o = row.outcomes[g];
    const std::string& gpu = f.store.gpus()[g];
    valid = valid || o.valid;
    times[gpu] = o.valid ? Json(o.time_ms) : Json();
    if (o.valid) {
      intervals[gpu] = {o.low_ms, o.high_ms};
    } else {
      reasons[gpu] = o.reason;
      reason = reason.empty() ? o.reason : reason;
    }
  }
  Json json = {
      {"id", row.id}, {"parameters", parameters_json(f.store.parameters(), row.values)}, {"valid", valid}};
  if (!valid)
    json["reason"] = reason;
  else if (!reasons.empty())
    json["invalid_on"] = reasons;
  json["time_ms"] = std::move(times);
  json["interval_ms"] = std::move(intervals);
  return json;
}

} // namespace

Result<void> write_json_summary(const Findings& findings, const Sink& sink) {
  return sink(dump(head_json(findings), 2));
}

Result<void> write_json(const Findings& findings, const Sink& sink) {
  std::string head = dump(head_json(findings), 2);
  head.resize(head.rfind('\n')); // without the closing brace
  FOREWARP_TRY(sink(head + ",\n  \"configurations\": ["));
  bool first = true;
  FOREWARP_TRY(findings.store.for_each([&](const Row& row) -> Result<void> {
    const std::string lead = first ? "\n    " : ",\n    ";
    first = false;
    return sink(lead + dump(configuration_json(findings, row), -1));
  }));
  return sink("\n  ]\n}\n");
}

} // namespace forewarp::explore
