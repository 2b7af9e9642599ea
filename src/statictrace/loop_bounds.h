// How often loops run: H's three steps (Wang et al., DATE 2019, section III-A2) - a constant, LLVM's scalar
// evolution, the search for the induction variable - evaluated for a warp where it enters the loop.
#pragma once

#include "facts/source_location.h"
#include "simt/run.h"
#include "statictrace/values.h"

#include <string_view>
#include <vector>

namespace forewarp::statictrace {

/// Where a bound comes from.
enum class BoundSource { constant, scalar_evolution, induction_variable, conditions, given, assumed };
std::string_view to_string(BoundSource source);

struct LoopBound {
  /// Runs of the header until each lane leaves; unknown: `most` for all.
  Lanes of_lane = Lanes::unknown();
  std::uint64_t most = 1; ///< of the active lanes, at least 1; UINT64_MAX: until the conditions end it
  BoundSource source = BoundSource::assumed;
};

class LoopBounds {
public:
  LoopBounds(const ir::KernelModule& module, KernelAnalyses& analyses, simt::UnknownPolicy policy);
  /// Of a loop that `active` lanes enter; values.enter() came before. A bound that depends on the work-item
  /// is the largest of the warp's; its lanes leave one by one.
  LoopBound bound(const llvm::Loop& loop, Values& values, std::uint64_t active) const;
  /// The source line of the branch that decides, as `--trip-count` names it.
  facts::SourceLocation location(const llvm::Loop& loop) const;

private:
  struct Exit {
    const llvm::BasicBlock* exiting = nullptr;
    const llvm::SCEV* count = nullptr; ///< backedges taken before this exit
    std::optional<ExitTest> test;
  };
  Lanes runs(const Exit& exit, Values& values) const;
  Lanes runs(const ExitTest& test, Values& values) const;

  const ir::KernelModule& module_;
  simt::UnknownPolicy policy_;
  llvm::DenseMap<const llvm::Loop*, std::vector<Exit>> exits_;
};

} // namespace forewarp::statictrace
