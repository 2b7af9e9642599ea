// The curves of latencies over warps (Wang et al., DATE 2019, section IV-B2) from made-up measurements of a
// GPU whose additions take 4 cycles, and issue in 2.
#include "measure/calibrate/fit.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace forewarp::measure {
namespace {

MeasuredTime addition(double warps, double rounds) {
  MeasuredTime time;
  time.kernel = "floating.add_f32";
  time.what = "time";
  time.benchmark = "floating";
  time.mode = "occupancy";
  time.type = "f32";
  time.operation = "add";
  time.operations = 2; // a step is two additions
  time.values = {{"warps", warps}, {"rounds", rounds}};
  time.work = rounds;
  time.sm_mhz = 1000;
  time.median_us = 10 + rounds * 2 * std::max(4.0, 2 * warps) / 1000; // 10 us of launch
  return time;
}

TEST(FitTypes, LatencyByWarpsIsTheCurveOfAClass) {
  Measured measured;
  measured.sm_mhz = 1000;
  for (const double warps : {1.0, 2.0, 4.0, 8.0})
    for (const double rounds : {1000.0, 3000.0})
      measured.times.push_back(addition(warps, rounds));
  const auto calibration = fit(measured, gpu::GpuFile{});
  ASSERT_TRUE(calibration);
  const auto found =
      std::find_if(calibration->values.begin(), calibration->values.end(),
                   [](const FittedValue& value) { return value.key == "latency_by_warps.fp32_add"; });
  ASSERT_NE(found, calibration->values.end());
  const std::vector<double> curve = {4, 4, 8, 16};
  ASSERT_EQ(found->list.size(), curve.size());
  for (std::size_t i = 0; i < curve.size(); ++i)
    EXPECT_NEAR(found->list[i], curve[i], 1e-6) << i;
}

} // namespace
} // namespace forewarp::measure
