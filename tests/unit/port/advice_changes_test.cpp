// Loops that change places, transposition, and blocks of another shape.
#include "derived/port/jetson.h"
#include "memory/profile.h"
#include "port/advice/swap_loops.h"
#include "port/advice/transposition.h"
#include "port/scale/addresses.h"

#include <gtest/gtest.h>

namespace forewarp::port {
namespace {

using namespace testing;

/// for i (threads) { block 0; for j: a[i][j] } : each thread walks a row.
facts::RegionTrace rows(std::uint64_t n, std::uint64_t m) {
  LoopNest nest("rows", 1);
  const auto a = nest.array("A", 4 * n * m);
  const auto head = nest.block(0, true, {}, 1);
  const auto inner = nest.block(nest.loop(0), true, {0}, 1);
  nest.launch({0, 0}, {n, 1}, [&](LoopNest::Thread& thread, std::uint64_t i, std::uint64_t) {
    thread.run(head);
    for (std::uint64_t j = 0; j < m; ++j)
      thread.run(inner, {at(a, m, i, j)});
  });
  nest.trace.candidates = 2;
  nest.trace.loops[1].min_trips = nest.trace.loops[1].max_trips = m;
  return nest.trace;
}

TEST(SwapLoops, ThreadsRunAlongTheInnerLoop) {
  const facts::RegionTrace trace = rows(64, 48);
  const auto swapped = swap_loops(trace, size_of(trace));
  ASSERT_TRUE(swapped.has_value());
  ASSERT_EQ(swapped->trace.threads.size(), 48U);
  EXPECT_EQ(swapped->trace.steps.size(), 48U * 64 * 2);
  const facts::RegionThread& third = swapped->trace.threads[3];
  const std::uint64_t base = trace.objects[0].base;
  EXPECT_EQ(swapped->trace.addresses[third.first_address], base + 12);           // a[0][3]
  EXPECT_EQ(swapped->trace.addresses[third.first_address + 1], base + 192 + 12); // a[1][3]
  EXPECT_EQ(swapped->size.threads, 48);
  EXPECT_EQ(swapped->size.block_runs[0], 64); // each thread runs all of the other loop
  EXPECT_EQ(swapped->size.block_runs[1], 64);
}

TEST(SwapLoops, NotWhereTheInnerLoopNeedsItself) {
  facts::RegionTrace trace = rows(64, 48);
  trace.dependences.push_back({.loop = 1});
  EXPECT_FALSE(swap_loops(trace, size_of(trace)).has_value());
  trace.dependences.clear();
  trace.candidates = 1; // nobody looked
  EXPECT_FALSE(swap_loops(trace, size_of(trace)).has_value());
}

TEST(Transposition, MovesEveryElementOnceEachWay) {
  const gpu::Machine machine = jetson().machine;
  const Version kernel = transposition_kernel(machine, 256, 512, 4);
  memory::ProfileOptions options;
  options.active_groups_per_sm = 8;
  const auto profile = memory::profile(kernel.warps.trace, kernel.warps.sites, machine, options);
  ASSERT_TRUE(profile.has_value());
  EXPECT_DOUBLE_EQ(profile->sites[0].bytes_l2, 4 * 256 * 512);
  EXPECT_DOUBLE_EQ(profile->sites[3].bytes_l2, 4 * 256 * 512);
  EXPECT_DOUBLE_EQ(profile->sites[0].transactions_per_request, 1);
  EXPECT_LE(profile->sites[2].passes_per_request, 1.5); // columns, 8-byte banks; without padding 32
}

TEST(FillBlocks, WideBlocksAreWholeAndHaveAddressesOfTheirOwn) {
  LoopNest nest("copy", 2);
  const std::uint64_t n = 512;
  const auto a = nest.array("A", 4 * n * n);
  const auto inner = nest.block(1, true, {0}, 1);
  nest.launch({0, 0}, {n, n}, [&](LoopNest::Thread& thread, std::uint64_t i, std::uint64_t j) {
    thread.run(inner, {at(a, n, i, j)});
  });
  const facts::RegionTrace filled =
      fill_blocks(nest.trace, size_of(nest.trace), {128, 2, 1}, affine_accesses(nest.trace));
  std::size_t found = 0;
  for (const facts::RegionThread& thread : filled.threads) {
    EXPECT_EQ(filled.addresses[thread.first_address], at(a, n, thread.coordinate[0], thread.coordinate[1]));
    found += thread.coordinate[1] >= 256 && thread.coordinate[1] < 384 && thread.coordinate[0] < 2 ? 1 : 0;
  }
  EXPECT_EQ(found, 256U); // the third block along x, of which nothing was traced
}

} // namespace
} // namespace forewarp::port
