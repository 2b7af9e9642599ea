// The control-flow graph that H's branch search walks (Wang et al., DATE 2019, section III-B2): a graph
// without circles, and backedges apart from it. Plain numbers; nodes 0 .. blocks-1 are the kernel's blocks,
// further ones hold no instructions.
#pragma once

#include "facts/machine_code/control_flow.h"
#include "support/result.h"

#include <cstdint>
#include <vector>

namespace llvm {
class Function;
class LoopInfo;
} // namespace llvm

namespace forewarp::statictrace {

using facts::no_loop;

struct SearchGraph {
  struct Loop {
    std::uint32_t header = 0, parent = no_loop;
    unsigned depth = 1;
  };
  std::uint32_t blocks = 0; ///< of the kernel
  std::uint32_t entry = 0, exit = 0;
  std::vector<std::vector<std::uint32_t>>
      forward; ///< destinations of non-backedges, in the IR's order, each once
  std::vector<std::vector<std::uint32_t>> back; ///< destinations (headers) of backedges
  std::vector<std::uint32_t> loop;              ///< innermost loop of a node
  std::vector<Loop> loops;

  std::size_t size() const { return forward.size(); }
  bool reaches(std::uint32_t from, std::uint32_t to) const {
    return (reach_[from][to / 64] >> (to % 64) & 1) != 0;
  }
  /// `node` lies on a path of non-backedges from `from` to `to`; both ends do where there is one.
  bool on_path(std::uint32_t from, std::uint32_t node, std::uint32_t to) const {
    return reaches(from, node) && reaches(node, to);
  }
  bool contains(std::uint32_t outer, std::uint32_t node) const {
    for (std::uint32_t l = loop[node]; l != no_loop; l = loops[l].parent)
      if (l == outer)
        return true;
    return outer == no_loop;
  }
  /// Sets what `reaches` reads; after the edges. Nodes reach themselves.
  void close();

private:
  std::vector<std::vector<std::uint64_t>> reach_;
};

/// Each loop gets one source of backedges, the kernel one exit: where there are several, a node without
/// instructions stands between. Errors: unsupported (a cycle with two entries: H's assumption on circles,
/// that they lie inside or beside each other, does not hold).
Result<SearchGraph> search_graph(const llvm::Function& function, const llvm::LoopInfo& loops);

} // namespace forewarp::statictrace
