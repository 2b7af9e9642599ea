// The shared L2 and DRAM: what the L1s of all SMs let through, wave by wave, groups in step.
//
// Groups of one wave run in step (wave_order.h): at one event all of them ask at the same time, so that
// equal addresses are one access and m - 1 hits (lock-step sharing). Groups whose addresses are affine are
// not walked one by one: distinct address shifts with their multiplicity are. Only a share of the lines is
// simulated when the stream is long (line_sampling.h). Not modelled: compression, TLBs.
#pragma once

#include "memory/l1/l1_stage.h"
#include "memory/waves/site_sectors.h"

#include <vector>

namespace forewarp::memory {

struct L2Result {
  std::vector<SiteSectors> sites;
  double footprint_bytes = 0, footprint_read_bytes = 0, footprint_written_bytes = 0, first_wave_bytes = 0;
  double dirty_at_end_bytes = 0;
  std::uint64_t one_line_in = 1; ///< so many lines of the stream was simulated
  std::uint64_t waves_simulated = 0;
  std::uint64_t accesses = 0; ///< block accesses simulated
};

struct L2Options {
  bool warm = false;
  double others_dirty = 0; ///< share of it that others left to be written (dirty_sectors.h)
  std::uint64_t max_simulated_accesses =
      20'000; ///< of all simulated waves, about; decides the share of lines
  /// Grids with fewer are run wave by wave to their end; others for as many waves as stay below, two at
  /// least.
  std::uint64_t exact_accesses = 50'000;
  /// Of waves with more simulated ones the middle of a steady loop is left out (steady_loop.h).
  double long_wave_accesses = 1e6;
};

L2Result run_l2(const StageInput& in, const L1Result& l1, const L2Options& options);

} // namespace forewarp::memory
