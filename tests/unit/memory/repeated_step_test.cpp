// Warps that ask L2 for what the warp before them asked for: their hits are counted, not looked up.
#include "memory/waves/repeated_step.h"
#include "trace_builder.h"

#include <gtest/gtest.h>

namespace forewarp::memory::test {
namespace {

/// One group of eight warps, each of which asks for the same 32 lines, one a lane.
Kernel eight_equal_warps(facts::AccessKind kind) {
  Kernel k{.grid = {1}, .block = {256}};
  k.accesses = {{{.kind = kind}, [](const Thread& t, unsigned) { return t.local.x % 32 * 128; }}};
  k.accesses[0].site.width_bytes = 4;
  k.regions = {{"lines", facts::MemorySpace::global, 0, 32 * 128}};
  return k;
}

facts::MemoryProfile profile_of(const Kernel& k, std::uint64_t l2_lines) {
  gpu::Machine machine = volta_like();
  machine.memory.l1_caches_global = false;
  machine.memory.l1_pass_rule = gpu::L1PassRule::lines;
  machine.memory.l2 = {
      true,  l2_lines * 128, 128, 32, static_cast<unsigned>(std::min<std::uint64_t>(16, l2_lines)),
      false, true,           true};
  auto p = profile(trace_of(k, {0}), sites_of(k), machine, {.active_groups_per_sm = 1});
  EXPECT_TRUE(p) << p.error().message;
  return *std::move(p);
}

// The first of eight warps misses 32 sectors; 7 of 8 requests hit.
TEST(RepeatedStep, LoadsThatHitAreCounted) {
  const auto p = profile_of(eight_equal_warps(facts::AccessKind::load), 4096);
  EXPECT_DOUBLE_EQ(p.sites[0].bytes_l2, 8 * 32 * 32);
  EXPECT_DOUBLE_EQ(p.sites[0].l2_hit_rate, 7.0 / 8);
  EXPECT_DOUBLE_EQ(p.dram_bytes_read, 32 * 32);
}

TEST(RepeatedStep, StoresAreWrittenOnce) {
  const auto p = profile_of(eight_equal_warps(facts::AccessKind::store), 4096);
  EXPECT_DOUBLE_EQ(p.sites[0].bytes_l2, 8 * 32 * 32);
  EXPECT_DOUBLE_EQ(p.dirty_at_end_bytes, 32 * 32);
}

// Of 32 lines asked for in turn an LRU cache of 8 holds none when the next warp comes: every warp misses.
TEST(RepeatedStep, WhatDrivesItselfOutMissesAgain) {
  const auto p = profile_of(eight_equal_warps(facts::AccessKind::load), 8);
  EXPECT_DOUBLE_EQ(p.sites[0].l2_hit_rate, 0);
  EXPECT_DOUBLE_EQ(p.dram_bytes_read, 8 * 32 * 32);
}

TEST(RepeatedStep, OnlyWhatL1DoesNotLookUp) {
  const Request request;
  const StreamEvent load{.route = Route::l2, .request = &request, .base = 4096};
  EXPECT_TRUE(same_sectors(load, load));
  StreamEvent other = load;
  other.base += 32;
  EXPECT_FALSE(same_sectors(load, other));
  StreamEvent cached = load;
  cached.route = Route::l1;
  EXPECT_FALSE(same_sectors(cached, cached));
}

} // namespace
} // namespace forewarp::memory::test
