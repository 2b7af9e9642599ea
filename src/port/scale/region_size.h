// What a region does at one size: threads, runs of each basic block by a thread, launches, bytes to copy.
// Read off one traced run, or extrapolated from several small ones (the trace itself stays the small run's:
// DRAM rates do not depend on its size from 128 up, C section 3.7 and Table 4).
#pragma once

#include "facts/region_trace.h"
#include "support/result.h"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace forewarp::port {

using Sizes = std::map<std::string, double>; ///< -D name -> value

struct RegionSize {
  std::array<double, 3> extents = {1, 1, 1}; ///< of the detailed launch, outermost first
  double threads = 1;                        ///< of the detailed launch
  std::vector<double> block_runs;            ///< of the detailed launch, by one thread: by RegionBlock
  double launches = 1;
  double work_launches = 1; ///< work of all launches / the detailed launch's (basic blocks run)
  double copy_in_bytes = 0, copy_out_bytes = 0;
  std::vector<double> object_bytes; ///< by RegionObject
  // how it came about
  double error = 0; ///< largest relative miss of a rule that no further run confirms
  std::string method = "as traced";
};

RegionSize size_of(const facts::RegionTrace& trace);

struct SizedRun {
  Sizes sizes;
  const facts::RegionTrace* trace = nullptr;
};

/// Sizes at which to run so that `wanted` can be extrapolated from `traced`: the traced size first, then
/// smaller ones on the line from there to `wanted`. One entry where nothing differs. Errors: bad_input (a
/// wanted name without a traced value, a size below 1, a traced size too small to go below).
Result<std::vector<Sizes>> scaling_runs(const Sizes& traced, const Sizes& wanted);

/// The wanted name that grows most: the runs are told apart by it. Empty: nothing changes.
std::string leading_size(const Sizes& traced, const Sizes& wanted);

/// Runs in the order of scaling_runs. Errors: bad_input (the runs differ in their loops or blocks: the sizes
/// change the code itself).
Result<RegionSize> scale(const std::vector<SizedRun>& runs, const Sizes& wanted);

} // namespace forewarp::port
