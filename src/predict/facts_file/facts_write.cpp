#include "predict/facts_file/facts_io.h"
#include "predict/facts_file/facts_names.h"

#include <nlohmann/json.hpp>

namespace forewarp::models {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const facts::ModelClass& row) {
  return {{"name", row.name},
          {"kind", name_of(row.kind)},
          {"subsystem", row.subsystem},
          {"count_per_warp", row.count_per_warp},
          {"lambda_cycles", row.lambda_cycles},
          {"latency_cycles", row.latency_cycles},
          {"waited", row.waited}};
}

Json to_json(const facts::ModelInstruction& instruction) {
  return {{"class", instruction.mix_class},
          {"lambda_cycles", instruction.lambda_cycles},
          {"latency_cycles", instruction.latency_cycles},
          {"after", instruction.predecessors}};
}

Json to_json(const std::vector<facts::FlowNode>& nodes);

Json to_json(const facts::FlowNode& node) {
  using Kind = facts::FlowNode::Kind;
  Json json = {{"kind", name_of(node.kind)}};
  if (node.kind == Kind::loop)
    json["trips"] = node.trips;
  if (node.kind == Kind::loop || node.kind == Kind::branch) {
    json["paths"] = Json::array();
    for (const facts::FlowNode::Path& path : node.paths)
      json["paths"].push_back({{"weight", path.weight}, {"nodes", to_json(path.nodes)}});
    return json;
  }
  if (node.id != 0)
    json["id"] = node.id;
  json["count"] = node.count;
  if (node.kind == Kind::compute)
    json["ilp"] = node.ilp;
  json["lambda_cycles"] = node.lambda_cycles;
  json["latency_cycles"] = node.latency_cycles;
  if (!node.waited)
    json["waited"] = false;
  if (!node.uses.empty())
    json["uses"] = node.uses;
  return json;
}

Json to_json(const std::vector<facts::FlowNode>& nodes) {
  Json json = Json::array();
  for (const facts::FlowNode& node : nodes)
    json.push_back(to_json(node));
  return json;
}

Json to_json(const facts::ModelTraffic& traffic) {
  return {{"bytes_global", traffic.bytes_global},
          {"bytes_l2", traffic.bytes_l2},
          {"bytes_dram", traffic.bytes_dram},
          {"bank_conflict_degree", traffic.bank_conflict_degree},
          {"dram_lambda_cycles", traffic.dram_lambda_cycles},
          {"dram_latency_cycles", traffic.dram_latency_cycles},
          {"l2_lambda_cycles", traffic.l2_lambda_cycles},
          {"l2_latency_cycles", traffic.l2_latency_cycles}};
}

/// An array with one compact element a line, so that thousands of instructions stay readable.
template <class T>
void append_lines(std::string& text, const std::vector<T>& items, const std::string& indent) {
  text += "[";
  for (std::size_t i = 0; i < items.size(); ++i)
    text += (i ? ",\n" : "\n") + indent + "  " + to_json(items[i]).dump();
  text += items.empty() ? "]" : "\n" + indent + "]";
}

} // namespace

std::string facts_to_json(const facts::ModelFacts& facts) {
  const Json head = {{"schema_version", facts_schema_version},
                     {"kernel", facts.kernel},
                     {"gpu", facts.gpu},
                     {"warp_width", facts.warp_width},
                     {"groups", facts.groups},
                     {"warps_per_group", facts.warps_per_group},
                     {"concurrent_groups", facts.concurrent_groups},
                     {"issue_limit", facts.issue_limit},
                     {"ilp", facts.ilp},
                     {"barriers_per_warp", facts.barriers_per_warp},
                     {"subsystems", facts.subsystems}};
  std::string text = "{\n";
  for (const auto& [key, value] : head.items())
    text += "  " + Json(key).dump() + ": " + value.dump() + ",\n";
  text += "  \"traffic\": " + to_json(facts.traffic).dump() + ",\n  \"mix\": ";
  append_lines(text, facts.mix, "  ");
  text += ",\n  \"flow\": ";
  append_lines(text, facts.flow, "  ");
  text += ",\n  \"warp_graphs\": " + Json(facts.warp_graphs).dump() + ",\n  \"graphs\": [";
  for (std::size_t i = 0; i < facts.graphs.size(); ++i) {
    text += i ? ",\n    " : "\n    ";
    append_lines(text, facts.graphs[i].instructions, "    ");
  }
  return text + (facts.graphs.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

} // namespace forewarp::models
