#include "predict/traced/answer/interval.h"

#include <cmath>

namespace forewarp::predict::hybrid {
namespace {

// Standard deviations of the logarithm of predicted / measured.
constexpr double assumption_sigma = 0.15; // per kind of policy that had to be applied
constexpr double gpu_value_sigma = 0.01;  // per assumed value of the GPU file
// Of kernels as auto-tuners try them, more goes wrong: waiting that few warps do not hide, registers and spills that
// are estimated.
constexpr double few_warps_sigma = 0.00;
constexpr double many_registers_sigma = 0.00;
constexpr double spills_sigma = 0.00;
constexpr double few_warps = 0.25;      // of the most resident warps
constexpr double many_registers = 96;   // of a thread
constexpr double short_kernel_ms = 0.005; // below this, fixed costs (known to +-50 %) are all of it

} // namespace

double model_sigma(facts::Limiter limiter) {
  using enum facts::Limiter;
  switch (limiter) {
  case dram_bandwidth:
  case constant_cache:
  case fp32:
  case fp64:
  case fp16:
  case integer:
  case sfu:
  case tensor:
  case atomics:
  case launch_overhead:
    return 0.18;
  case l2_bandwidth:
    return 0.36;
  case l1_bandwidth:
  case shared_memory:
  case issue:
  case memory_latency:
  case arithmetic_latency:
  case barrier:
  case imbalance:
    return 0.26;
  }
  return 0.36;
}

std::array<double, 2> interval_ms(double time_ms, double own_sigma, const Facts& facts) {
  double variance = own_sigma * own_sigma;
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

} // namespace forewarp::predict::hybrid
