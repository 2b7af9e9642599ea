// A marked loop in the optimised module: its loops, blocks, instructions and sites, and what can be said
// without a run.
#pragma once

#include "facts/region_trace.h"
#include "port/source/mark.h"
#include "support/result.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace forewarp::port {

inline constexpr unsigned max_parallel_loops = 3;

/// A function that the region calls, copied so that only the region's calls are recorded.
struct StaticRegion {
  RegionMark mark;
  llvm::Function* function = nullptr;
  llvm::BasicBlock* header = nullptr;          ///< of the outermost loop
  std::vector<llvm::BasicBlock*> blocks;       ///< index = RegionBlock
  std::vector<llvm::BasicBlock*> loop_headers; ///< index = RegionLoop
  std::vector<llvm::PHINode*> inductions;      ///< index = RegionLoop; null: none found
  std::vector<llvm::Instruction*> sites;       ///< index = RegionSite: loads and stores
  std::vector<llvm::Function*> callees;        ///< recorded copies, in order of first call
  std::set<std::string> called;                ///< names of the originals
  unsigned candidates = 1;                     ///< nested loops that could be parallel, from the outermost
  std::map<const llvm::GlobalVariable*, std::string> globals; ///< touched by name
  std::vector<std::string> site_names;                        ///< variable behind each site, "" unknown
  facts::RegionTrace facts; ///< static part filled; dependences: those of scalars in registers
};

/// Regions of `marks` in an optimised module, in the order of the marks; a mark inside a template may give
/// several, one that the optimiser removed gives none. Changes the module: calls start new blocks, callees
/// are copied.
std::vector<StaticRegion> find_regions(llvm::Module& module, const std::vector<RegionMark>& marks,
                                       const std::vector<SourceLoop>& source_loops);

/// The loop of `function` that begins at the mark's place; null: none.
llvm::Loop* find_marked_loop(llvm::LoopInfo& loops, const RegionMark& mark);

} // namespace forewarp::port
