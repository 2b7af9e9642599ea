// Values that are computed from a group's index, as a list of operations: what addresses rest on.
#pragma once

#include "facts/launch.h"
#include "simt/index_operations.h"

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace forewarp::simt {

/// How a value depends on the group's index.
enum class Rests : std::uint8_t { not_at_all, linearly, otherwise };

struct Node {
  index::Op op = index::constant_op;
  int a = -1, b = -1, c = -1;
  unsigned width = 64;
  std::uint64_t value =
      0; ///< constant; axis of the group's index; predicate of a comparison; number of a buffer
  Rests rests = Rests::not_at_all;
};

/// Each node's sources stand before it.
class IndexNodes {
public:
  Rests rests(int node) const { return nodes_[static_cast<std::size_t>(node)].rests; }
  unsigned node_width(int node) const { return nodes_[static_cast<std::size_t>(node)].width; }
  std::size_t size() const { return nodes_.size(); }
  int add(Node node) {
    nodes_.push_back(node);
    return static_cast<int>(nodes_.size()) - 1;
  }
  /// Number of a buffer that nodes read.
  std::uint64_t add(const facts::BufferValue& buffer) {
    buffers_.push_back(&buffer);
    return buffers_.size() - 1;
  }

  /// Values of all nodes in one group.
  std::vector<std::uint64_t> values_in(const facts::Dim3& group) const {
    std::vector<std::uint64_t> values(nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      values[i] = index::cut(value_of(nodes_[i], group, values), nodes_[i].width);
    return values;
  }
  /// Nodes that `wanted` (site, node) rest on and that another group has other values of; sources first.
  std::vector<std::size_t> changing(const std::vector<std::pair<std::size_t, int>>& wanted) const {
    std::vector<bool> needed(nodes_.size(), false);
    for (const auto& [site, node] : wanted)
      needed[static_cast<std::size_t>(node)] = true;
    std::vector<std::size_t> found;
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      const Node& n = nodes_[i];
      if (!needed[i] || n.rests == Rests::not_at_all)
        continue;
      found.push_back(i);
      const int third = n.op == index::compare_op ? -1 : n.c; // of a comparison: a width
      for (const int source : {n.a, n.b, third})
        if (source >= 0)
          needed[static_cast<std::size_t>(source)] = true;
    }
    return {found.rbegin(), found.rend()};
  }
  /// Of these nodes in another group.
  void move(const facts::Dim3& group, const std::vector<std::size_t>& nodes,
            std::vector<std::uint64_t>& values) const {
    for (const std::size_t i : nodes)
      values[i] = index::cut(value_of(nodes_[i], group, values), nodes_[i].width);
  }

private:
  std::uint64_t value_of(const Node& n, const facts::Dim3& group,
                         const std::vector<std::uint64_t>& values) const {
    using namespace index;
    using I = llvm::Instruction;
    const auto at = [&](int i) { return values[static_cast<std::size_t>(i)]; };
    switch (n.op) {
    case constant_op:
      return n.value;
    case group_op:
      return n.value == 0 ? group.x : n.value == 1 ? group.y : group.z;
    case load_op: {
      const std::vector<std::uint8_t>& bytes = buffers_[n.value]->contents.bytes;
      std::uint64_t read = 0; // of a place outside too: no group goes there, or the samples say otherwise
      if (at(n.a) <= bytes.size() && bytes.size() - at(n.a) >= n.width / 8)
        std::memcpy(&read, bytes.data() + at(n.a), n.width / 8);
      return read;
    }
    case I::Select:
      return at(n.a) != 0 ? at(n.b) : at(n.c);
    case I::SExt:
    case I::ZExt:
    case I::UIToFP:
    case I::SIToFP:
    case absolute:
    case reciprocal:
    case narrow_up:
    case to_unsigned:
    case to_signed:
    case whole_part:
    case flushed:
      return converted(n.op, at(n.a), static_cast<unsigned>(n.value), n.width);
    case compare_op:
      return holds(static_cast<llvm::CmpInst::Predicate>(n.value), at(n.a), at(n.b),
                   static_cast<unsigned>(n.c))
                 ? 1
                 : 0;
    default:
      return binary(n.op, at(n.a), at(n.b), n.width);
    }
  }

  std::vector<Node> nodes_;
  std::vector<const facts::BufferValue*> buffers_;
};

} // namespace forewarp::simt
