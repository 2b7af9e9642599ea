// Long loops in L1: what is left out of the simulation changes no count.
#include "trace_builder.h"

#include <gtest/gtest.h>

namespace forewarp::memory::test {
namespace {

/// One group of 8 warps; in turn `i` warp `w` loads the line `line(w, i)`.
template <class Line> Kernel lines_kernel(unsigned l1_iterations, Line line) {
  Kernel k{.grid = {1}, .block = {256}, .iterations = l1_iterations};
  k.accesses = {{load(4, "lines"), [line](const Thread& t, unsigned i) {
                   return line(t.local.x / 32, i) * 128 + t.local.x % 32 * 4;
                 }}};
  k.regions = {{"lines", facts::MemorySpace::global, 0, 1 << 30}};
  return k;
}

facts::MemoryProfile l1_profile_of(const Kernel& k, const gpu::Machine& machine) {
  auto p = profile(trace_of(k, {0}), sites_of(k), machine, {.active_groups_per_sm = 1});
  EXPECT_TRUE(p) << p.error().message;
  return *std::move(p);
}

constexpr unsigned l1_iterations = 64'000;

// 8 warps go round 8 lines each: 64 lines miss once.
TEST(L1Loop, ACircleInsideL1MissesOnce) {
  const auto p = l1_profile_of(lines_kernel(l1_iterations, [](auto w, unsigned i) { return w * 8 + i % 8; }),
                               volta_like());
  EXPECT_DOUBLE_EQ(p.sites[0].bytes_l2, 64 * 128);
  EXPECT_DOUBLE_EQ(p.sites[0].l1_hit_rate, 1 - 64.0 / (8.0 * l1_iterations));
}

// The same for the first half; then each turn takes a new line.
TEST(L1Loop, ACircleThatIsLeftIsNoCircle) {
  const auto p =
      l1_profile_of(lines_kernel(l1_iterations,
                                 [](auto w, unsigned i) {
                                   return i < l1_iterations / 2 ? w * 8 + i % 8 : 64 + w * l1_iterations + i;
                                 }),
                    volta_like());
  EXPECT_DOUBLE_EQ(p.sites[0].bytes_l2, (64 + 8.0 * l1_iterations / 2) * 128);
}

// Every fourth turn takes a new line, and each is loaded four times: one in four misses from the first window
// to the last, on caches that replace by age and on those that do not.
TEST(L1Loop, SteadyMissesStandForAll) {
  for (const gpu::Machine& machine : {fermi_like(), volta_like()}) {
    const auto p = l1_profile_of(
        lines_kernel(l1_iterations, [](auto w, unsigned i) { return w * l1_iterations + i / 4; }), machine);
    EXPECT_NEAR(p.sites[0].bytes_l2, 8.0 * l1_iterations / 4 * 128, 1e-3 * l1_iterations * 128);
    EXPECT_NEAR(p.sites[0].l1_hit_rate, 0.75, 0.001);
  }
}

// 1024 lines gone round in a cache of 128 lines that replaces by age: all miss, all the time.
TEST(L1Loop, ACircleBeyondL1Misses) {
  const auto p = l1_profile_of(
      lines_kernel(l1_iterations, [](auto w, unsigned i) { return w * 128 + i % 128; }), fermi_like());
  EXPECT_DOUBLE_EQ(p.sites[0].l1_hit_rate, 0);
}

/// 24 groups of one warp on one SM that holds four: each group loads 64 lines in turn, the same 64 lines.
double hit_rate_of_equal_groups(bool oldest_first) {
  Kernel k{.grid = {24}, .block = {32}, .iterations = 64};
  k.accesses = {{load(4, "lines"), [](const Thread& t, unsigned i) { return i * 128 + t.local.x * 4; }}};
  k.regions = {{"lines", facts::MemorySpace::global, 0, 1 << 20}};
  gpu::Machine machine = fermi_like();
  machine.sm_count = 1;
  machine.memory.oldest_group_first = oldest_first;
  machine.memory.l1_pass_rule = gpu::L1PassRule::quads;
  machine.memory.l1.size_bytes = 32 * 128;
  auto p = profile(trace_of(k, {0, 8, 16, 23}), sites_of(k), machine, {.active_groups_per_sm = 4});
  EXPECT_TRUE(p) << p.error().message;
  return p->sites[0].l1_hit_rate;
}

// In step one group's miss is three hits. Spread over their lives, 16 lines apart, they meet nothing that a
// cache of 32 lines still holds for all four: at least every second load misses.
TEST(L1Drift, GroupsThatEndOneByOneShareLess) {
  EXPECT_DOUBLE_EQ(hit_rate_of_equal_groups(false), 0.75);
  EXPECT_LT(hit_rate_of_equal_groups(true), 0.5);
}

} // namespace
} // namespace forewarp::memory::test
