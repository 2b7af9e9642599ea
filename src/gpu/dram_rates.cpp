#include "gpu/dram_rates.h"

#include <algorithm>

namespace forewarp::gpu {

DramRates dram_rates(const MemoryTiming& memory, double bytes_read, double bytes_written) {
  DramRates rates{memory.dram_read_gbps, memory.dram_write_gbps};
  const double total = bytes_read + bytes_written;
  if (total <= 0 || memory.dram_copy_gbps <= 0)
    return rates;
  const double share = bytes_read / total;
  const double half_and_half = 2 / (1 / rates.read_gbps + 1 / rates.write_gbps);
  const double turnaround = std::min(0.0, memory.dram_copy_gbps / half_and_half - 1);
  const double factor = 1 + 4 * share * (1 - share) * turnaround;
  return {rates.read_gbps * factor, rates.write_gbps * factor};
}

double bytes_per_cycle(const Machine& machine, double gbps) {
  return gbps * 1e9 / (machine.sm_clock_mhz * 1e6);
}

} // namespace forewarp::gpu
