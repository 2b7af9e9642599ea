// The simulated SM: which groups it runs, at what share of the GPU's bandwidth, and how its time grows with
// groups.
#pragma once

#include "predict/traced/hybrid.h"
#include "predict/traced/streams/simulation_store.h"
#include "predict/traced/streams/streams.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace forewarp::predict::hybrid {

struct SmLoad {
  double groups_total = 0;
  double groups_on_sm = 0; ///< of the most loaded SM
  unsigned concurrent_groups = 0;
  double active_sms = 0;
  BandwidthShares shares;
};

/// How the grid spreads over the GPU: groups are dealt breadth-first; an SM with more groups than the mean
/// draws a proportionally larger part of the shared bandwidth, up to its own port.
SmLoad spread(const Facts& facts);
/// `groups`: a part of the grid that has the GPU to itself.
SmLoad spread(const Facts& facts, double groups);

/// A group that no SM is done before.
struct LongestGroup {
  std::uint32_t sample = 0; ///< index into KernelTrace::groups
  double cycles = 0;        ///< to its end, by itself from its start
  double others_cycles = 0; ///< of the SM with the mean of all groups
};

struct SmRun {
  double cycles = 0; ///< for all groups of the SM
  double simulated_cycles = 0;
  std::optional<LongestGroup> longest = std::nullopt; ///< where it ends later than all others
  double resident_warps = 0;                          ///< mean over the whole load
  double simulated_share = 1;                         ///< simulated / whole work of the SM
  pipeline::Outcome outcome;                          ///< of the simulated part
  std::vector<double> tag_stall_cycles;
  std::vector<facts::SourceLocation> tag_locations;
};

/// Warp instructions.
struct SimulationBudget {
  double waves = 5e5; ///< as many waves as these hold, at least one and at most four, show the steady state
  double simulated = 5e4; ///< longer ones are simulated in parts of that many (trace_cuts.h)
  double dearest = 4e5;   ///< and of up to so many
  double most_waves = 4;
  double short_waves = 3e4; ///< more, where these hold more of them
};
/// By the shortcuts that are taken.
SimulationBudget simulation_budget(const facts::Shortcuts& shortcuts);

/// Simulates some waves and extends the result to the SM's whole load. Simulations that `kept` holds are not
/// run again; the answer is the same.
Result<SmRun> run_sm(const Facts& facts, const SmLoad& load, const KeptSimulations& kept,
                     const SimulationBudget& budget);
inline Result<SmRun> run_sm(const Facts& facts, const SmLoad& load, const KeptSimulations& kept = {}) {
  return run_sm(facts, load, kept, simulation_budget(facts.shortcuts));
}

} // namespace forewarp::predict::hybrid
