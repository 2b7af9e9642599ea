// In what order the groups of a wave come to L2.
//
// In step: all at the same memory instruction at one time. Where an SM sends its oldest group's requests
// first (GPU file: oldest_group_first), what a group asks for in one run of a basic block goes out at once:
// if a run of the whole wave asks for so much that L2 would lose the first lines before the last are asked
// for, the wave is taken in batches of as many groups as there are SMs (or whole multiples), each batch's run
// before the next batch's. On NVIDIA's boards measured scattered loads (OpenDwarfs csr, row sums) speak
// against it. Not modelled: waits inside a basic block (an address that was loaded in it), drift between
// runs.
#pragma once

#include "memory/waves/cohort.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace forewarp::memory {

/// What one wave asks of L2, roughly: blocks of its streams times the distinct shifts.
struct WaveDemand {
  std::uint64_t accesses = 0;
  std::uint64_t longest_run = 0; ///< accesses of the run that has most, all groups together
};
WaveDemand wave_demand(const StageInput& in, std::uint64_t wave);

class WaveOrder {
public:
  WaveOrder(const StageInput& in, const WaveDemand& demand, std::uint64_t l2_bytes);
  /// The wave's batches, oldest groups first.
  std::vector<GroupRange> batches(std::uint64_t wave) const;
  /// Steps that each batch takes before the next one may take any: runs, or 1 where all go in step.
  std::size_t runs() const { return runs_; }
  bool all_in_step() const { return starts_.empty(); }
  /// First and end of the stream events of a sample's warp in a run.
  std::pair<std::size_t, std::size_t> events(std::uint32_t sample, std::size_t warp, std::size_t run) const;

private:
  const StageInput& in_;
  std::uint64_t groups_per_batch_;
  std::size_t runs_ = 1;
  std::vector<std::vector<std::vector<std::size_t>>> starts_; ///< [sample][warp] of runs; empty: all in step
};

} // namespace forewarp::memory
