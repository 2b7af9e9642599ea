#include "port/answer_json.h"

#include <nlohmann/json.hpp>

namespace forewarp::port {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(double value) {
  return value > 0 ? Json(value) : Json(nullptr);
}

Json advice_json(const RegionAnswer& region) {
  Json list = Json::array();
  for (const Advice& advice : region.estimate.advice) {
    Json one;
    one["kind"] = advice.kind;
    one["text"] = advice.text;
    if (!advice.array.empty())
      one["array"] = advice.array;
    if (advice.location.line != 0)
      one["line"] = advice.location.line;
    one["time_ms"] = advice.time_ms;
    one["gain_ms"] = advice.gain_ms;
    list.push_back(std::move(one));
  }
  return list;
}

Json region_json(const RegionAnswer& region) {
  Json json;
  json["name"] = region.name;
  json["file"] = region.file;
  json["line"] = region.line;
  json["gpu"] = region.gpu;
  json["cpu_time_ms"] = number_or_null(region.cpu_time_ms);
  json["time_ms"] = region.time_ms;
  json["launch_ms"] = region.launch_ms;
  json["copy_ms"] = region.copy_ms();
  json["copy_in_bytes"] = region.copy_in_bytes;
  json["copy_out_bytes"] = region.copy_out_bytes;
  json["speedup"] = number_or_null(region.speedup);
  json["speedup_with_copies"] = number_or_null(region.speedup_with_copies);
  json["program_speedup"] = number_or_null(region.program_speedup);
  json["gain_ms"] = region.gain_ms;
  json["worth"] = region.worth;
  if (!region.inside.empty())
    json["inside"] = region.inside;
  if (!region.reason.empty())
    json["reason"] = region.reason;
  json["launches"] = region.estimate.size.launches;
  json["limiter"] = region.estimate.kernel.limiter;
  for (const auto& [cause, share] : region.estimate.kernel.causes)
    json["causes"][cause] = share;
  json["advice"] = advice_json(region);
  json["notes"] = Json::array();
  for (const facts::Note& note : region.estimate.notes)
    json["notes"].push_back(note.text);
  return json;
}

/// Equations of C's model, as the models command shows them.
Json steps_json(const RegionAnswer& region) {
  Json list = Json::array();
  for (const models::Step& step : region.estimate.kernel.steps)
    list.push_back({{"symbol", step.symbol}, {"value", step.value}});
  return list;
}

Json unanswered_json(const UnansweredRegion& region) {
  Json json{{"name", region.name},
            {"file", region.file},
            {"line", region.line},
            {"cpu_time_ms", number_or_null(region.cpu_time_ms)},
            {"problem", region.problem.message},
            {"where", region.problem.where},
            {"hint", region.problem.hint}};
  json["ways_out"] = Json::array();
  for (const WayOut& way : region.ways_out)
    json["ways_out"].push_back({{"kind", way.kind},
                                {"text", way.text},
                                {"gpu", way.gpu},
                                {"time_ms", way.time_ms},
                                {"launches", way.launches}});
  return json;
}

} // namespace

std::string answer_json(const PortAnswer& answer) {
  Json json;
  json["model"] = answer.model;
  json["sizes"] = answer.sizes;
  json["program_ms"] = number_or_null(answer.program_ms);
  json["cpu_note"] = answer.cpu_note;
  json["regions"] = Json::array();
  for (const RegionAnswer& region : answer.regions) {
    Json one = region_json(region);
    if (!region.estimate.kernel.steps.empty())
      one["steps"] = steps_json(region);
    for (const TracedRegion& traced : answer.traced)
      if (traced.trace.name == region.name && traced.trace.location.line == region.line) {
        one["reductions"] = traced.parallelism.reductions;
        one["private"] = traced.parallelism.privates;
        one["traced_cpu_ms"] = number_or_null(traced.trace.timing.region_ms);
        one["recorded_ms"] = number_or_null(traced.recorded_ms);
      }
    json["regions"].push_back(std::move(one));
  }
  json["together"] = Json::array();
  for (const TogetherAnswer& together : answer.together)
    json["together"].push_back({{"gpu", together.gpu},
                                {"regions", together.regions},
                                {"gain_ms", together.gain_ms},
                                {"program_speedup", number_or_null(together.program_speedup)}});
  json["unanswered"] = Json::array();
  for (const UnansweredRegion& region : answer.unanswered)
    json["unanswered"].push_back(unanswered_json(region));
  return json.dump(2) + "\n";
}

} // namespace forewarp::port
