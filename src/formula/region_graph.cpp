#include "formula/region_graph.h"
#include "formula/formula_source.h"

#include "formula/cost_table.h"
#include "predict/published/memory_mapper.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace forewarp::formula {
namespace {

using Region = RegionGraph::Region;

class Builder {
public:
  explicit Builder(const Formula& formula)
      : formula_(formula),
        values_(formula.made_of->target.compiled->module, *formula.made_of->target.compiled->kernel),
        table_(cost_table(formula.made_of->target)), region_of_(values_.block_count(), 0) {}

  RegionGraph build() {
    graph_.regions.push_back({.predicate = "always", .weight = formula_.made_of->runs.warps});
    for (std::uint32_t l = 0; l < values_.loops().size(); ++l)
      loop_region(l);
    for (std::uint32_t block = 0; block < values_.block_count(); ++block) {
      const std::size_t region = condition_region(values_.loop_of(block), values_.reached(block), block);
      region_of_[block] = region;
      graph_.regions[region].blocks.push_back(block);
    }
    for (Region& region : graph_.regions)
      measure(region);
    flows();
    return std::move(graph_);
  }

private:
  std::size_t loop_region(std::uint32_t loop) {
    if (const auto known = loops_.find(loop); known != loops_.end())
      return known->second;
    const symbolic::Loop& what = values_.loops()[loop];
    const std::size_t parent = condition_region(what.parent, values_.entered(loop), what.header);
    const std::size_t index = graph_.regions.size();
    graph_.regions.push_back({.parent = parent,
                              .is_loop = true,
                              .predicate = what.trips.text() + " iterations",
                              .weight = formula_.made_of->runs.blocks[what.header]});
    loops_.emplace(loop, index);
    return index;
  }
  /// The region of what stands in `loop` under a condition.
  std::size_t condition_region(std::uint32_t loop, const symbolic::Condition& condition,
                               std::uint32_t block) {
    const std::size_t outer = loop == symbolic::no_loop ? 0 : loop_region(loop);
    if (condition.is_always())
      return outer;
    const std::string predicate = symbolic::text(condition);
    const auto [place, fresh] = conditions_.emplace(std::pair{outer, predicate}, graph_.regions.size());
    if (fresh)
      graph_.regions.push_back(
          {.parent = outer, .predicate = predicate, .weight = formula_.made_of->runs.blocks[block]});
    return place->second;
  }

  void measure(Region& region) {
    double chains = 0;
    for (const std::uint32_t block : region.blocks) {
      const std::size_t first = table_.graph.first[block], end = table_.graph.first[block + 1];
      region.instructions += static_cast<double>(end - first);
      if (end > first)
        chains += static_cast<double>(end - first) / models::ilp_of(table_.graph.graph, first, end);
      for (const facts::MachineOp& op : formula_.made_of->target.program->blocks[block].ops) {
        if (op.location.line == 0)
          continue;
        region.first_line =
            region.first_line == 0 ? op.location.line : std::min(region.first_line, op.location.line);
        region.last_line = std::max(region.last_line, op.location.line);
      }
    }
    region.local_ilp = chains > 0 ? region.instructions / chains : 1;
  }

  std::uint32_t block_of(std::size_t operation) const {
    const auto after = std::upper_bound(table_.graph.first.begin(), table_.graph.first.end(), operation);
    return static_cast<std::uint32_t>(after - table_.graph.first.begin()) - 1;
  }
  void flows() {
    std::map<std::pair<std::size_t, std::size_t>, RegionGraph::Flow> all;
    const auto& instructions = table_.graph.graph.instructions;
    for (std::size_t i = 0; i < instructions.size(); ++i)
      for (const std::uint32_t before : instructions[i].predecessors) {
        const std::size_t from = region_of_[block_of(before)], to = region_of_[block_of(i)];
        if (from == to)
          continue;
        RegionGraph::Flow& flow = all[{from, to}];
        flow.from = from;
        flow.to = to;
        ++flow.values;
        flow.from_memory = flow.from_memory || table_.mix.mix[instructions[before].mix_class].kind ==
                                                   facts::ModelClassKind::memory;
      }
    for (const auto& [key, flow] : all)
      graph_.flows.push_back(flow);
  }

  const Formula& formula_;
  symbolic::KernelValues values_;
  CostTable table_;
  RegionGraph graph_;
  std::vector<std::size_t> region_of_;
  std::map<std::uint32_t, std::size_t> loops_;
  std::map<std::pair<std::size_t, std::string>, std::size_t> conditions_;
};

std::string shortened(const std::string& text) {
  constexpr std::size_t longest = 100;
  return text.size() <= longest ? text : text.substr(0, longest) + " ...";
}
std::string lines_of(const Region& region) {
  return region.first_line == 0 ? std::string("no lines")
         : region.first_line == region.last_line
             ? fmt::format("line {}", region.first_line)
             : fmt::format("lines {}-{}", region.first_line, region.last_line);
}

} // namespace

RegionGraph region_graph(const Formula& formula) {
  return Builder(formula).build();
}

std::string to_text(const RegionGraph& graph, const Formula& formula) {
  std::string text = fmt::format("{} on {}: program dependence graph\n", formula.kernel, formula.gpu);
  const std::function<void(std::size_t, std::size_t)> add = [&](std::size_t index, std::size_t depth) {
    const Region& region = graph.regions[index];
    text +=
        fmt::format("{}R{} {}{}: {}, {} instructions, ILP {:.2f}, weight {}\n", std::string(2 * depth, ' '),
                    index, region.is_loop ? "loop, " : "", shortened(region.predicate), lines_of(region),
                    region.instructions, region.local_ilp, shortened(region.weight.text()));
    for (std::size_t i = 0; i < graph.regions.size(); ++i)
      if (graph.regions[i].parent == index)
        add(i, depth + 1);
  };
  add(0, 0);
  for (const RegionGraph::Flow& flow : graph.flows)
    text += fmt::format("R{} -> R{}: {} values{}\n", flow.from, flow.to, flow.values,
                        flow.from_memory ? ", from memory" : "");
  return text;
}

std::string to_dot(const RegionGraph& graph, const Formula& formula) {
  std::string text = fmt::format("digraph \"{}\" {{\n  node [shape=ellipse];\n", formula.kernel);
  for (std::size_t i = 0; i < graph.regions.size(); ++i) {
    const Region& region = graph.regions[i];
    text +=
        fmt::format("  R{0} [label=\"R{0}: {1}\\n{2} instructions, ILP {3:.2f}\\nweight {4}\"];\n", i,
                    lines_of(region), region.instructions, region.local_ilp, shortened(region.weight.text()));
    if (region.parent == SIZE_MAX)
      continue;
    text += fmt::format("  P{0} [shape=box, label=\"{1}\"];\n  R{2} -> P{0};\n  P{0} -> R{0};\n", i,
                        shortened(region.predicate), region.parent);
  }
  for (const RegionGraph::Flow& flow : graph.flows)
    text += fmt::format("  R{} -> R{} [style=dashed, label=\"{}\"];\n", flow.from, flow.to, flow.values);
  return text + "}\n";
}

} // namespace forewarp::formula
