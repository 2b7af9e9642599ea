// A number of groups on the simulated SM: whole, or in parts of their traces from which the whole follows.
#pragma once

#include "predict/traced/hybrid.h"
#include "predict/traced/streams/simulation_store.h"
#include "predict/traced/streams/streams.h"
#include "predict/traced/waves/sm_run.h"
#include "predict/traced/waves/trace_cuts.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace forewarp::predict::hybrid {

/// Simulates parts of the traces, and longer ones until they stand for the whole: what they hold asks of the
/// memory system what the rest does, and a part twice as long does not take another time per instruction.
class PartialRun {
public:
  /// `dealt`: samples of `classes` in the order in which they start. References outlive it.
  PartialRun(const Facts& facts, const std::vector<facts::BehaviourClass>& classes,
             const pipeline::Configuration& configuration, const StreamTemplates& templates,
             std::vector<std::uint32_t> dealt, const KeptSimulations& kept);

  /// `instructions`: of all groups.
  Result<pipeline::Outcome> run(double instructions, const SimulationBudget& budget);
  /// The same, but nothing where the parts do not stand for the whole.
  Result<std::optional<pipeline::Outcome>> run_parts(double instructions, const SimulationBudget& budget);

private:
  struct Stretches {
    TwoParts parts;
    double difference = 0; ///< TraceCutter::difference_of
  };
  /// Stretches of the whole of each loop, where its first iterations ask for another thing than the rest: few
  /// that are like the rest, or those that differ least. `longer_share`: of the instructions, by the longer
  /// part.
  std::optional<Stretches> stretches_of(double longer_share) const;
  Result<pipeline::Outcome> run_both(const TwoParts& parts);
  Result<pipeline::Outcome> run(const TraceCuts* cuts);
  Result<pipeline::Outcome> simulate(const TraceCuts* cuts);

  const Facts& facts_;
  const StreamTemplates& templates_;
  KeptSimulations kept_;
  const pipeline::Configuration& configuration_;
  std::vector<std::uint32_t> dealt_;
  std::vector<facts::BehaviourClass> classes_; ///< that they come from, weighed by their number
};

} // namespace forewarp::predict::hybrid
