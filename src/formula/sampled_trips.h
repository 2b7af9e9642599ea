// Iterations of loops and runs of blocks that rest on data, from sampled warps run on the user's data
// (Baghsorkhi et al. 2010, section 4.3): W runs a slice of the kernel, with what trip counts rest on, for one
// warp on each SM. Here the interpreter runs a group an SM, and of it only the values that branches and
// addresses rest on (simt/asked_values.h); all warps of the groups count.
#pragma once

#include "engine/plan.h"
#include "symbolic/kernel/kernel_values.h"

namespace forewarp::formula {

struct SampledTrips {
  /// Mean runs of the header for one entry, by the header's block, of loops without a closed bound; 0 where
  /// no sampled warp entered it. In sixteenths.
  std::map<std::uint32_t, symbolic::Rational> header_runs;
  struct Line {
    std::uint32_t line = 0;
    double mean = 0, most = 0; ///< runs of the header for one entry of a warp
    double lanes = 0;          ///< mean lanes of a warp in them
  };
  std::vector<Line> lines; ///< the same for the reader
  /// Mean runs per warp, by block.
  std::vector<double> block_runs;
  std::size_t groups = 0, warps = 0;
};

/// Blocks whose running rests on data: their own condition does, or that of a loop around them.
std::vector<bool> rest_on_data(const symbolic::KernelValues& values);

/// Errors: of the run.
Result<SampledTrips> sampled_trips(const engine::PredictRequest& request, const engine::Target& target,
                                   const symbolic::KernelValues& values);

} // namespace forewarp::formula
