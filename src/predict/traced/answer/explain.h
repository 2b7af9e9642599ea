// From bounds and stalls to limiter, shares of causes and costly lines.
#pragma once

#include "predict/traced/answer/bounds.h"

namespace forewarp::predict::hybrid {

struct Explanation {
  facts::Limiter limiter = facts::Limiter::issue;
  std::vector<facts::CauseShare> causes; ///< adds up to 1, largest first
  std::vector<facts::LineCost> lines;
};

/// `cycles`: of the kernel without fixed costs; `fixed_cycles`: start-up of the kernel on the device.
///
/// Rule: a resource in use for at least `limiter_utilisation` of the time is the limiter; else the largest
/// cause is. Waiting for memory is put down to the busiest server in proportion to its use and to latency for
/// the rest; waiting for a unit to the busiest units; the share of an uneven last wave to imbalance.
Explanation explain(const Facts& facts, const SmLoad& load, const SmRun& run,
                    const std::vector<Bound>& bounds, double cycles, double fixed_cycles);

inline constexpr double limiter_utilisation = 0.7;

} // namespace forewarp::predict::hybrid
