// C's Table 5 (tiles of 32 x 32 in shared memory) and Table 6 (the two optimisations) from the untiled
// traces: the tile version is made by rewriting the traced warps, the advice by predicting it.
#include "derived/port/jetson.h"

namespace forewarp::port {
namespace {

using namespace testing;

facts::RegionTrace marked(facts::RegionTrace trace) {
  for (const facts::RegionObject& object : trace.objects)
    if (object.name != "C")
      trace.shared.push_back(object.name);
  trace.tile = 32;
  return trace;
}

// Printed estimates; ours is within 2 % of each. An iteration of GEMM: two shared accesses at 67, two tile
// loads of 506 every 32 iterations (31.625), 4.5 of computation.
TEST(Table5, TiledProducts) {
  const RegionEstimate gemm_answer = estimate({[](auto n) { return marked(gemm(n)); }, 128, 1024});
  EXPECT_TRUE(gemm_answer.tiled);
  EXPECT_NEAR(gemm_answer.kernel.time_ms, 105.75, 0.02 * 105.75);
  EXPECT_NEAR(time_ms({[](auto n) { return marked(gemm(n)); }, 128, 4096}), 6748.05, 0.02 * 6748.05);
  EXPECT_NEAR(3 * time_ms({[](auto n) { return marked(gemm(n)); }, 128, 2048}), 2530.52, 0.02 * 2530.52);
}
// A[j][k] lies in its tile with a stride of 32 words: two lanes a 64-word segment, 16-way conflicts.
TEST(Table5, TiledRankUpdates) {
  EXPECT_NEAR(time_ms({[](auto n) { return marked(syrk(n)); }, 128, 1024}), 713.42, 0.02 * 713.42);
  EXPECT_NEAR(time_ms({[](auto n) { return marked(syr2k(n)); }, 128, 1024}), 1445.48, 0.02 * 1445.48);
}

// SYRK 2605 -> 237.53 ms printed: the constant access' rate is 1/64 by the trace, 3/1024 by the print.
TEST(Table6, SyrkIsToldToTranspose) {
  const RegionEstimate answer = estimate({[](auto n) { return syrk(n); }, 128, 1024}, true);
  ASSERT_FALSE(answer.advice.empty());
  EXPECT_EQ(answer.advice[0].kind, "transpose");
  EXPECT_EQ(answer.advice[0].array, "A");
  EXPECT_NEAR(answer.advice[0].time_ms, 237.53, 0.03 * 237.53);
  const double printed_gain = 2605.45 - 237.53;
  EXPECT_NEAR(answer.advice[0].gain_ms, printed_gain, 0.1 * printed_gain);
  // The same nest written with A transposed.
  EXPECT_NEAR(time_ms({[](auto n) { return syrk(n, true); }, 128, 1024}), answer.advice[0].time_ms, 0.5);
}
TEST(Table6, GemmIsToldToTile) {
  const RegionEstimate answer = estimate({[](auto n) { return gemm(n); }, 128, 1024}, true);
  ASSERT_FALSE(answer.advice.empty());
  EXPECT_EQ(answer.advice[0].kind, "tile");
  EXPECT_NEAR(answer.advice[0].gain_ms, 242.53 - 105.75, 0.1 * (242.53 - 105.75));
}

// Fig. 8: half and a quarter of the work size. A product shrinks with the third power of the size.
TEST(Fig8, HalfAndQuarter) {
  const double whole = time_ms({[](auto n) { return gemm(n); }, 128, 1024});
  EXPECT_NEAR(time_ms({[](auto n) { return gemm(n); }, 128, 512}), whole / 8, 0.01 * whole / 8);
  EXPECT_NEAR(time_ms({[](auto n) { return gemm(n); }, 128, 256}), whole / 64, 0.01 * whole / 64);
  const double rows = time_ms({[](auto n) { return row_times_vector(n); }, 1024, 4096});
  EXPECT_NEAR(time_ms({[](auto n) { return row_times_vector(n); }, 1024, 2048}), rows / 4, 0.01 * rows / 4);
}

// Eq. 24-25 beside it: GEMM's delays are 2 (1 - m) + 10 m, 2.125 and 2.25 cycles, so that MWP reaches N = 64
// and every access waits its latency: miss 1/64 -> 166.625, of two transactions 1/32 -> 169.25. (335.875 *
// 1024
// + 2.25 * 64) * 512 cycles.
TEST(Fig9, SimpleCacheIsTooFast) {
  const double simple = time_ms({[](auto n) { return gemm(n); }, 128, 1024, "cgpredict_simple_cache"});
  EXPECT_NEAR(simple, (335.875 * 1024 + 2.25 * 64) * 512 / 852e3, 0.1);
}

} // namespace
} // namespace forewarp::port
