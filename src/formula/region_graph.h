// The program dependence graph of a kernel (Ferrante et al. 1987; W section 2.2): regions with the conditions
// that they stand under and their weights, and the data that flows between them.
#pragma once

#include "formula/formula.h"

namespace forewarp::formula {

struct RegionGraph {
  /// Blocks that run under the same conditions: W's region node, with the predicate above it.
  struct Region {
    std::size_t parent = SIZE_MAX; ///< SIZE_MAX: the kernel's root
    bool is_loop = false;
    std::string predicate; ///< of a work-item in the parent region; a loop's number of iterations
    std::vector<std::uint32_t> blocks;
    std::uint32_t first_line = 0, last_line = 0;
    double instructions = 0;     ///< of the blocks themselves, without inner regions
    double local_ilp = 1;        ///< instructions / longest def-use chain, of its own blocks
    symbolic::Expression weight; ///< runs by all warps of the grid
  };
  struct Flow {
    std::size_t from = 0, to = 0; ///< regions
    std::size_t values = 0;       ///< values that one makes and the other uses
    bool from_memory = false;     ///< a load of global memory is among them
  };
  std::vector<Region> regions; ///< [0] is the root; parents come first
  std::vector<Flow> flows;
};

RegionGraph region_graph(const Formula& formula);
std::string to_text(const RegionGraph& graph, const Formula& formula);
std::string to_dot(const RegionGraph& graph, const Formula& formula);

} // namespace forewarp::formula
