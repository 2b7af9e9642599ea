#include "predict/published/memory_mapper.h"

#include <algorithm>

namespace forewarp::models {
namespace {

using facts::FlowNode;
using facts::ModelClassKind;

FlowNode plain_node(FlowNode::Kind kind, const facts::ModelInstruction& instruction) {
  return {
      .kind = kind, .lambda_cycles = instruction.lambda_cycles, .latency_cycles = instruction.latency_cycles};
}

FlowNode::Kind node_kind(ModelClassKind kind) {
  switch (kind) {
  case ModelClassKind::memory:
    return FlowNode::Kind::memory;
  case ModelClassKind::shared_memory:
    return FlowNode::Kind::shared_memory;
  case ModelClassKind::barrier:
    return FlowNode::Kind::barrier;
  case ModelClassKind::compute:
    break;
  }
  return FlowNode::Kind::compute;
}

class StraightFlow {
public:
  StraightFlow(const facts::ModelFacts& facts, const facts::WarpGraph& graph, std::size_t begin,
               std::size_t end)
      : facts_(facts), graph_(graph), begin_(begin), end_(end) {}

  std::vector<FlowNode> build() {
    for (std::size_t i = begin_; i < end_; ++i) {
      const FlowNode::Kind kind = node_kind(row(i).kind);
      std::vector<std::uint32_t> uses = loads_before(i);
      // A use starts a block of its own: what precedes it need not wait for the load.
      if (kind != FlowNode::Kind::compute || (!uses.empty() && i > begin_))
        close_block(i);
      pending_.insert(pending_.end(), uses.begin(), uses.end());
      if (kind == FlowNode::Kind::compute)
        continue;
      FlowNode node = plain_node(kind, graph_.instructions[i]);
      node.waited = row(i).waited;
      if (kind == FlowNode::Kind::memory)
        node.id = static_cast<std::uint32_t>(i + 1);
      push(std::move(node));
      begin_ = i + 1;
    }
    close_block(end_);
    return std::move(flow_);
  }

private:
  const facts::ModelClass& row(std::size_t i) const { return facts_.mix[graph_.instructions[i].mix_class]; }

  std::vector<std::uint32_t> loads_before(std::size_t i) const {
    std::vector<std::uint32_t> loads;
    for (const std::uint32_t predecessor : graph_.instructions[i].predecessors)
      if (row(predecessor).kind == ModelClassKind::memory)
        loads.push_back(predecessor + 1);
    return loads;
  }
  void push(FlowNode node) {
    std::sort(pending_.begin(), pending_.end());
    pending_.erase(std::unique(pending_.begin(), pending_.end()), pending_.end());
    node.uses = std::move(pending_);
    pending_.clear();
    flow_.push_back(std::move(node));
  }
  void close_block(std::size_t end) {
    if (begin_ == end)
      return;
    FlowNode node{.kind = FlowNode::Kind::compute, .lambda_cycles = 0, .latency_cycles = 0};
    node.count = static_cast<double>(end - begin_);
    node.ilp = ilp_of(graph_, begin_, end);
    for (std::size_t i = begin_; i < end; ++i) {
      node.lambda_cycles += graph_.instructions[i].lambda_cycles / node.count;
      node.latency_cycles += graph_.instructions[i].latency_cycles / node.count;
    }
    push(std::move(node));
    begin_ = end;
  }

  const facts::ModelFacts& facts_;
  const facts::WarpGraph& graph_;
  std::vector<FlowNode> flow_;
  std::vector<std::uint32_t> pending_; ///< loads that the open block uses
  std::size_t begin_, end_;            ///< of what is left
};

} // namespace

MemoryTimes map_global_memory(double ratio, const MemoryTimes& dram, const MemoryTimes& l2) {
  if (ratio < 1)
    return {ratio * dram.lambda_cycles + (1 - ratio) * l2.lambda_cycles,
            ratio * dram.latency_cycles + (1 - ratio) * l2.latency_cycles};
  return {ratio * dram.lambda_cycles, dram.latency_cycles + (ratio - 1) * dram.lambda_cycles};
}

MemoryTimes map_shared_memory(double degree, const MemoryTimes& conflict_free) {
  return {(1 + degree) * conflict_free.lambda_cycles,
          conflict_free.latency_cycles + degree * conflict_free.lambda_cycles};
}

double load_throughput_gbps(double sm_count, double warp_width, double lambda_cycles, double clock_ghz) {
  return sm_count * warp_width * 4 / lambda_cycles * clock_ghz;
}

std::vector<FlowNode> flow_from_graph(const facts::ModelFacts& facts, const facts::WarpGraph& graph) {
  return flow_from_range(facts, graph, 0, graph.instructions.size());
}

std::vector<FlowNode> flow_from_range(const facts::ModelFacts& facts, const facts::WarpGraph& graph,
                                      std::size_t begin, std::size_t end) {
  return StraightFlow(facts, graph, begin, end).build();
}

double ilp_of(const facts::WarpGraph& graph, std::size_t begin, std::size_t end) {
  std::vector<std::size_t> depth(end - begin, 1);
  std::size_t longest = 1;
  for (std::size_t i = begin; i < end; ++i) {
    for (const std::uint32_t predecessor : graph.instructions[i].predecessors)
      if (predecessor >= begin && predecessor < i)
        depth[i - begin] = std::max(depth[i - begin], depth[predecessor - begin] + 1);
    longest = std::max(longest, depth[i - begin]);
  }
  return begin < end ? static_cast<double>(end - begin) / static_cast<double>(longest) : 1;
}

} // namespace forewarp::models
