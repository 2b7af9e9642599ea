// The corrected GPUMech forms on P's example kernel. Rate 1 / lambda_comp = 1; memory instructions take no
// slot, so the warp alone is two intervals of n = 2 and stall 6: 2 * (2 + 6) = 16 cycles for one warp.
#include "example_facts.h"

namespace forewarp::models::example {
namespace {

// Round robin (P section 2.5.1): (W - 1) n - min(stall, W - 1) for each of two intervals.
// W 4: 3 * 2 - 3 = 3 -> 16 + 2 * 3 = 22; W 8: 7 * 2 - 6 = 8 -> 16 + 16 = 32; W 10: 9 * 2 - 6 = 12 -> 40.
TEST(GpumechCorrected, RoundRobin) {
  EXPECT_NEAR(predict("gpumech_rr_corrected", kernel(1)).cycles_per_run, 16, 1e-9);
  EXPECT_NEAR(predict("gpumech_rr_corrected", kernel(4)).cycles_per_run, 22, 1e-9);
  EXPECT_NEAR(predict("gpumech_rr_corrected", kernel(8)).cycles_per_run, 32, 1e-9);
  EXPECT_NEAR(predict("gpumech_rr_corrected", kernel(10)).cycles_per_run, 40, 1e-9);
}

// Greedy-then-oldest with issue probability 1: max(0, 2 (W - 1) - 6) for each of two intervals.
// W 4: 0 -> 16; W 5: 2 -> 16 + 4 = 20; W 10: 12 -> 40, the roof of 1/4.
TEST(GpumechCorrected, GreedyThenOldest) {
  EXPECT_NEAR(predict("gpumech_gto_corrected", kernel(1)).cycles_per_run, 16, 1e-9);
  EXPECT_NEAR(predict("gpumech_gto_corrected", kernel(4)).cycles_per_run, 16, 1e-9);
  EXPECT_NEAR(predict("gpumech_gto_corrected", kernel(5)).cycles_per_run, 20, 1e-9);
  EXPECT_NEAR(predict("gpumech_gto_corrected", kernel(10)).cycles_per_run, 40, 1e-9);
}

} // namespace
} // namespace forewarp::models::example
