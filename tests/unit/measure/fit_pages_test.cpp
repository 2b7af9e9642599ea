// The fit of the translation's reach, which no model of this project has: chases through pages of 2 MiB whose
// translations are kept for a known number of bytes, first in, first out. No GPU, no predictor.
#include "measure/calibrate/fit.h"

#include <algorithm>
#include <deque>
#include <gtest/gtest.h>

namespace forewarp::measure {
namespace {

constexpr std::uint64_t page_bytes = 2 << 20;

/// SM cycles of `loads` loads round and round the footprint's pages: 200 each, 400 more for a missing
/// translation.
double chase_cycles(std::uint64_t footprint, std::uint64_t reach, std::uint64_t loads) {
  std::deque<std::uint64_t> kept;
  double cycles = 0;
  for (std::uint64_t k = 0; k < loads; ++k) {
    const std::uint64_t page = k % (footprint / page_bytes);
    const bool there = std::find(kept.begin(), kept.end(), page) != kept.end();
    cycles += there ? 200 : 600;
    if (there)
      continue;
    kept.push_back(page);
    if (kept.size() > reach / page_bytes)
      kept.pop_front();
  }
  return cycles;
}

/// The points of data/microbenchmarks/chase.toml's mode "pages", at 1 GHz.
Measured probes(std::uint64_t reach) {
  Measured measured;
  measured.sm_mhz = 1000;
  for (const std::uint64_t mib : {8, 32, 64, 128, 256, 512, 1024, 2048})
    for (const std::uint64_t loads : {8192, 24576}) {
      MeasuredTime time;
      time.kernel = "chase.pages";
      time.what = "time";
      time.benchmark = "chase";
      time.level = "pages";
      time.work = static_cast<double>(loads);
      time.values = {{"footprint", static_cast<double>(mib << 20)}, {"loads", static_cast<double>(loads)}};
      time.median_us = chase_cycles(mib << 20, reach, loads) * 1e-3;
      measured.times.push_back(time);
    }
  // What no page says anything of; without a value of the GPU file there is no calibration.
  MeasuredTime launch;
  launch.kernel = "chase.shared";
  launch.what = "time";
  launch.benchmark = "chase";
  launch.level = "shared";
  launch.work = 1000;
  launch.median_us = 30;
  measured.times.push_back(launch);
  return measured;
}

TEST(FitPages, FindsTheReachOfTheTranslation) {
  for (const std::uint64_t reach : {std::uint64_t{64} << 20, std::uint64_t{512} << 20}) {
    const auto calibration = fit(probes(reach), gpu::GpuFile{});
    ASSERT_TRUE(calibration) << to_string(calibration.error());
    const auto fact = [&](const std::string& name) {
      const auto found = std::find_if(calibration->facts.begin(), calibration->facts.end(),
                                      [&](const StatedFact& each) { return each.name == name; });
      return found == calibration->facts.end() ? std::vector<double>() : found->values;
    };
    EXPECT_EQ(fact("tlb_reach_bytes"), std::vector<double>{static_cast<double>(reach)});
    const std::vector<double> cycles = fact("page_chase_cycles");
    ASSERT_EQ(cycles.size(), 8U);
    EXPECT_NEAR(cycles.front(), 200, 0.03 * 200);
    EXPECT_NEAR(cycles.back(), 600, 0.03 * 600);
  }
}

} // namespace
} // namespace forewarp::measure
