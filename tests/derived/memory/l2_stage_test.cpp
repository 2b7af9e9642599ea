// L2 and DRAM by hand: a grid of few groups of one warp whose loads bypass L1, small enough that every line
// and every group is simulated.
#include "unit/memory/trace_builder.h"

#include <gtest/gtest.h>

namespace forewarp::memory::test {
namespace {

constexpr std::uint64_t line = 128;

gpu::Machine bypassing() {
  gpu::Machine machine = volta_like();
  machine.memory.l1_caches_global = false;
  machine.memory.l1_pass_rule = gpu::L1PassRule::lines;
  return machine;
}

/// Each group accesses 128 bytes, `pitch` bytes behind the group before it.
Kernel one_access(const facts::MemorySite& site, std::uint64_t groups, std::uint64_t pitch) {
  Kernel k;
  k.grid = {groups, 1, 1};
  k.block = {32, 1, 1};
  k.regions = {{"a", facts::MemorySpace::global, 0, groups * pitch + line}};
  k.accesses = {{site, [=](const Thread& t, unsigned) { return t.group.x * pitch + t.local.x * 4; }}};
  return k;
}

facts::MemoryProfile of(const Kernel& k) {
  const auto made = profile(trace_of(k, {0, 1}), sites_of(k), bypassing(), {.active_groups_per_sm = 1});
  EXPECT_TRUE(made) << (made ? "" : made.error().message);
  return made.value_or(facts::MemoryProfile{});
}

// Two groups ask for the same line: 2 x 128 B of L2, of which the first 128 B come from DRAM.
TEST(L2Stage, TheSecondGroupFindsTheLine) {
  const facts::MemoryProfile p = of(one_access(load(4, "a"), 2, 0));
  EXPECT_DOUBLE_EQ(p.l2_bytes_read, 2 * line);
  EXPECT_DOUBLE_EQ(p.dram_bytes_read, line);
  EXPECT_DOUBLE_EQ(p.footprint_bytes, line);
}

// A line each: both come from DRAM.
TEST(L2Stage, OtherLinesAreOtherMisses) {
  const facts::MemoryProfile p = of(one_access(load(4, "a"), 2, line));
  EXPECT_DOUBLE_EQ(p.l2_bytes_read, 2 * line);
  EXPECT_DOUBLE_EQ(p.dram_bytes_read, 2 * line);
}

// 64 bytes apart: the second group finds two of its four sectors.
TEST(L2Stage, SectorsThatOverlapHit) {
  const facts::MemoryProfile p = of(one_access(load(4, "a"), 2, line / 2));
  EXPECT_DOUBLE_EQ(p.dram_bytes_read, 1.5 * line);
}

// What is written whole is not read, and stays in L2: nothing goes to DRAM before the kernel ends.
TEST(L2Stage, WrittenLinesStayUntilTheEnd) {
  const facts::MemoryProfile p = of(one_access(store(4, "a"), 2, line));
  EXPECT_DOUBLE_EQ(p.l2_bytes_written, 2 * line);
  EXPECT_DOUBLE_EQ(p.dram_bytes_read, 0);
  EXPECT_DOUBLE_EQ(p.dirty_at_end_bytes, 2 * line);
}

} // namespace
} // namespace forewarp::memory::test
