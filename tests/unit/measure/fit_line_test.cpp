// The fit of L1's line on caches that are simulated here: sets by a hash of the line, least recently used
// out, sectors of 32 bytes. No GPU, no predictor.
#include "measure/calibrate/fit.h"

#include <algorithm>
#include <deque>
#include <gtest/gtest.h>
#include <set>

namespace forewarp::measure {
namespace {

struct Line {
  std::uint64_t tag = 0;
  std::set<std::uint64_t> sectors;
};

class Cache {
public:
  Cache(std::uint64_t bytes, std::uint64_t line) : line_(line), sets_(bytes / line / ways) {}
  bool hit(std::uint64_t address) {
    const std::uint64_t tag = address / line_;
    std::deque<Line>& set = sets_[(tag ^ (tag >> 7) ^ (tag >> 11)) % sets_.size()];
    const auto found =
        std::find_if(set.begin(), set.end(), [&](const Line& line) { return line.tag == tag; });
    Line line{tag, {}};
    if (found != set.end()) {
      line = *found;
      set.erase(found);
    }
    const bool there = !line.sectors.insert(address / 32).second;
    set.push_front(line);
    if (set.size() > ways)
      set.pop_back();
    return there;
  }

private:
  static constexpr std::size_t ways = 4;
  std::uint64_t line_;
  std::vector<std::deque<Line>> sets_;
};

/// Microseconds of so many passes over elements `stride` bytes apart: 30 cycles a hit, 200 a miss, at 1 GHz.
double chase_us(std::uint64_t bytes, std::uint64_t line, std::uint64_t loads, std::uint64_t stride,
                int passes) {
  Cache cache(bytes, line);
  double cycles = 0;
  for (int pass = 0; pass < passes; ++pass)
    for (std::uint64_t k = 0; k < loads; ++k)
      cycles += cache.hit(k * stride) ? 30 : 200;
  return cycles * 1e-3;
}

/// The points of data/microbenchmarks/chase.toml's mode "line".
Measured line_probes(std::uint64_t bytes, std::uint64_t line) {
  Measured measured;
  measured.sm_mhz = 1000;
  for (const int footprint : {24576, 36864, 49152, 73728, 98304, 147456, 196608, 294912, 393216})
    for (const int words : {12, 24, 40, 56, 72, 88, 104})
      for (const int passes : {1, 3}) {
        const auto loads = static_cast<std::uint64_t>(4 * (footprint / (16 * words)));
        MeasuredTime time;
        time.kernel = "chase.line";
        time.what = "time";
        time.benchmark = "chase";
        time.level = "line";
        time.work = static_cast<double>(loads) * passes;
        time.values = {{"footprint", footprint}, {"words", words}, {"passes", passes}};
        time.median_us = chase_us(bytes, line, loads, static_cast<std::uint64_t>(4 * words), passes);
        measured.times.push_back(time);
      }
  return measured;
}

TEST(FitLine, FindsLinesOf32To256Bytes) {
  for (const std::uint64_t bytes : {32768, 65536, 131072})
    for (const std::uint64_t line : {32, 64, 128, 256}) {
      const auto calibration = fit(line_probes(bytes, line), gpu::GpuFile{});
      ASSERT_TRUE(calibration) << to_string(calibration.error());
      const auto found = std::find_if(calibration->values.begin(), calibration->values.end(),
                                      [](const FittedValue& value) { return value.key == "l1_line_bytes"; });
      ASSERT_NE(found, calibration->values.end()) << bytes << ' ' << line;
      EXPECT_EQ(found->value, static_cast<double>(line)) << bytes << " bytes";
    }
}

} // namespace
} // namespace forewarp::measure
