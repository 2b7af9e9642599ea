#include "predict/model_facts/graphs.h"

#include "predict/published/memory_mapper.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace forewarp::predict::model_facts {
namespace {

constexpr std::uint32_t nobody = UINT32_MAX;

facts::WarpGraph graph_of(const hybrid::StreamTemplates& templates, const OpTable& table,
                          const facts::WarpTrace& warp, const std::vector<facts::AccessOutcome>& outcomes,
                          std::size_t most) {
  hybrid::TraceStream stream(templates, warp, outcomes, most);
  std::vector<std::uint32_t> writer(stream.register_count(), nobody);
  facts::WarpGraph graph;
  pipeline::Instruction instruction;
  while (stream.next(instruction)) {
    if (stream.gave_passed())
      continue; // the models count what has an effect
    const std::vector<OpRow>& rows = table.blocks[stream.block()];
    const OpRow& row = rows[stream.op_in_block()];
    facts::ModelInstruction node{row.mix_class, row.lambda_cycles, row.latency_cycles, {}};
    for (std::size_t op = stream.first_op_in_block(); op < stream.op_in_block(); ++op)
      node.lambda_cycles += rows[op].lambda_cycles;
    for (unsigned s = 0; s < instruction.source_count; ++s)
      if (instruction.sources[s] < writer.size() && writer[instruction.sources[s]] != nobody)
        node.predecessors.push_back(writer[instruction.sources[s]]);
    std::sort(node.predecessors.begin(), node.predecessors.end());
    node.predecessors.erase(std::unique(node.predecessors.begin(), node.predecessors.end()),
                            node.predecessors.end());
    if (instruction.destination != pipeline::no_register)
      writer[instruction.destination] = static_cast<std::uint32_t>(graph.instructions.size());
    graph.instructions.push_back(std::move(node));
  }
  return graph;
}

std::vector<std::uint32_t> path_of(const facts::WarpTrace& warp) {
  std::vector<std::uint32_t> path;
  path.reserve(warp.steps.size());
  for (const facts::BlockStep& step : warp.steps)
    path.push_back(step.block);
  return path;
}

std::size_t barriers_on(const std::vector<std::uint32_t>& path, const facts::MachineProgram& program) {
  std::size_t count = 0;
  for (const std::uint32_t block : path)
    for (const facts::MachineOp& op : program.blocks[block].ops)
      count += op.op == facts::OpClass::barrier;
  return count;
}

double length_of(const hybrid::StreamTemplates& templates, const facts::WarpTrace& warp) {
  std::size_t length = 0;
  for (const facts::BlockStep& step : warp.steps)
    length += templates.block(step.block).size();
  return static_cast<double>(length) / warp.recorded_share;
}

/// The group's warps by the path that they took.
struct Paths {
  std::vector<std::size_t> first_warp; ///< a warp of each path
  std::vector<double> length;          ///< machine instructions
  std::vector<std::size_t> barriers;
  std::vector<std::uint32_t> of_warp;
};

Paths find_paths(const TracedFacts& facts, const hybrid::StreamTemplates& templates,
                 const facts::GroupTrace& group) {
  Paths paths;
  std::map<std::vector<std::uint32_t>, std::uint32_t> known;
  for (std::size_t w = 0; w < group.warps.size(); ++w) {
    std::vector<std::uint32_t> path = path_of(group.warps[w]);
    const std::size_t barriers = barriers_on(path, facts.program);
    const auto [place, fresh] =
        known.emplace(std::move(path), static_cast<std::uint32_t>(paths.first_warp.size()));
    if (fresh) {
      paths.first_warp.push_back(w);
      paths.length.push_back(length_of(templates, group.warps[w]));
      paths.barriers.push_back(barriers);
    }
    paths.of_warp.push_back(place->second);
  }
  return paths;
}

double mean_length(const OpTable& table) {
  double length = 0;
  for (const facts::ModelClass& row : table.mix)
    length += row.count_per_warp;
  return length;
}

std::uint32_t nearest(const Paths& paths, double length) {
  const auto distance = [&](double value) { return std::abs(value - length); };
  const auto found = std::min_element(paths.length.begin(), paths.length.end(),
                                      [&](double a, double b) { return distance(a) < distance(b); });
  return static_cast<std::uint32_t>(found - paths.length.begin());
}

void note(std::vector<facts::Note>& notes, std::string text) {
  notes.push_back({facts::Note::Severity::assumption, std::move(text)});
}

/// Why one graph has to stand for all warps; empty: it need not.
std::string one_for_all(const Paths& paths, const GraphLimits& limits) {
  const double longest = *std::max_element(paths.length.begin(), paths.length.end());
  if (paths.length.size() == 1)
    return {};
  if (longest > static_cast<double>(limits.most_instructions))
    return "some are cut";
  if (*std::max_element(paths.barriers.begin(), paths.barriers.end()) !=
      *std::min_element(paths.barriers.begin(), paths.barriers.end()))
    return "some end before the group's last barrier";
  double all = 0;
  for (const double length : paths.length)
    all += length;
  if (all > static_cast<double>(limits.most_in_all))
    return fmt::format("together they have more than {} instructions", limits.most_in_all);
  return {};
}

} // namespace

void add_graphs(const TracedFacts& facts, const hybrid::StreamTemplates& templates, const OpTable& table,
                const GraphLimits& limits, facts::ModelFacts& out, std::vector<facts::Note>& notes) {
  const auto& classes = facts.trace.classes;
  const auto most = std::max_element(classes.begin(), classes.end(), [](const auto& a, const auto& b) {
    return a.weight_groups < b.weight_groups;
  });
  const std::uint32_t sample = most->samples.front();
  const facts::GroupTrace& group = facts.trace.groups[sample];
  const Paths paths = find_paths(facts, templates, group);
  const std::uint32_t chosen = nearest(paths, mean_length(table));
  const auto add = [&](std::uint32_t path) {
    const std::size_t w = paths.first_warp[path];
    out.graphs.push_back(graph_of(templates, table, group.warps[w], facts.memory.outcomes[sample][w],
                                  limits.most_instructions));
  };
  add(chosen);
  if (paths.length[chosen] > static_cast<double>(limits.most_instructions))
    note(notes, fmt::format("dependence graph: the first {} of {:.0f} instructions of a warp; counts are the "
                            "whole kernel's",
                            limits.most_instructions, paths.length[chosen]));
  if (const std::string why = one_for_all(paths, limits); !why.empty()) {
    note(notes, fmt::format("the warps of a group took {} different paths; the representative warp's graph "
                            "stands for all: {}",
                            paths.length.size(), why));
  } else if (paths.length.size() > 1) {
    std::vector<std::uint32_t> graph_of_path(paths.length.size(), 0);
    for (std::uint32_t path = 0; path < paths.length.size(); ++path)
      if (path != chosen) {
        graph_of_path[path] = static_cast<std::uint32_t>(out.graphs.size());
        add(path);
      }
    for (const std::uint32_t path : paths.of_warp)
      out.warp_graphs.push_back(graph_of_path[path]);
  }
  const facts::WarpGraph& graph = out.graphs.front();
  out.ilp = models::ilp_of(graph, 0, graph.instructions.size());
}

} // namespace forewarp::predict::model_facts
