// A kernel's control-flow graph as plain numbers. Blocks are numbered as in trace and machine program.
#pragma once

#include <cstdint>
#include <vector>

namespace forewarp::facts {

inline constexpr std::uint32_t no_block = UINT32_MAX;
inline constexpr std::uint32_t no_loop = UINT32_MAX;

struct ControlFlow {
  struct Loop {
    std::uint32_t header = 0, parent = no_loop;
  };
  std::vector<std::vector<std::uint32_t>> successors; ///< by block, each once
  std::vector<std::uint32_t> post_dominator;          ///< immediate; no_block: the end
  std::vector<std::uint32_t> loop;                    ///< innermost loop of a block
  std::vector<Loop> loops;

  bool contains(std::uint32_t outer, std::uint32_t block) const {
    for (std::uint32_t l = loop[block]; l != no_loop; l = loops[l].parent)
      if (l == outer)
        return true;
    return outer == no_loop;
  }
};

} // namespace forewarp::facts
