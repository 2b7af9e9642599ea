// One warp on the branch search: which lanes come to each block, what they do to memory, which way they go
// on.
#pragma once

#include "facts/trace.h"
#include "simt/sampling/recorder.h"
#include "statictrace/branch_search.h"
#include "statictrace/loop_bounds.h"
#include "statictrace/loop_schedule.h"
#include "statictrace/values.h"

#include <set>
#include <vector>

namespace forewarp::statictrace {

/// What all warps of a kernel share.
struct KernelView {
  const ir::KernelModule& module;
  const llvm::Function& function;
  const simt::Program& program;
  const SearchGraph& graph;
  const LoopBounds& bounds;
  const llvm::LoopInfo& loops;
  std::vector<const llvm::BasicBlock*> blocks;
  std::vector<std::vector<const llvm::Instruction*>> sites; ///< of each block, in order
  std::vector<std::uint32_t> first_site;                    ///< of each block

  KernelView(const ir::KernelModule& module, const llvm::Function& function, const simt::Program& program,
             const SearchGraph& graph, const LoopBounds& bounds, const llvm::LoopInfo& loops);
};

/// What was assumed, by source line.
struct Assumptions {
  bool data_leaves_loops =
      false; ///< some of `branches` leaves a loop whose bound is known: an end at the latest
  std::set<std::pair<std::uint32_t, std::uint32_t>> branches;              ///< file, line
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>> loops; ///< file, line, iterations
};

class WarpWalk final : public TraceWalk {
public:
  WarpWalk(const KernelView& kernel, Values& values, simt::MemoryMap& memory, std::uint64_t most_instructions,
           std::uint64_t most_bytes, Assumptions& assumptions);
  /// By depth of a loop, from 1: iterations that are visited at most; longer loops are counted
  /// (loop_schedule.h). Loops deeper than that, or whose bound is not known of each lane, are visited whole.
  void keep(std::vector<std::uint64_t> iterations) { keep_ = std::move(iterations); }
  /// The trace of one warp; `values.start_warp` came before. Its instructions are those of all iterations.
  facts::WarpTrace run();
  /// Steps and memory events are not recorded.
  void count_only() { records_ = false; }
  /// That steps and events of all iterations would take.
  double counted_bytes() const { return counted_bytes_; }
  /// Some loop was counted in part.
  bool counted() const { return counted_; }
  /// By depth of a loop, from 1: the longest.
  const std::vector<std::uint64_t>& longest() const { return longest_; }
  /// The last one is not whole.
  bool over_budget() const { return over_; }

  std::uint64_t loop_bound(std::uint32_t loop) override;
  bool visit(std::uint32_t node, bool again) override;
  bool loop_is_empty(std::uint32_t loop) const override;
  bool stop() const override { return over_; }

private:
  using Arrivals = std::vector<Values::Arrival>;
  static std::uint64_t lanes_of(const Arrivals& arrivals);
  const llvm::Loop& loop_of(std::uint32_t loop) const;
  void send(std::uint32_t to, const llvm::BasicBlock* from, std::uint64_t lanes);
  void record_step(std::uint32_t block, const Arrivals& from, std::uint64_t lanes);
  void record_event(const llvm::Instruction& instruction, std::uint32_t site, std::uint64_t lanes);
  void note_branch(const llvm::Instruction& end);
  void branch(std::uint32_t block, std::uint64_t lanes);
  void conditional(std::uint32_t block, const llvm::BranchInst& branch, std::uint64_t lanes);
  std::uint64_t staying(const llvm::Loop& loop, std::uint32_t number, std::uint64_t lanes) const;
  std::uint32_t number(const llvm::BasicBlock* block) const { return numbers_.lookup(block); }
  std::uint64_t used_bytes() const;
  LoopSchedule schedule_of(std::uint32_t loop, std::uint64_t lanes) const;
  double weight_of(std::uint32_t block) const;
  void find_ways_out();
  std::uint64_t leave_between(std::uint32_t loop, std::uint64_t iteration, Arrivals& from);

  const KernelView& kernel_;
  Values& values_;
  simt::MemoryMap& memory_;
  std::uint64_t most_instructions_, most_bytes_;
  Assumptions& assumptions_;
  llvm::DenseMap<const llvm::BasicBlock*, std::uint32_t> numbers_;
  std::vector<Arrivals> pending_;
  std::vector<LoopBound> bound_; ///< by loop of the graph, as the next two
  std::vector<LoopSchedule> schedule_;
  std::vector<std::uint64_t> visit_;
  std::vector<std::uint64_t> keep_, longest_;
  /// Of a loop with one way out behind which nothing of its own is used: that way. Its lanes may leave in
  /// iterations that are not visited.
  struct WayOut {
    const llvm::BasicBlock* from = nullptr;
    const llvm::BasicBlock* to = nullptr;
  };
  std::vector<WayOut> way_out_; ///< by loop of the graph
  double instructions_ = 0, recorded_ = 0, charged_ = 0, counted_bytes_ = 0;
  bool counted_ = false;
  facts::WarpTrace trace_;
  simt::LastOffsets last_;
  bool over_ = false, records_ = true;
};

} // namespace forewarp::statictrace
