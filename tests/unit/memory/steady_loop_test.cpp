// The middle of a steady loop is left out of L2's waves: which loop, when, and that the sums stay.
#include "memory/waves/steady_loop.h"
#include "trace_builder.h"

#include <gtest/gtest.h>

namespace forewarp::memory {
namespace {

using Stream = std::vector<StreamEvent>;

/// `before` events of site 9, then site 0 walking a row by 4 bytes and site 1 a column by 4096.
Stream row_and_column(std::size_t before, std::size_t iterations) {
  Stream stream(before, StreamEvent{.site = 9});
  for (std::size_t i = 0; i < iterations; ++i) {
    stream.push_back({.site = 0, .base = 4 * i});
    stream.push_back({.site = 1, .base = 4096 * i});
  }
  return stream;
}

std::optional<SteadyLoop> loop_of(const std::vector<Stream>& streams, std::size_t least_window = 1) {
  std::vector<const Stream*> all;
  for (const Stream& stream : streams)
    all.push_back(&stream);
  return steady_loop(all, least_window);
}

TEST(SteadyLoop, IsTheRepeatedStretchInWindowsOfWholeBlocks) {
  const auto loop = loop_of({row_and_column(3, 640), row_and_column(3, 640)});
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->first, 3U);
  EXPECT_EQ(loop->end, 3U + 2 * 640);
  EXPECT_EQ(loop->period, 2U);
  EXPECT_EQ(loop->window, 2U * 32); // 32 steps of 4 bytes fill a block
  EXPECT_EQ(loop_of({row_and_column(3, 640)}, 100)->window, 128U);
}

TEST(SteadyLoop, IsNoneWhereWarpsDifferOrIterationsAreFew) {
  EXPECT_FALSE(loop_of({row_and_column(3, 640), row_and_column(4, 640)}));
  EXPECT_FALSE(loop_of({row_and_column(0, 7 * 32)}));
  EXPECT_TRUE(loop_of({row_and_column(0, 8 * 32)}));
}

/// Sums after `windows` windows, each of 1000 sectors asked and 100 read in 1000 accesses.
WaveSums after(double windows) {
  return {{{.asked = 1000 * windows, .read = 100 * windows}}, 1, static_cast<std::uint64_t>(1000 * windows)};
}

// 40 windows of 10 turns. The first is alike to none; windows 2 to 5 are alike. Two fills of 100 sectors need
// two windows at the end: of the 35 left 33 go.
TEST(LoopWatch, LeavesOutWhatFollowsFourAlikeWindowsButTheLast) {
  LoopWatch watch({0, 400, 2, 10}, 100, 100);
  for (std::size_t window = 0; window < 5; ++window) {
    ASSERT_TRUE(watch.ends_window(10 * window));
    EXPECT_EQ(watch.left_out(10 * window, after(static_cast<double>(window))), 0U);
  }
  EXPECT_EQ(watch.left_out(50, after(5)), 33U);
  EXPECT_FALSE(watch.ends_window(60));
  EXPECT_DOUBLE_EQ(watch.sums_of(33)[0].asked, 33000);
  EXPECT_DOUBLE_EQ(watch.sums_of(33)[0].read, 3300);
}

TEST(LoopWatch, WaitsUntilTheCachesWereFilledTwice) {
  LoopWatch watch({0, 400, 2, 10}, 450, 100);
  for (std::size_t window = 0; window < 9; ++window)
    EXPECT_EQ(watch.left_out(10 * window, after(static_cast<double>(window))), 0U) << window;
  EXPECT_EQ(watch.left_out(90, after(9)), 31U - 9);
}

/// Sampled lines that all fall into one window of five say nothing about the others.
TEST(LoopWatch, DoesNotBelieveBursts) {
  LoopWatch watch({0, 400, 2, 10}, 100, 100);
  for (std::size_t window = 0; window <= 40; ++window)
    EXPECT_EQ(watch.left_out(10 * window, after(5.0 * static_cast<double>(window / 5))), 0U) << window;
}

} // namespace

namespace test {
namespace {

// Every thread walks a row of its own, all groups the same columns: most of what a block holds is used before
// L2 loses it. 4 MB of rows a wave, an L2 of 512 KB.
TEST(Profile, LeavingOutSteadyIterationsKeepsTheTraffic) {
  constexpr unsigned iterations = 2048;
  constexpr std::uint64_t pitch = 4 * iterations + 128, columns = 1ULL << 32;
  Kernel k{.grid = {64}, .block = {64}, .iterations = iterations};
  k.accesses = {{{.kind = facts::AccessKind::load},
                 [](const Thread& t, unsigned i) { return (t.group.x * 64 + t.local.x) * pitch + 4 * i; }},
                {{.kind = facts::AccessKind::load}, [](const Thread& t, unsigned i) {
                   return columns + i * 4096ULL + (t.group.x % 16) * 256 + 4 * t.local.x;
                 }}};
  k.regions = {{"rows", facts::MemorySpace::global, 0, 64 * 64 * pitch},
               {"columns", facts::MemorySpace::global, columns, iterations * 4096ULL}};
  gpu::Machine machine = volta_like();
  machine.sm_count = 8;
  machine.memory.l1_caches_global = false;
  machine.memory.l1_pass_rule = gpu::L1PassRule::lines;
  machine.memory.l2.size_bytes = 512 * 1024;
  ProfileOptions options{.active_groups_per_sm = 4};
  options.long_wave_accesses = 1e18;
  const auto whole = profile(trace_of(k, sample_groups(k)), sites_of(k), machine, options);
  options.long_wave_accesses = 2e5;
  const auto part = profile(trace_of(k, sample_groups(k)), sites_of(k), machine, options);
  ASSERT_TRUE(whole && part);
  EXPECT_NE(part->dram_bytes_read, whole->dram_bytes_read); // iterations were left out
  EXPECT_NEAR(part->dram_bytes_read / whole->dram_bytes_read, 1, 0.01);
  for (std::size_t site = 0; site < 2; ++site)
    EXPECT_NEAR(part->sites[site].l2_hit_rate, whole->sites[site].l2_hit_rate, 0.01);
  EXPECT_DOUBLE_EQ(part->footprint_bytes, whole->footprint_bytes);
  EXPECT_DOUBLE_EQ(part->compulsory_bytes, whole->compulsory_bytes);
}

} // namespace
} // namespace test
} // namespace forewarp::memory
