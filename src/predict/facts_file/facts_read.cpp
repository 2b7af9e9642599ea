#include "predict/facts_file/facts_io.h"
#include "predict/facts_file/facts_names.h"
#include "predict/facts_file/json_reader.h"

#include <fmt/format.h>

namespace forewarp::models {
namespace {

using Json = nlohmann::json;
using Report = JsonReader::Report;

template <class Kind, std::size_t N>
void read_kind(JsonReader& reader, Report& report, const std::array<std::string_view, N>& names, Kind& out) {
  std::string name;
  reader.text("kind", name, true);
  if (const auto kind = kind_from_name<Kind>(name, names))
    out = *kind;
  else
    report.fail(reader.at("kind"), fmt::format("unknown kind '{}'", name));
}

facts::ModelClass read_class(const Json& json, const std::string& pointer, Report& report) {
  facts::ModelClass row;
  JsonReader reader(json, pointer, report);
  reader.text("name", row.name, true);
  read_kind(reader, report, class_kind_names, row.kind);
  reader.count("subsystem", row.subsystem, true);
  reader.number("count_per_warp", row.count_per_warp, true);
  reader.number("lambda_cycles", row.lambda_cycles, true);
  reader.number("latency_cycles", row.latency_cycles, true);
  reader.flag("waited", row.waited);
  reader.done();
  return row;
}

facts::ModelInstruction read_instruction(const Json& json, const std::string& pointer,
                                         const facts::ModelFacts& facts, Report& report) {
  facts::ModelInstruction instruction;
  JsonReader reader(json, pointer, report);
  reader.count("class", instruction.mix_class, true);
  if (instruction.mix_class <
      facts.mix.size()) { // the class's means where the instruction has none of its own
    instruction.lambda_cycles = facts.mix[instruction.mix_class].lambda_cycles;
    instruction.latency_cycles = facts.mix[instruction.mix_class].latency_cycles;
  }
  reader.number("lambda_cycles", instruction.lambda_cycles);
  reader.number("latency_cycles", instruction.latency_cycles);
  reader.counts("after", instruction.predecessors);
  reader.done();
  return instruction;
}

facts::WarpGraph read_graph(const Json& json, const std::string& pointer, const facts::ModelFacts& facts,
                            Report& report) {
  facts::WarpGraph graph;
  if (!json.is_array()) {
    report.fail(pointer, "an array of instructions is expected");
    return graph;
  }
  for (std::size_t i = 0; i < json.size(); ++i)
    graph.instructions.push_back(read_instruction(json[i], fmt::format("{}/{}", pointer, i), facts, report));
  return graph;
}

facts::FlowNode read_node(const Json& json, const std::string& pointer, Report& report, int depth);

facts::FlowNode::Path read_path(const Json& json, const std::string& pointer, Report& report, int depth) {
  facts::FlowNode::Path path;
  JsonReader reader(json, pointer, report);
  reader.number("weight", path.weight);
  reader.array("nodes", [&](const Json& element, const std::string& place) {
    path.nodes.push_back(read_node(element, place, report, depth + 1));
  });
  reader.done();
  return path;
}

constexpr int max_depth = 200; ///< nesting of loops and branches

facts::FlowNode read_node(const Json& json, const std::string& pointer, Report& report, int depth) {
  facts::FlowNode node;
  if (depth > max_depth) {
    report.fail(pointer, fmt::format("loops and branches are nested more than {} deep", max_depth));
    return node;
  }
  JsonReader reader(json, pointer, report);
  read_kind(reader, report, node_kind_names, node.kind);
  using Kind = facts::FlowNode::Kind;
  if (node.kind == Kind::loop)
    reader.number("trips", node.trips, true);
  if (node.kind == Kind::loop || node.kind == Kind::branch) {
    reader.array("paths", [&](const Json& element, const std::string& place) {
      node.paths.push_back(read_path(element, place, report, depth));
    });
  } else {
    reader.count("id", node.id);
    reader.number("count", node.count);
    if (node.kind == Kind::compute)
      reader.number("ilp", node.ilp);
    reader.number("lambda_cycles", node.lambda_cycles, true);
    reader.number("latency_cycles", node.latency_cycles, true);
    reader.flag("waited", node.waited);
    reader.counts("uses", node.uses);
  }
  reader.done();
  return node;
}

void read_traffic(const Json& json, const std::string& pointer, facts::ModelTraffic& traffic,
                  Report& report) {
  JsonReader reader(json, pointer, report);
  reader.number("bytes_global", traffic.bytes_global);
  reader.number("bytes_l2", traffic.bytes_l2);
  reader.number("bytes_dram", traffic.bytes_dram);
  reader.number("bank_conflict_degree", traffic.bank_conflict_degree);
  reader.number("dram_lambda_cycles", traffic.dram_lambda_cycles);
  reader.number("dram_latency_cycles", traffic.dram_latency_cycles);
  reader.number("l2_lambda_cycles", traffic.l2_lambda_cycles);
  reader.number("l2_latency_cycles", traffic.l2_latency_cycles);
  reader.done();
}

facts::ModelFacts read_facts(const Json& json, Report& report) {
  facts::ModelFacts facts;
  JsonReader reader(json, "", report);
  std::uint32_t version = 0, warp_width = facts.warp_width;
  reader.count("schema_version", version, true);
  if (!report.first && version != facts_schema_version)
    report.fail("/schema_version", fmt::format("version {} is not {}", version, facts_schema_version));
  reader.text("kernel", facts.kernel);
  reader.text("gpu", facts.gpu);
  reader.count("warp_width", warp_width);
  facts.warp_width = warp_width;
  reader.number("groups", facts.groups, true);
  reader.number("warps_per_group", facts.warps_per_group, true);
  reader.number("concurrent_groups", facts.concurrent_groups, true);
  reader.number("issue_limit", facts.issue_limit);
  reader.number("ilp", facts.ilp);
  reader.number("barriers_per_warp", facts.barriers_per_warp);
  reader.texts("subsystems", facts.subsystems);
  reader.object("traffic", [&](const Json& element, const std::string& place) {
    read_traffic(element, place, facts.traffic, report);
  });
  reader.array("mix", [&](const Json& element, const std::string& place) {
    facts.mix.push_back(read_class(element, place, report));
  });
  reader.array("flow", [&](const Json& element, const std::string& place) {
    facts.flow.push_back(read_node(element, place, report, 0));
  });
  reader.counts("warp_graphs", facts.warp_graphs);
  reader.array("graphs", [&](const Json& element, const std::string& place) {
    facts.graphs.push_back(read_graph(element, place, facts, report));
  });
  reader.done();
  return facts;
}

} // namespace

Result<facts::ModelFacts> facts_from_json(const std::string& text, const std::string& name) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    return fail(ErrorCode::bad_input, fmt::format("not JSON: {}", error.what()),
                fmt::format("{}: byte {}", name, error.byte),
                "`forewarp models --facts-out FILE` writes such a file");
  }
  Report report{name, {}};
  facts::ModelFacts facts = read_facts(json, report);
  if (report.first)
    return tl::unexpected<Error>(*report.first);
  FOREWARP_TRY(check_facts(facts, name));
  return facts;
}

} // namespace forewarp::models
