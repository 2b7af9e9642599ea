// A shorter record keeps the first part of every loop that runs inside a thread.
#include "port/advice/thin.h"

#include <gtest/gtest.h>

namespace forewarp::port {
namespace {

/// Threads of: block 0, 100 times block 1 (one access), block 2, 8 times { block 3, 3 times block 4 }.
facts::RegionTrace two_loops(unsigned threads) {
  facts::RegionTrace trace;
  trace.loops.resize(4);
  trace.loops[0].parallel_dimension = 0;
  trace.loops[1].parent = trace.loops[2].parent = 0;
  trace.loops[3].parent = 2;
  trace.loops[1].min_trips = trace.loops[1].max_trips = 100;
  trace.loops[2].min_trips = trace.loops[2].max_trips = 8;
  trace.blocks.resize(5);
  for (unsigned b = 0; b < 5; ++b) {
    trace.blocks[b].loop = std::array<std::uint32_t, 5>{0, 1, 0, 2, 3}[b];
    trace.blocks[b].loop_header = b != 2;
  }
  trace.blocks[1].site_count = trace.blocks[4].site_count = 1;
  for (unsigned t = 0; t < threads; ++t) {
    facts::RegionThread thread;
    thread.first_step = trace.steps.size();
    thread.first_address = trace.addresses.size();
    trace.steps.push_back(0);
    trace.steps.insert(trace.steps.end(), 100, 1);
    trace.steps.push_back(2);
    for (unsigned i = 0; i < 8; ++i)
      trace.steps.insert(trace.steps.end(), {3, 4, 4, 4});
    for (std::uint64_t a = 0; a < 124; ++a)
      trace.addresses.push_back(1000 * t + a);
    thread.step_count = trace.steps.size() - thread.first_step;
    trace.threads.push_back(thread);
  }
  return trace;
}

TEST(Thin, KeepsTheFirstPartOfEachThreadsLoops) {
  const facts::RegionTrace part = thin(two_loops(2), 0.25);
  ASSERT_EQ(part.threads.size(), 2U);
  // A quarter of 100 is rounded up to 32; of the 8, whose body is a loop, 2 stay with all that they hold.
  EXPECT_EQ(part.threads[1].step_count, 1U + 32 + 1 + 2 * 4);
  EXPECT_EQ(part.threads[1].first_step, part.threads[0].step_count);
  EXPECT_EQ(part.addresses.size(), 2U * (32 + 6));
  const std::uint64_t first = part.threads[1].first_address;
  EXPECT_EQ(part.addresses[first + 31], 1031U);
  EXPECT_EQ(part.addresses[first + 32], 1100U);
  EXPECT_EQ(part.loops[1].min_trips, 32U);
  EXPECT_EQ(part.loops[2].max_trips, 2U);
}

TEST(Thin, AllIsAll) {
  const facts::RegionTrace trace = two_loops(1);
  const facts::RegionTrace same = thin(trace, 1);
  EXPECT_EQ(same.steps, trace.steps);
  EXPECT_EQ(same.addresses, trace.addresses);
}

} // namespace
} // namespace forewarp::port
