#include "predict/facts_file/facts_io.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>

namespace forewarp::models {
namespace {

using facts::FlowNode;

/// Where a number stands; spelt out only when it is wrong.
class Place {
public:
  Place(std::string_view pointer) : pointer_(pointer) {}
  Place(const std::string& pointer) : pointer_(pointer) {}
  Place(const char* pointer) : pointer_(pointer) {}
  /// A field of an entry of the list that the pointer names.
  Place(std::string_view list, std::size_t index, std::string_view field)
      : pointer_(list), index_(index), field_(field) {}
  std::string text() const {
    return field_.empty() ? std::string(pointer_) : fmt::format("{}/{}/{}", pointer_, index_, field_);
  }

private:
  std::string_view pointer_;
  std::size_t index_ = 0;
  std::string_view field_;
};

class Checker {
public:
  Checker(const facts::ModelFacts& facts, const std::string& name) : facts_(facts), name_(name) {}

  Result<void> run() {
    numbers();
    for (std::size_t i = 0; i < facts_.mix.size() && !error_; ++i)
      mix_row(facts_.mix[i], fmt::format("/mix/{}", i));
    for (std::size_t i = 0; i < facts_.graphs.size() && !error_; ++i)
      graph(facts_.graphs[i], fmt::format("/graphs/{}", i));
    warp_graphs();
    barriers();
    flow_ids(facts_.flow, "/flow");
    flow(facts_.flow, "/flow");
    if (error_)
      return tl::unexpected<Error>(*error_);
    return {};
  }

private:
  void report(const std::string& pointer, std::string message,
              std::string hint = "`forewarp models --facts-out FILE` writes a file that holds") {
    if (!error_)
      error_ = Error{ErrorCode::bad_input, std::move(message), name_ + ": " + pointer, std::move(hint)};
  }
  void positive(double value, const Place& place) {
    if (!(value > 0) || !std::isfinite(value))
      report(place.text(), fmt::format("{} is not a positive number", value));
  }
  void not_negative(double value, const Place& place) {
    if (!(value >= 0) || !std::isfinite(value))
      report(place.text(), fmt::format("{} is negative or not a number", value));
  }
  void numbers() {
    positive(facts_.groups, "/groups");
    positive(facts_.warps_per_group, "/warps_per_group");
    positive(facts_.concurrent_groups, "/concurrent_groups");
    positive(facts_.ilp, "/ilp");
    not_negative(facts_.issue_limit, "/issue_limit");
    not_negative(facts_.barriers_per_warp, "/barriers_per_warp");
  }
  void mix_row(const facts::ModelClass& row, const std::string& pointer) {
    if (row.subsystem >= facts_.subsystems.size())
      report(pointer + "/subsystem", fmt::format("there is no subsystem {}", row.subsystem),
             fmt::format("'subsystems' has {}", facts_.subsystems.size()));
    not_negative(row.count_per_warp, pointer + "/count_per_warp");
    not_negative(row.lambda_cycles, pointer + "/lambda_cycles");
    not_negative(row.latency_cycles, pointer + "/latency_cycles");
  }
  void graph(const facts::WarpGraph& graph, const std::string& pointer) {
    for (std::size_t i = 0; i < graph.instructions.size() && !error_; ++i) {
      const facts::ModelInstruction& instruction = graph.instructions[i];
      if (instruction.mix_class >= facts_.mix.size())
        report(fmt::format("{}/{}/class", pointer, i),
               fmt::format("there is no row {} in 'mix'", instruction.mix_class));
      not_negative(instruction.lambda_cycles, {pointer, i, "lambda_cycles"});
      not_negative(instruction.latency_cycles, {pointer, i, "latency_cycles"});
      for (std::size_t p = 0; p < instruction.predecessors.size(); ++p)
        if (instruction.predecessors[p] >= i)
          report(
              fmt::format("{}/{}/after/{}", pointer, i, p),
              fmt::format(
                  "instruction {} depends on instruction {}, which does not come before it: the graph would "
                  "have a cycle",
                  i, instruction.predecessors[p]),
              "list instructions in program order; a dependence names an earlier one");
    }
  }
  void warp_graphs() {
    for (std::size_t i = 0; i < facts_.warp_graphs.size(); ++i)
      if (facts_.warp_graphs[i] >= facts_.graphs.size())
        report(fmt::format("/warp_graphs/{}", i), fmt::format("there is no graph {}", facts_.warp_graphs[i]));
    if (!facts_.warp_graphs.empty() &&
        static_cast<double>(facts_.warp_graphs.size()) != facts_.warps_per_group)
      report("/warp_graphs", fmt::format("{} entries for {} warps of a group", facts_.warp_graphs.size(),
                                         facts_.warps_per_group));
  }
  std::size_t barrier_count(std::uint32_t index) const {
    std::size_t count = 0;
    for (const facts::ModelInstruction& instruction : facts_.graphs[index].instructions)
      count += facts_.mix[instruction.mix_class].kind == facts::ModelClassKind::barrier;
    return count;
  }
  void barriers() {
    for (std::size_t i = 1; i < facts_.warp_graphs.size() && !error_; ++i) {
      const std::size_t first = barrier_count(facts_.warp_graphs[0]),
                        here = barrier_count(facts_.warp_graphs[i]);
      if (first != here)
        report(fmt::format("/warp_graphs/{}", i),
               fmt::format("warp {} of a group passes {} barriers and warp 0 passes {}: barrier {} is not "
                           "reached by all",
                           i, here, first, std::min(first, here)));
    }
  }
  static std::string path_of(const std::string& pointer, std::size_t node, std::size_t path) {
    return fmt::format("{}/{}/paths/{}/nodes", pointer, node, path);
  }
  void flow_ids(const std::vector<FlowNode>& nodes, const std::string& pointer) {
    for (std::size_t i = 0; i < nodes.size() && !error_; ++i) {
      if (nodes[i].kind == FlowNode::Kind::memory && nodes[i].id != 0 && !ids_.insert(nodes[i].id).second)
        report(fmt::format("{}/{}/id", pointer, i), fmt::format("two memory nodes have id {}", nodes[i].id));
      for (std::size_t p = 0; p < nodes[i].paths.size(); ++p)
        flow_ids(nodes[i].paths[p].nodes, path_of(pointer, i, p));
    }
  }
  void flow(const std::vector<FlowNode>& nodes, const std::string& pointer) {
    for (std::size_t i = 0; i < nodes.size() && !error_; ++i) {
      const FlowNode& node = nodes[i];
      not_negative(node.count, {pointer, i, "count"});
      positive(node.ilp, {pointer, i, "ilp"});
      not_negative(node.lambda_cycles, {pointer, i, "lambda_cycles"});
      not_negative(node.latency_cycles, {pointer, i, "latency_cycles"});
      not_negative(node.trips, {pointer, i, "trips"});
      for (const std::uint32_t id : node.uses)
        if (!ids_.contains(id))
          report(fmt::format("{}/{}/uses", pointer, i), fmt::format("no memory node has id {}", id));
      if (node.kind == FlowNode::Kind::loop && node.paths.size() != 1)
        report(fmt::format("{}/{}/paths", pointer, i),
               fmt::format("a loop has one path, its body; found {}", node.paths.size()));
      if (node.kind == FlowNode::Kind::branch && node.paths.empty())
        report(fmt::format("{}/{}/paths", pointer, i), "a branch needs at least one path");
      for (std::size_t p = 0; p < node.paths.size(); ++p) {
        not_negative(node.paths[p].weight, fmt::format("{}/{}/paths/{}/weight", pointer, i, p));
        flow(node.paths[p].nodes, path_of(pointer, i, p));
      }
    }
  }

  const facts::ModelFacts& facts_;
  const std::string& name_;
  std::optional<Error> error_;
  std::set<std::uint32_t> ids_;
};

} // namespace

Result<void> check_facts(const facts::ModelFacts& facts, const std::string& name) {
  return Checker(facts, name).run();
}

} // namespace forewarp::models
