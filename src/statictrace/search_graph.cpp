#include "statictrace/search_graph.h"

#include "ir/loops/control_flow.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>

#include <algorithm>

namespace forewarp::statictrace {
namespace {

class Builder {
public:
  Builder(const llvm::Function& function, const llvm::LoopInfo& loops)
      : function_(function), flow_(ir::control_flow(function, loops)) {}

  Result<SearchGraph> build() {
    graph_.blocks = static_cast<std::uint32_t>(flow_.successors.size());
    for (const std::uint32_t loop : flow_.loop)
      add_node(loop);
    for (const facts::ControlFlow::Loop& loop : flow_.loops)
      graph_.loops.push_back(
          {loop.header, loop.parent, loop.parent == no_loop ? 1 : graph_.loops[loop.parent].depth + 1});
    for (std::uint32_t block = 0; block < graph_.blocks; ++block)
      add_edges(block);
    join_latches();
    join_exits();
    graph_.close();
    if (has_circle())
      return fail(ErrorCode::unsupported, "a cycle of the control flow has two entries",
                  function_.getName().str(),
                  "leave out --trace static: the executed trace takes such kernels");
    return std::move(graph_);
  }

private:
  std::uint32_t add_node(std::uint32_t loop) {
    graph_.forward.emplace_back();
    graph_.back.emplace_back();
    graph_.loop.push_back(loop);
    return static_cast<std::uint32_t>(graph_.forward.size() - 1);
  }

  void add_edges(std::uint32_t from) {
    for (const std::uint32_t to : flow_.successors[from]) {
      const std::uint32_t loop = flow_.loop[to];
      const bool is_back = loop != no_loop && flow_.loops[loop].header == to && flow_.contains(loop, from);
      (is_back ? graph_.back : graph_.forward)[from].push_back(to);
    }
  }

  void join_latches() {
    for (std::uint32_t l = 0; l < graph_.loops.size(); ++l) {
      const std::uint32_t header = graph_.loops[l].header;
      std::vector<std::uint32_t> sources;
      for (std::uint32_t n = 0; n < graph_.size(); ++n)
        if (std::find(graph_.back[n].begin(), graph_.back[n].end(), header) != graph_.back[n].end())
          sources.push_back(n);
      if (sources.size() < 2)
        continue;
      const std::uint32_t latch = add_node(l);
      graph_.back[latch].push_back(header);
      for (const std::uint32_t source : sources) {
        std::erase(graph_.back[source], header);
        graph_.forward[source].push_back(latch);
      }
    }
  }

  void join_exits() {
    std::vector<std::uint32_t> ends;
    for (std::uint32_t n = 0; n < graph_.size(); ++n)
      if (graph_.forward[n].empty() && graph_.back[n].empty())
        ends.push_back(n);
    if (ends.size() == 1) {
      graph_.exit = ends.front();
      return;
    }
    graph_.exit = add_node(no_loop);
    for (const std::uint32_t end : ends)
      graph_.forward[end].push_back(graph_.exit);
  }

  bool has_circle() const {
    for (std::uint32_t n = 0; n < graph_.size(); ++n)
      for (const std::uint32_t next : graph_.forward[n])
        if (graph_.reaches(next, n))
          return true;
    return false;
  }

  const llvm::Function& function_;
  const facts::ControlFlow flow_;
  SearchGraph graph_;
};

} // namespace

void SearchGraph::close() {
  const std::size_t words = (size() + 63) / 64;
  reach_.assign(size(), std::vector<std::uint64_t>(words));
  for (std::uint32_t n = 0; n < size(); ++n) {
    std::vector<std::uint32_t> open{n};
    reach_[n][n / 64] |= std::uint64_t{1} << (n % 64);
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      for (const std::uint32_t next : forward[at])
        if (!reaches(n, next)) {
          reach_[n][next / 64] |= std::uint64_t{1} << (next % 64);
          open.push_back(next);
        }
    }
  }
}

Result<SearchGraph> search_graph(const llvm::Function& function, const llvm::LoopInfo& loops) {
  return Builder(function, loops).build();
}

} // namespace forewarp::statictrace
