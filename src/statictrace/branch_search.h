// Algorithms 1 to 3 of Wang, Huang, Knoll, Qian (DATE 2019): the loop-based bidirectional branch search that
// puts the blocks of the control-flow graph in the order of one warp's trace.
//
// Read as follows where the print cannot be meant (docs/models/wang2019.md gives each with its reason):
//   - Alg. 1 line 4: until tau = E and E is visited; line 8: nodes whose mask is 1 are kept.
//   - Alg. 2: the count of the next level is taken down by 1 where a level is reset (the text's borrow);
//   counts
//     start at the bound, of outer levels at the bound less the iteration that has begun.
//   - Alg. 3 line 18: the non-backedges are searched, too, where all backedge targets are exhausted; lines
//   26-28:
//     a node that lies in tau's own loop goes before one that leaves it, not only the source of a backedge;
//     lines 29-40: the remaining heads of branch paths are stored when the stack holds others as well, unless
//     they are on it (printed: only on an empty stack, which loses the second path of a branch below a
//     branch); of the stack, the topmost node that no other of its nodes comes before is taken, where the
//     print has its top (a loop's two exits of which one leads to the other).
#pragma once

#include "statictrace/search_graph.h"

#include <cstdint>
#include <vector>

namespace forewarp::statictrace {

/// What the search asks of the kernel.
class TraceWalk {
public:
  virtual ~TraceWalk() = default;
  /// calcLoopBound of Alg. 2: iterations of the loop that begins now, at least 1. Asked at its header.
  virtual std::uint64_t loop_bound(std::uint32_t loop) = 0;
  /// updateExecTrace's last part: the node is appended to the trace, or found to be a branch miss (false).
  /// `again`: a header that is reached by its backedge.
  virtual bool visit(std::uint32_t node, bool again) = 0;
  /// No lane is left that would go through the header once more: the rest of the loop would be all misses.
  virtual bool loop_is_empty(std::uint32_t loop) const = 0;
  /// The trace is to end here.
  virtual bool stop() const = 0;
};

void search_trace(const SearchGraph& graph, TraceWalk& walk);

} // namespace forewarp::statictrace
