// The context-dependent mapper g of P (section 6.3): lambda and Lambda of memory instructions from traffic
// and bank conflicts. Pure functions; the facts' builder applies them.
#pragma once

#include "facts/model_facts.h"

namespace forewarp::models {

struct MemoryTimes {
  double lambda_cycles = 0, latency_cycles = 0;
};

/// Global memory. `ratio` R = bytes moved from DRAM / bytes asked of global memory. R < 1: the rest comes
/// from L2, mean of both. R = 1: DRAM. R > 1: every access moves R times its bytes, Lambda_DRAM + (R - 1)
/// lambda_DRAM.
MemoryTimes map_global_memory(double ratio, const MemoryTimes& dram, const MemoryTimes& l2);

/// On-chip ("local" in OpenCL, "shared" in CUDA) memory with `degree` D extra passes per access: Lambda + D
/// lambda, (1 + D) lambda.
MemoryTimes map_shared_memory(double degree, const MemoryTimes& conflict_free);

/// Throughput of four-byte loads of all SMs (P section 4.3), 1e9 B/s.
double load_throughput_gbps(double sm_count, double warp_width, double lambda_cycles, double clock_ghz);

/// Work flow graph of straight-line code: stretches of computations become blocks with their own ILP
/// (instructions / longest chain inside the block), memory accesses and barriers single nodes, def-use edges
/// from memory the dependence arcs. For warps whose control flow is not known beyond the trace.
std::vector<facts::FlowNode> flow_from_graph(const facts::ModelFacts& facts, const facts::WarpGraph& graph);
/// The same for instructions [begin, end), a block of a kernel: predecessors may lie anywhere, those after
/// their use belong to an iteration before. A memory node's id is its index in `graph` plus one.
std::vector<facts::FlowNode> flow_from_range(const facts::ModelFacts& facts, const facts::WarpGraph& graph,
                                             std::size_t begin, std::size_t end);

/// Instructions / longest def-use chain of instructions [begin, end); 1 for an empty range.
double ilp_of(const facts::WarpGraph& graph, std::size_t begin, std::size_t end);

} // namespace forewarp::models
