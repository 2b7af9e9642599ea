#include "gpu/dram_rates.h"

#include <algorithm>
#include <cmath>

namespace forewarp::gpu {

namespace {

constexpr double free_arrays = 4, measured_arrays = 16;

/// Time goes from that of one rate to that of the other.
double between(double one, double many, double share) {
  return share <= 0 || many <= 0 || many >= one ? one : 1 / ((1 - share) / one + share / many);
}

} // namespace

DramRates dram_rates(const MemoryTiming& memory, double bytes_read, double bytes_written,
                     double like_arrays) {
  const double doublings = std::log2(std::max(1.0, like_arrays) / free_arrays);
  const double many = std::clamp(doublings / std::log2(measured_arrays / free_arrays), 0.0, 1.0);
  DramRates rates{between(memory.dram_read_gbps, memory.dram_arrays_read_gbps, many),
                  between(memory.dram_write_gbps, memory.dram_arrays_write_gbps, many)};
  const double total = bytes_read + bytes_written;
  if (total <= 0 || memory.dram_copy_gbps <= 0)
    return rates;
  const double share = bytes_read / total;
  const double half_and_half = 2 / (1 / memory.dram_read_gbps + 1 / memory.dram_write_gbps);
  const double turnaround = std::min(0.0, memory.dram_copy_gbps / half_and_half - 1);
  const double factor = 1 + 4 * share * (1 - share) * turnaround;
  return {rates.read_gbps * factor, rates.write_gbps * factor};
}

double bytes_per_cycle(const Machine& machine, double gbps) {
  return gbps * 1e9 / (machine.sm_clock_mhz * 1e6);
}

} // namespace forewarp::gpu
