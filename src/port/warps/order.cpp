#include "port/warps/order.h"

#include <algorithm>
#include <set>

namespace forewarp::port {
namespace {

using Graph = std::vector<std::set<std::uint32_t>>;

Graph observed_flow(const facts::RegionTrace& trace, std::set<std::uint32_t>& entries) {
  Graph flow(trace.blocks.size());
  for (const facts::RegionThread& thread : trace.threads) {
    if (thread.step_count == 0)
      continue;
    const std::uint32_t* steps = trace.steps.data() + thread.first_step;
    entries.insert(steps[0]);
    for (std::uint64_t s = 1; s < thread.step_count; ++s)
      flow[steps[s - 1]].insert(steps[s]);
  }
  return flow;
}

unsigned depth_of(const facts::RegionTrace& trace, std::uint32_t block) {
  unsigned depth = 0;
  for (std::uint32_t loop = trace.blocks[block].loop; loop != facts::no_region_index;
       loop = trace.loops[loop].parent)
    ++depth;
  return depth;
}

/// Depth first, without recursion; the postorder of blocks. Shallower successors (exits of loops) are walked
/// first, so that in the reversed order they come after the loop's own blocks.
void walk(const facts::RegionTrace& trace, const Graph& flow, std::uint32_t start, std::vector<bool>& seen,
          std::vector<std::uint32_t>& postorder) {
  struct Frame {
    std::uint32_t block;
    std::vector<std::uint32_t> next; ///< taken from the back
  };
  std::vector<Frame> stack;
  const auto enter = [&](std::uint32_t block) {
    seen[block] = true;
    Frame frame{block, {flow[block].begin(), flow[block].end()}};
    std::stable_sort(frame.next.begin(), frame.next.end(), [&](std::uint32_t a, std::uint32_t b) {
      return depth_of(trace, a) > depth_of(trace, b);
    });
    stack.push_back(std::move(frame));
  };
  enter(start);
  while (!stack.empty()) {
    Frame& top = stack.back();
    if (top.next.empty()) {
      postorder.push_back(top.block);
      stack.pop_back();
      continue;
    }
    const std::uint32_t next = top.next.back();
    top.next.pop_back();
    if (!seen[next])
      enter(next);
  }
}

} // namespace

std::vector<std::uint32_t> block_order(const facts::RegionTrace& trace) {
  std::set<std::uint32_t> entries;
  const Graph flow = observed_flow(trace, entries);
  std::vector<bool> seen(trace.blocks.size(), false);
  std::vector<std::uint32_t> postorder;
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry)
    if (!seen[*entry])
      walk(trace, flow, *entry, seen, postorder);
  std::vector<std::uint32_t> rank(trace.blocks.size(), static_cast<std::uint32_t>(trace.blocks.size()));
  for (std::size_t i = 0; i < postorder.size(); ++i)
    rank[postorder[i]] = static_cast<std::uint32_t>(postorder.size() - 1 - i);
  return rank;
}

} // namespace forewarp::port
