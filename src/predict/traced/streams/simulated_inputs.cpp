#include "predict/traced/streams/simulated_inputs.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace forewarp::predict::hybrid {
namespace {

/// To `digits` binary digits behind the point below 1, behind the first digit above it.
template <unsigned digits> float rounded(float value) {
  constexpr unsigned mantissa = 23;
  constexpr auto below_one = static_cast<float>(1U << (mantissa - digits)); // where floats are that far apart
  if (value < 1)
    return (value + below_one) - below_one;
  constexpr std::uint32_t step = 1U << (mantissa - digits);
  return std::bit_cast<float>((std::bit_cast<std::uint32_t>(value) + step / 2) & ~(step - 1));
}

constexpr unsigned counted = 7;   // what follows from addresses
constexpr unsigned estimated = 5; // what caches that see a part of the lines or groups let through

} // namespace

double share_as_simulated(double share) {
  constexpr int digits = 8;
  int exponent = 0;
  const double fraction = std::frexp(share, &exponent);
  return std::ldexp(std::round(std::ldexp(fraction, digits)), exponent - digits);
}

facts::AccessOutcome as_simulated(const facts::AccessOutcome& outcome) {
  facts::AccessOutcome out = outcome;
  out.transactions = rounded<counted>(outcome.transactions);
  out.sectors = rounded<counted>(outcome.sectors);
  out.l2_sectors = rounded<estimated>(outcome.l2_sectors);
  out.dram_sectors = rounded<estimated>(std::min(1.0F, outcome.dram_sectors));
  out.dram_extra_sectors =
      rounded<estimated>(outcome.dram_sectors + outcome.dram_extra_sectors) - out.dram_sectors;
  out.dram_wait = rounded<estimated>(outcome.dram_wait >= 0 ? outcome.dram_wait : out.dram_sectors);
  out.l2_far_sectors = rounded<estimated>(outcome.l2_far_sectors);
  out.l3_sectors = rounded<estimated>(outcome.l3_sectors);
  return out;
}

BandwidthShares as_simulated(const BandwidthShares& shares) {
  return {share_as_simulated(shares.port_bytes_per_cycle), share_as_simulated(shares.l2_bytes_per_cycle),
          share_as_simulated(shares.dram_read_bytes_per_cycle),
          share_as_simulated(shares.dram_write_bytes_per_cycle),
          share_as_simulated(shares.l3_bytes_per_cycle)};
}

} // namespace forewarp::predict::hybrid
