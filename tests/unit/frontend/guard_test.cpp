// What ends in a signal inside the compiler is an error of this program, not its end.
#include "frontend/guard.h"

#include <gtest/gtest.h>

namespace forewarp::frontend {
namespace {

#ifndef __SANITIZE_ADDRESS__ // which has its own idea of a full stack

// NOLINTNEXTLINE(misc-no-recursion)
int deeper(volatile int* depth) {
  volatile char frame[4096] = {};
  *depth = *depth + 1;
  return *depth < 0 ? 0 : deeper(depth) + frame[*depth % 4096];
}

// The handler of the signal has to have another stack than the one that is full; twice, as in one process
// many files are compiled.
TEST(Guard, AFullStackIsAnError) {
  for (int k = 0; k < 2; ++k) {
    volatile int depth = 0;
    const auto ran = run_guarded("the test", [&] { deeper(&depth); });
    ASSERT_FALSE(ran);
    EXPECT_EQ(ran.error().code, ErrorCode::internal);
    EXPECT_GT(depth, 100);
  }
}

#endif

} // namespace
} // namespace forewarp::frontend
