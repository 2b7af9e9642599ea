// Contention of atomics worked by hand: sectors of a slice of L2, attempts of loops in shared memory and in
// L2.
#include "memory/l1/atomics.h"
#include "memory/l1/retries.h"
#include "memory/l1/swap_loops.h"

#include <gtest/gtest.h>

namespace forewarp::memory {
namespace {

using facts::AtomicKind;

gpu::MemoryTiming ampere() {
  gpu::MemoryTiming memory;
  memory.atomic_slice_sector_cycles = 1.25;
  memory.atomic_float_same_address_cycles = 3;
  memory.atomic_wide_lane_cycles = 1.1;
  memory.shared_atomics_retried = true;
  return memory;
}

double cycles(std::vector<std::int64_t> addresses, unsigned width, AtomicKind kind) {
  return slice_cycles_of_sector(addresses, width, kind, ampere());
}

TEST(SliceOfL2, ASectorTakesItsTimeUnlessLanesMeetOrAreWide) {
  EXPECT_DOUBLE_EQ(cycles({0}, 4, AtomicKind::floating), 1.25);
  EXPECT_DOUBLE_EQ(cycles({0, 4, 8, 12, 16, 20, 24, 28}, 4, AtomicKind::integer), 1.25);
  EXPECT_DOUBLE_EQ(cycles({0, 4, 4, 4}, 4, AtomicKind::integer), 3);  // three on one, a cycle each
  EXPECT_DOUBLE_EQ(cycles({0, 4, 4, 4}, 4, AtomicKind::floating), 9); // three cycles each
  EXPECT_DOUBLE_EQ(cycles({0, 8, 16, 24}, 8, AtomicKind::floating), 4.4);
}

TEST(SliceOfL2, ARequestOfOneAddressTakesThatOfItsLanes) {
  gpu::MemoryTiming memory = ampere();
  memory.atomic_same_address_per_cycle = 1;
  EXPECT_DOUBLE_EQ(slice_cycles_of_one_address(1, AtomicKind::integer, memory), 1); // not a sector's 1.25
  EXPECT_DOUBLE_EQ(slice_cycles_of_one_address(32, AtomicKind::floating, memory), 96);
}

facts::MemorySite sum_of(unsigned width) {
  facts::MemorySite site;
  site.kind = facts::AccessKind::atomic;
  site.space = facts::MemorySpace::shared;
  site.width_bytes = width;
  return site;
}

facts::MemoryEvent row(std::int64_t stride) {
  facts::MemoryEvent event;
  event.space = facts::MemorySpace::shared;
  event.active = 0xffffffff;
  event.stride = stride;
  return event;
}

/// One access of each of so many warps.
Attempts attempts(unsigned warps, std::int64_t stride, std::uint64_t distance = 0, unsigned accesses = 1) {
  const std::vector<facts::MemorySite> sites = {sum_of(4)};
  const gpu::MemoryTiming memory = ampere();
  facts::GroupTrace group;
  group.warps.resize(warps);
  for (unsigned w = 0; w < warps; ++w)
    for (unsigned a = 0; a < accesses; ++a) {
      group.warps[w].events.push_back(row(stride));
      group.warps[w].events.back().base = w * distance;
    }
  Retries retries(group, sites, {AtomicKind::floating}, memory);
  retries.begin_warp();
  Attempts last;
  for (const facts::MemoryEvent& event : group.warps[0].events)
    last = retries.next(event, {});
  return last;
}

// Alone: an attempt for each lane of an address. Eight warps: 1 + 2 + ... + 8 turns for eight, 4.5 each.
TEST(Retries, WarpsOfAGroupWaitForOneAnother) {
  EXPECT_DOUBLE_EQ(attempts(1, 4).count, 1);
  EXPECT_DOUBLE_EQ(attempts(1, 0).count, 32);
  EXPECT_DOUBLE_EQ(attempts(8, 4).count, 4.5);
  EXPECT_DOUBLE_EQ(attempts(8, 0).count, 144);
  EXPECT_DOUBLE_EQ(attempts(8, 4, 128).count, 1);      // each warp has words of its own
  EXPECT_DOUBLE_EQ(attempts(8, 0, 0, 100).count, 144); // later accesses as the first ones
}

// Two lanes on each of 16 words, 128 bytes apart: 16 passes of the one bank in both attempts.
TEST(Retries, PassesAreThoseOfTheLanesThatAreLeft) {
  const std::vector<facts::MemorySite> sites = {sum_of(4)};
  const gpu::MemoryTiming memory = ampere();
  facts::GroupTrace group;
  facts::MemoryEvent event = row(128);
  event.pattern = facts::MemoryEvent::Pattern::affine2;
  event.row_lanes = 16;
  group.warps.push_back({.events = {event}});
  Retries retries(group, sites, {AtomicKind::floating}, memory);
  retries.begin_warp();
  const Attempts made = retries.next(event, {});
  EXPECT_DOUBLE_EQ(made.count, 2);
  EXPECT_DOUBLE_EQ(made.passes, 32);
}

TEST(Retries, OnlySumsOfFloatsAndOfEightBytesInSharedMemory) {
  constexpr auto shared = facts::MemorySpace::shared;
  EXPECT_TRUE(is_retried(sum_of(4), AtomicKind::floating, shared, ampere()));
  EXPECT_TRUE(is_retried(sum_of(8), AtomicKind::integer, shared, ampere()));
  EXPECT_FALSE(is_retried(sum_of(4), AtomicKind::integer, shared, ampere()));
  EXPECT_FALSE(is_retried(sum_of(8), AtomicKind::compare_swap, shared, ampere()));
  EXPECT_FALSE(is_retried(sum_of(4), AtomicKind::floating, shared, {})); // native
  EXPECT_FALSE(is_retried(sum_of(4), AtomicKind::floating, facts::MemorySpace::global, ampere()));
}

// 68 SMs with six groups each. 512 sums of a word, one a group: 68 contenders for 444 of them, then 68 to 0.
TEST(SwapLoops, EachSmHasOneContenderUntilFewAreLeft) {
  constexpr Dealing rtx3080{.groups = 512, .sms = 68, .groups_per_sm = 6};
  EXPECT_DOUBLE_EQ(contenders(512, 512, rtx3080), (444 * 68 + 68 * 34) / 512.0);
  EXPECT_DOUBLE_EQ(contenders(40, 512, rtx3080),
                   68 * 6 * 40 / 512.0 - 31.875 * 31.875 / 80); // 31.875 at most
  EXPECT_DOUBLE_EQ(contenders(1, 512, rtx3080), 1);
  EXPECT_DOUBLE_EQ(contenders(8, 1, rtx3080), 1); // one group: one SM
  EXPECT_DOUBLE_EQ(contenders(20, 10, {.groups = 10, .sms = 68, .groups_per_sm = 1}), 10 - 100 / 40.0);
}

TEST(SwapLoops, ASectorIsAskedForUntilItsLastWordIsThrough) {
  EXPECT_DOUBLE_EQ(rounds_of_sector(1), 1);
  EXPECT_DOUBLE_EQ(rounds_of_sector(4), 1 + 1 / 2.0 + 1 / 3.0 + 1 / 4.0);
}

} // namespace
} // namespace forewarp::memory
