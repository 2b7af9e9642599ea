#include "sass/check/counters.h"

#include <gtest/gtest.h>

using namespace forewarp::sass;

namespace {

/// LDG R4, [R2.64] on counter 0; then FADD R5, R4, R4 of sm_86 with this wait mask.
Kernel load_and_use(std::uint64_t wait_mask) {
  // Control words: LDG stall 2, write barrier 0; FADD stall 5.
  const std::uint64_t load_high = 0x0000c1e1900ULL | 2ULL << 41 | 1ULL << 45 | 0ULL << 46 | 7ULL << 49;
  const std::uint64_t add_high = 5ULL << 41 | 1ULL << 45 | 7ULL << 46 | 7ULL << 49 | wait_mask << 52;
  Kernel kernel;
  kernel.instructions.push_back(*decode({0x0000000602047981, load_high}, 0, 86));
  kernel.instructions.push_back(*decode({0x0000000404057221, add_high}, 16, 86));
  return kernel;
}

} // namespace

TEST(SassCounters, AWaitCoversTheLoad) {
  const CounterCheck check = check_counters(load_and_use(1));
  EXPECT_TRUE(check.violations.empty());
  EXPECT_EQ(check.uses, 6U); // R2, R3, R4 of the load; R4, R4, R5 of the sum
}

TEST(SassCounters, AMissingWaitIsFound) {
  const CounterCheck check = check_counters(load_and_use(0));
  ASSERT_EQ(check.violations.size(), 1U);
  EXPECT_EQ(check.violations[0].instruction, 1U);
  EXPECT_EQ(check.violations[0].producer, 0U);
  EXPECT_EQ(check.violations[0].number, 4);
}

TEST(SassCounters, AnotherCountersWaitDoesNotHelp) {
  EXPECT_EQ(check_counters(load_and_use(2)).violations.size(), 1U);
}
