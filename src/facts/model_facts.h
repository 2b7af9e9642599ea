// What the published models and the Pipeline simulator know about one kernel on one GPU: the same facts for
// all (design law 6). Made by engine from trace, machine program and memory profile, or read from a facts
// file.
//
// Symbols of Lemeire et al. (P): alpha = count per warp, lambda = cycles per warp instruction at the level of
// one SM (inverse throughput; a quarter cycle where four sub-cores have a unit each), Lambda = latency in
// cycles, omega = concurrent warps of an SM, gamma = concurrent groups of an SM. Warp instructions
// throughout, SM clock cycles.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace forewarp::facts {

enum class ModelClassKind : std::uint8_t {
  compute,
  memory,        ///< global, local, texture: goes to the memory system
  shared_memory, ///< on-chip, counts as computation where a model knows two subsystems only
  barrier,
};

/// A row of the instruction mix.
struct ModelClass {
  std::string name; ///< operation class or any word ("fp32_fma", "load_global")
  ModelClassKind kind = ModelClassKind::compute;
  std::uint32_t subsystem = 0; ///< index into ModelFacts::subsystems
  double count_per_warp = 0;   ///< alpha
  double lambda_cycles = 1;    ///< mean
  double latency_cycles = 1;   ///< Lambda, mean
  bool waited = true;          ///< a result comes back (loads); false: stores
};

/// A vertex of the instruction dependence graph (P section 3.1.1). Vertices are in program order.
struct ModelInstruction {
  std::uint32_t mix_class = 0; ///< index into ModelFacts::mix
  double lambda_cycles = 1;    ///< of this instruction (context-dependent mapper g)
  double latency_cycles = 1;
  std::vector<std::uint32_t> predecessors; ///< def-use; each smaller than the vertex's own index
};

/// The instruction sequence of one warp.
struct WarpGraph {
  std::vector<ModelInstruction> instructions;
};

/// A node of the work flow graph, already as the tree of its reductions (Baghsorkhi et al., Fig. 2 and 3):
/// blocks in sequence, loops with their trip count, branches with their weighted paths.
struct FlowNode {
  enum class Kind : std::uint8_t {
    compute,
    memory,
    shared_memory,
    barrier,
    loop,
    branch
  } kind = Kind::compute;
  std::uint32_t id = 0; ///< of memory nodes: what `uses` refer to; unique, not 0 where it is used
  double count = 1;     ///< instructions of a compute node (alpha_i), accesses of a memory node
  double ilp = 1;       ///< of a compute node: instructions / longest def-use chain
  double lambda_cycles = 1, latency_cycles = 1; ///< mean of the node's instructions
  bool waited = true; ///< memory: somebody needs the result (the end of the kernel where no node uses it)
  std::vector<std::uint32_t> uses; ///< memory nodes whose result this node needs
  double trips = 1;                ///< loop
  struct Path {
    double weight = 1; ///< share of the warps that run it
    std::vector<FlowNode> nodes;
  };
  std::vector<Path> paths; ///< loop: one, the body; branch: each way
};

/// P section 6.3's numbers for the context-dependent mapper.
struct ModelTraffic {
  double bytes_global = 0;             ///< asked by the lanes, whole grid
  double bytes_l2 = 0, bytes_dram = 0; ///< moved, whole grid
  double bank_conflict_degree = 0;     ///< D: extra passes per shared-memory access
  double dram_lambda_cycles = 0, dram_latency_cycles = 0, l2_lambda_cycles = 0, l2_latency_cycles = 0;
  double ratio() const { return bytes_global > 0 ? bytes_dram / bytes_global : 0; } ///< R
};

struct ModelFacts {
  std::string kernel, gpu;
  unsigned warp_width = 32;
  double groups = 1;            ///< whole grid
  double warps_per_group = 1;   ///< |gamma| in warps
  double concurrent_groups = 1; ///< gamma
  double issue_limit = 0;       ///< IL, instructions per cycle and SM; 0: none
  double ilp = 1;               ///< overall: instructions / longest def-use chain of the representative warp
  double barriers_per_warp = 0; ///< alpha_sync
  std::vector<std::string> subsystems;
  std::vector<ModelClass> mix;
  std::vector<WarpGraph> graphs;          ///< [0] is the representative warp's
  std::vector<std::uint32_t> warp_graphs; ///< graph of each warp of a group; empty: all run graph 0
  std::vector<FlowNode> flow;             ///< work flow graph; empty: not known
  ModelTraffic traffic;

  double concurrent_warps() const { return concurrent_groups * warps_per_group; } ///< omega
};

} // namespace forewarp::facts
