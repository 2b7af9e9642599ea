#include "unit/memory/trace_builder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace forewarp::memory::test {
namespace {

Kernel copy_kernel(std::uint64_t groups) {
  Kernel k;
  k.grid = {groups, 1, 1};
  k.block = {256, 1, 1};
  const std::uint64_t n = groups * 256 * 4, out = 1ULL << 32;
  k.regions = {{"in", facts::MemorySpace::global, 0, n}, {"out", facts::MemorySpace::global, out, n}};
  const auto index = [](const Thread& t) { return (t.group.x * 256 + t.local.x) * 4; };
  k.accesses = {{load(4, "in"), [=](const Thread& t, unsigned) { return index(t); }},
                {store(4, "out"), [=](const Thread& t, unsigned) { return out + index(t); }}};
  return k;
}

TEST(Profile, CopyMovesEachByteOnce) {
  const Kernel k = copy_kernel(65536);
  const auto p =
      profile(trace_of(k, {0, 1, 7, 100, 65535}), sites_of(k), volta_like(), {.active_groups_per_sm = 8});
  ASSERT_TRUE(p) << p.error().message;
  const double n = 65536.0 * 1024;
  EXPECT_NEAR(p->dram_bytes_read, n, 0.02 * n);
  EXPECT_NEAR(p->dram_bytes_written, n, 0.02 * n);
  EXPECT_NEAR(p->l2_bytes_read, n, 1);
  EXPECT_NEAR(p->footprint_bytes, 2 * n, 0.03 * 2 * n);
  EXPECT_EQ(p->sites[0].access, facts::AccessClass::coalesced);
  EXPECT_DOUBLE_EQ(p->sites[0].requests, 65536.0 * 8);
  EXPECT_DOUBLE_EQ(p->sites[0].transactions_per_request, 4);
  EXPECT_DOUBLE_EQ(p->sites[0].bytes_asked, n);
  EXPECT_NEAR(p->sites[0].l1_hit_rate, 0, 1e-9);
}

TEST(Profile, EmptyTraceIsAnError) {
  const auto p = profile({}, {}, volta_like(), {});
  ASSERT_FALSE(p);
}

TEST(Profile, WarmCacheKeepsASmallInputInL2) {
  const Kernel k = copy_kernel(256);
  const auto cold =
      profile(trace_of(k, all_groups(k)), sites_of(k), volta_like(), {.active_groups_per_sm = 8});
  const auto warm = profile(trace_of(k, all_groups(k)), sites_of(k), volta_like(),
                            {.cache = ProfileOptions::CacheState::warm, .active_groups_per_sm = 8});
  ASSERT_TRUE(cold && warm);
  EXPECT_DOUBLE_EQ(cold->dram_bytes_read, 256 * 1024);
  EXPECT_DOUBLE_EQ(warm->dram_bytes_read, 0);
}

} // namespace
} // namespace forewarp::memory::test
