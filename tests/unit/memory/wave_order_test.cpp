// Order of a wave's groups at L2: batches within a run of a basic block, all in step between runs.
#include "memory/waves/wave_order.h"
#include "unit/memory/trace_builder.h"

#include <gtest/gtest.h>

namespace forewarp::memory::test {
namespace {

constexpr std::uint64_t plane_groups = 64, planes = 40, plane_bytes = plane_groups * 1024;

/// Groups of 1 KiB, 64 to a plane, that read their plane and both neighbours: in one run or in three.
Kernel three_planes(bool one_run) {
  Kernel k;
  k.grid = {plane_groups, 1, planes};
  k.block = {256, 1, 1};
  k.iterations = one_run ? 1 : 3;
  k.regions = {{"in", facts::MemorySpace::global, 0, plane_bytes * (planes + 2)}};
  const auto at = [](const Thread& t, std::uint64_t plane) {
    return (t.group.z + plane) * plane_bytes + t.group.x * 1024 + t.local.x * 4;
  };
  if (!one_run)
    k.accesses = {{load(4, "in"), at}};
  else
    for (unsigned plane = 0; plane < 3; ++plane)
      k.accesses.push_back({load(4, "in"), [=](const Thread& t, unsigned) { return at(t, plane); }});
  return k;
}

double planes_read(const Kernel& k, std::uint64_t l2_bytes, bool oldest_first = true) {
  gpu::Machine machine = volta_like();
  machine.memory.oldest_group_first = oldest_first;
  machine.memory.l2.size_bytes = l2_bytes;
  const auto p = profile(trace_of(k, all_groups(k)), sites_of(k), machine, {.active_groups_per_sm = 8});
  return p ? p->dram_bytes_read / static_cast<double>(plane_bytes) : -1;
}

TEST(WaveOrder, LoadsThatDoNotWaitLetGroupsShareTheirNeighbours) {
  // A wave of 640 groups reads 10 planes with each load, more than L2's 8; of a batch of 80 groups all is
  // held.
  EXPECT_NEAR(planes_read(three_planes(true), 8 * plane_bytes), planes + 2, 0.1 * planes);
}

TEST(WaveOrder, GroupsThatTakeTurnsDoNot) {
  EXPECT_GT(planes_read(three_planes(true), 8 * plane_bytes, false), 2.0 * planes);
}

TEST(WaveOrder, LoadsThatWaitGoThroughTheWaveOneByOne) {
  EXPECT_GT(planes_read(three_planes(false), 8 * plane_bytes), 2.0 * planes);
}

TEST(WaveOrder, AnL2ThatHoldsTheRunSeesNoDifference) {
  EXPECT_NEAR(planes_read(three_planes(true), 48 * plane_bytes),
              planes_read(three_planes(false), 48 * plane_bytes), 0.1);
}

} // namespace
} // namespace forewarp::memory::test
