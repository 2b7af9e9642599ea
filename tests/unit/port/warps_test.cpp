// Warp formation on hand-made pseudo-threads.
#include "derived/port/polybench_nests.h"
#include "port/access/classes.h"
#include "port/warps/form.h"
#include "port/warps/layout.h"
#include "port/warps/lockstep.h"

#include <gtest/gtest.h>

#include <bit>

namespace forewarp::port {
namespace {

using namespace testing;

TEST(FormWarps, AWarpIsARowOfABlock) {
  const auto warps = form_warps(gemm(64, true));
  ASSERT_TRUE(warps.has_value());
  const facts::KernelTrace& trace = warps->trace;
  EXPECT_EQ(trace.shape.groups, (facts::Dim3{2, 2, 1}));
  EXPECT_EQ(trace.shape.group_size, (facts::Dim3{32, 32, 1}));
  ASSERT_EQ(trace.groups.size(), 4U);
  EXPECT_TRUE(trace.whole_grid);
  EXPECT_EQ(trace.groups[1].group, (facts::Dim3{1, 0, 0}));
  ASSERT_EQ(trace.groups[0].warps.size(), 32U);
  const facts::WarpTrace& warp = trace.groups[0].warps[3]; // row 3: A[3][k], B[k][0..31]
  ASSERT_EQ(warp.events.size(), 2U * 64 + 1);
  EXPECT_EQ(warp.events[0].stride, 0);
  EXPECT_EQ(warp.events[1].stride, 4);
  EXPECT_EQ(warp.events[0].base - trace.regions[0].base, 4U * 64 * 3);
  EXPECT_EQ(warp.events[1].active, 0xffffffffU);
  ASSERT_EQ(trace.classes.size(), 1U); // all groups behave alike
  EXPECT_DOUBLE_EQ(trace.classes[0].weight_groups, 4);
}

TEST(FormWarps, InterchangedAxesExchangeTheClasses) {
  WarpOptions options;
  options.axes = {1, 0, 2};
  const auto warps = form_warps(gemm(64), options);
  ASSERT_TRUE(warps.has_value());
  const facts::WarpTrace& warp = warps->trace.groups[0].warps[0]; // threads along i: A[i][k] by rows
  EXPECT_EQ(classify(warp.events[0], warp.offsets, 4), AccessPattern::uncoalesced);
  EXPECT_EQ(classify(warp.events[1], warp.offsets, 4), AccessPattern::constant);
}

TEST(FormWarps, BlocksOfAnotherShape) {
  WarpOptions options;
  options.block = {16, 16, 1};
  const auto warps = form_warps(gemm(64), options);
  ASSERT_TRUE(warps.has_value());
  EXPECT_EQ(warps->trace.shape.groups, (facts::Dim3{4, 4, 1}));
  const facts::WarpTrace& warp = warps->trace.groups[0].warps[0]; // two rows of 16
  EXPECT_EQ(warp.events[0].pattern, facts::MemoryEvent::Pattern::affine2);
  EXPECT_EQ(warp.events[0].row_lanes, 16);
  EXPECT_EQ(warp.events[0].row_stride, 4 * 64);
  EXPECT_EQ(classify(warp.events[1], warp.offsets, 4), AccessPattern::coalesced);
}

TEST(FormWarps, TooLargeABlockAndNoThread) {
  WarpOptions options;
  options.block = {64, 32, 1};
  EXPECT_EQ(form_warps(gemm(64), options).error().code, ErrorCode::bad_input);
  facts::RegionTrace empty = gemm(64);
  empty.threads.clear();
  EXPECT_EQ(form_warps(empty).error().code, ErrorCode::bad_input);
}

TEST(FormWarps, SmallRunsNameWhatIsWanted) {
  gpu::Machine machine;
  machine.limits.max_threads_per_sm = 2048;
  const auto small = form_warps(row_times_vector(128)), whole = form_warps(gemm(64));
  ASSERT_TRUE(small.has_value() && whole.has_value());
  EXPECT_NE(batch_warning(*small, machine).find("128 pseudo-threads"), std::string::npos);
  EXPECT_NE(batch_warning(*small, machine).find("4096"), std::string::npos);
  EXPECT_EQ(batch_warning(*whole, machine), "");
}

// Threads of a triangle: lane l runs m - 1 - l inner iterations. Lanes meet in the loop; the warp runs as
// long as its longest lane, and every access of a thread is in the warp's trace once.
TEST(Lockstep, LanesOfDifferentLength) {
  const facts::RegionTrace trace = corr(40);
  const auto warps = form_warps(trace);
  ASSERT_TRUE(warps.has_value());
  const facts::WarpTrace& warp = warps->trace.groups[0].warps[0];
  EXPECT_EQ(warp.steps.size(), 39U * 40);
  EXPECT_EQ(warp.steps.front().active, 0xffffffffU);
  EXPECT_EQ(warp.steps.back().active, 1U);
  std::size_t lanes = 0;
  for (const facts::BlockStep& step : warp.steps)
    lanes += static_cast<std::size_t>(std::popcount(step.active));
  std::size_t steps = 0;
  for (std::size_t t = 0; t < 32; ++t)
    steps += trace.threads[t].step_count;
  EXPECT_EQ(lanes, steps);
}

// An if in a loop: even lanes run block 1, all meet in block 2 of every iteration.
TEST(Lockstep, LanesMeetAfterABranch) {
  LoopNest nest("branch", 1);
  const auto loop = nest.loop(0);
  const auto head = nest.block(loop, true, {}, 1), odd = nest.block(loop, false, {}, 1),
             join = nest.block(loop, false, {}, 1);
  nest.launch({0, 0}, {32, 1}, [&](LoopNest::Thread& thread, std::uint64_t i, std::uint64_t) {
    for (int k = 0; k < 3; ++k) {
      thread.run(head);
      if (i % 2)
        thread.run(odd);
      thread.run(join);
    }
  });
  const auto warps = form_warps(nest.trace);
  ASSERT_TRUE(warps.has_value());
  const std::vector<facts::BlockStep>& steps = warps->trace.groups[0].warps[0].steps;
  ASSERT_EQ(steps.size(), 9U);
  EXPECT_EQ(steps[1].block, odd);
  EXPECT_EQ(steps[1].active, 0xaaaaaaaaU);
  EXPECT_EQ(steps[2].block, join);
  EXPECT_EQ(steps[2].active, 0xffffffffU);
}

TEST(MakeEvent, IrregularAddressesComeBack) {
  std::array<std::uint64_t, 64> addresses{};
  for (unsigned l = 0; l < 32; ++l)
    addresses[l] = 4096 + (l * l * 36) % 1000;
  std::vector<std::int64_t> offsets;
  const facts::MemoryEvent event = make_event(0, 0x0ffffff0, addresses, offsets);
  for (unsigned l = 4; l < 28; ++l)
    EXPECT_EQ(lane_address(event, offsets, l), addresses[l]);
  EXPECT_EQ(classify(event, offsets, 4), AccessPattern::uncoalesced);
}

TEST(DeviceLayout, ArraysStartOnPagesWhateverTheHostDid) {
  facts::RegionTrace trace;
  trace.objects = {
      {.kind = facts::RegionObject::Kind::heap, .name = "b", .base = 0x7f0000010, .size_bytes = 5000},
      {.kind = facts::RegionObject::Kind::heap, .name = "a", .base = 0x100010, .size_bytes = 100}};
  const DeviceLayout layout(trace);
  EXPECT_EQ(layout.device(0x7f0000010) % 4096, 0U);
  EXPECT_EQ(layout.device(0x7f0000010 + 8) - layout.device(0x7f0000010), 8U);
  EXPECT_EQ(layout.device(0x7f0000010) - layout.device(0x100010), 4096U); // by name where no access tells
  EXPECT_EQ(layout.object_at(0x100010 + 99), 1U);
  EXPECT_EQ(layout.object_at(0x100010 + 100), facts::no_region_index);
}

} // namespace
} // namespace forewarp::port
