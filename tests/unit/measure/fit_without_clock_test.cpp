#include "measure/calibrate/fit.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace forewarp::measure {
namespace {

MeasuredTime atomics(double work, double us, double sm_mhz) {
  MeasuredTime time;
  time.kernel = "shared.atomics";
  time.what = "time";
  time.benchmark = "shared";
  time.mode = "atomics";
  time.values = {{"spread", 32}, {"rounds", work}};
  time.work = work;
  time.median_us = us;
  time.sm_mhz = sm_mhz;
  return time;
}

Measured of_device(double sm_mhz) {
  Measured measured;
  measured.sm_mhz = sm_mhz;
  measured.times = {atomics(1000, 50, sm_mhz), atomics(2000, 90, sm_mhz)};
  measured.copies = {{{"pinned", true}, {"direction", "host_to_device"}, {"gbps", 12.0}, {"spread", 0.0}}};
  return measured;
}

bool has(const Calibration& calibration, const std::string& key) {
  return std::any_of(calibration.values.begin(), calibration.values.end(),
                     [&](const FittedValue& value) { return value.key == key; });
}

TEST(Fit, WithoutAClockSaysNothingInCycles) {
  const auto with = fit(of_device(1000), gpu::GpuFile{}), without = fit(of_device(0), gpu::GpuFile{});
  ASSERT_TRUE(with && without);
  EXPECT_TRUE(has(*with, "atomic_shared_latency_cycles"));
  EXPECT_FALSE(has(*without, "atomic_shared_latency_cycles"));
  EXPECT_TRUE(has(*without, "pcie_h2d_pinned_gbps"));
}

} // namespace
} // namespace forewarp::measure
