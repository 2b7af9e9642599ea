// Eq. 8 of Wang, Huang, Knoll, Qian (DATE 2019), worked by hand.
#include "predict/traced/wang2019.h"

#include <gtest/gtest.h>

namespace forewarp::predict::wang2019 {
namespace {

// T x ceil(groups / SMs) / active groups: 100 groups on 3 SMs are 34 on the fullest, at 8 a round 4.25
// rounds.
TEST(KernelCycles, RoundsAreNotRoundedUp) {
  EXPECT_DOUBLE_EQ(kernel_cycles(1000, 100, 3, 8), 4250);
}

TEST(KernelCycles, OneRoundOfTheGroupsThatExist) {
  EXPECT_DOUBLE_EQ(kernel_cycles(1000, 6, 3, 2), 1000);
  EXPECT_DOUBLE_EQ(kernel_cycles(1000, 1, 3, 1), 1000);
}

} // namespace
} // namespace forewarp::predict::wang2019
