#include "engine/hybrid/interval.h"

#include <cmath>

namespace forewarp::engine::hybrid {
namespace {

// Standard deviations of the logarithm of predicted / measured.
constexpr double model_sigma = 0.35;
constexpr double assumption_sigma = 0.15; // per kind of policy that had to be applied
constexpr double gpu_value_sigma = 0.01;  // per assumed value of the GPU file
constexpr double short_kernel_ms = 0.005; // below this, fixed costs (known to +-50 %) are all of it

} // namespace

std::array<double, 2> interval_ms(double time_ms, const Facts& facts) {
  double variance = model_sigma * model_sigma;
  variance += facts.trace.sampling_relative_error * facts.trace.sampling_relative_error;
  for (const facts::Note& note : facts.trace.notes)
    if (note.severity == facts::Note::Severity::assumption)
      variance += assumption_sigma * assumption_sigma;
  for (const facts::Note& note : facts.memory.notes)
    if (note.severity == facts::Note::Severity::assumption)
      variance += assumption_sigma * assumption_sigma;
  variance += gpu_value_sigma * gpu_value_sigma * static_cast<double>(facts.machine.assumed.size());
  if (time_ms < short_kernel_ms)
    variance += 0.25 * 0.25;
  const double factor = std::exp(1.645 * std::sqrt(variance));
  return {time_ms / factor, time_ms * factor};
}

} // namespace forewarp::engine::hybrid
