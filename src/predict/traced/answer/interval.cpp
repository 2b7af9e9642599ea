#include "predict/traced/answer/interval.h"

#include <cmath>

namespace forewarp::predict::hybrid {
namespace {

// Standard deviations of the logarithm of predicted / measured. tools/fit_intervals.py reads them here, fits
// them, judges them on repositories and GPUs that were left out, and prints what it found times a margin for
// rows that nobody looked at: those are the values here.
constexpr double assumption_sigma = 0.10;     // per kind of policy that had to be applied
constexpr double gpu_value_sigma = 0.01;      // per assumed value of the GPU file; the fit says 0
constexpr double few_warps_sigma = 0.14;      // nothing hides what was missed in waiting
constexpr double many_registers_sigma = 0.23; // whether the compiler of the day spilled is not known
constexpr double spills_sigma = 0.61;
constexpr double older_assembler_sigma = 0.13; // its code was never beside ours; its releases differ
constexpr double amd_board_sigma = 0.26; // clocks and compilers that nobody recorded, rates of relatives
constexpr double closed_compiler_sigma = 0.48; // its code is not LLVM's (GPU files, opencl_compiler)
constexpr double few_warps = 0.25;             // of the most resident ones
constexpr double many_registers = 96;          // of a thread
constexpr double older_capability = 7;         // machine code has another encoding before Volta
constexpr double short_kernel_ms = 0.005;      // below this, fixed costs (known to +-50 %) are all of it

double square(double sigma) {
  return sigma * sigma;
}

/// Of what the answer rests on, beside policies.
double variance_of_basis(const Facts& facts) {
  const facts::ResourceUse& resources = facts.program.resources;
  double variance = square(gpu_value_sigma) * static_cast<double>(facts.machine.assumed.size());
  if (facts.occupancy.limiter != "grid" && facts.occupancy.fraction <= few_warps)
    variance += square(few_warps_sigma);
  if (resources.registers_per_thread >= many_registers)
    variance += square(many_registers_sigma);
  if (resources.spill_bytes_per_thread > 0)
    variance += square(spills_sigma);
  if (facts.machine.compute_capability > 0 && facts.machine.compute_capability < older_capability)
    variance += square(older_assembler_sigma);
  if (facts.machine.vendor == "amd")
    variance += square(amd_board_sigma);
  if (facts.machine.compiler.closed)
    variance += square(closed_compiler_sigma);
  return variance;
}

} // namespace

double model_sigma(facts::Limiter limiter) {
  using enum facts::Limiter;
  switch (limiter) {
  case dram_bandwidth:
    return 0.13;
  case constant_cache:
  case fp32:
  case fp64:
  case fp16:
  case integer:
  case sfu:
  case tensor:
  case atomics:
  case launch_overhead:
    return 0.17;
  case l2_bandwidth:
    return 0.46;
  case l1_bandwidth:
  case shared_memory:
  case issue:
  case memory_latency:
  case arithmetic_latency:
  case barrier:
  case imbalance:
    return 0.18;
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
  variance += variance_of_basis(facts);
  if (time_ms < short_kernel_ms)
    variance += 0.25 * 0.25;
  const double factor = std::exp(1.645 * std::sqrt(variance));
  return {time_ms / factor, time_ms * factor};
}

} // namespace forewarp::predict::hybrid
