#include "engine/hybrid/simulated_inputs.h"

#include <bit>
#include <cmath>

namespace forewarp::engine::hybrid {
namespace {

float rounded(float value) {
  constexpr float below_one = 65536.0F; // where floats are 1/128 apart
  if (value < 1)
    return (value + below_one) - below_one;
  // The lower 16 of the 23 digits behind the first go; half of their step is added before.
  return std::bit_cast<float>((std::bit_cast<std::uint32_t>(value) + 0x8000U) & ~0xFFFFU);
}

double rounded_share(double value) {
  constexpr int digits = 9;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::round(std::ldexp(fraction, digits)), exponent - digits);
}

} // namespace

facts::AccessOutcome as_simulated(const facts::AccessOutcome& outcome) {
  facts::AccessOutcome out = outcome;
  out.transactions = rounded(outcome.transactions);
  out.sectors = rounded(outcome.sectors);
  out.l2_sectors = rounded(outcome.l2_sectors);
  out.dram_sectors = rounded(outcome.dram_sectors);
  out.dram_extra_sectors = rounded(outcome.dram_extra_sectors);
  out.l3_sectors = rounded(outcome.l3_sectors);
  return out;
}

BandwidthShares as_simulated(const BandwidthShares& shares) {
  return {rounded_share(shares.port_bytes_per_cycle), rounded_share(shares.l2_bytes_per_cycle),
          rounded_share(shares.dram_read_bytes_per_cycle), rounded_share(shares.dram_write_bytes_per_cycle),
          rounded_share(shares.l3_bytes_per_cycle)};
}

} // namespace forewarp::engine::hybrid
