// How many configurations have to be measured to have a good one, given predictions with errors.
#pragma once

#include <cstdint>
#include <functional>

namespace forewarp::explore {

/// Error model: a configuration's true time is its predicted time * exp(b + e). b is common to the sweep and
/// does not change the order; e is normal with mean 0, standard deviation `sigma`, and independent between
/// configurations.
struct TimedConfiguration {
  double time_ms = 0;
  double sigma = 0; ///< of the natural logarithm of the time
};

/// sigma of an error of which 90 % lie in the interval and a few far outside, 1.3 times that of a normal
/// variable; the share `common` (0 to 1) of the variance is b's.
double sigma_of(double low_ms, double high_ms, double common);

struct Confidence {
  double sure = 0.95;   ///< probability asked for
  double within = 0.05; ///< of the best: true time <= (1 + within) * the least true time
};

/// Calls its argument for every configuration, shortest predicted time first; may be asked twice.
using ConfigurationStream = std::function<void(const std::function<bool(const TimedConfiguration&)>&)>;

/// The least k such that, with probability `sure`, one of the k configurations of shortest predicted time is
/// truly within `within` of the best of all. Computed on a grid of ln(time), without chance; memory does not
/// grow with the number of configurations. 0: there is none.
std::uint64_t configurations_to_measure(const ConfigurationStream& stream, const Confidence& confidence);

/// Probability that configuration `b` is truly faster than `a`.
double probability_faster(const TimedConfiguration& b, const TimedConfiguration& a);

} // namespace forewarp::explore
