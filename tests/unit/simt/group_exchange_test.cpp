// What all work-items of a group exchange: votes, reductions, scans and broadcasts, on warps of 32 and 64
// lanes.
#include "unit/simt/kernel_runner.h"

#include <numeric>

namespace {

using namespace forewarp;
using namespace forewarp::simt;
using namespace forewarp::simt::test;

class GroupExchange : public testing::TestWithParam<ir::TargetFamily> {};

std::vector<std::int32_t> inputs(unsigned count) {
  std::vector<std::int32_t> in(count);
  for (unsigned i = 0; i < count; ++i)
    in[i] = static_cast<std::int32_t>(i * 37 % 101) - 40;
  return in;
}

/// The last warp has 8 lanes.
TEST_P(GroupExchange, BarriersThatCount) {
  constexpr unsigned threads = 200;
  const auto in = inputs(threads);
  const RunResult run = must(run_whole(
      compile_cu(R"(
__global__ void k(const int* in, int* out) {
  const int v = in[threadIdx.x];
  const int positive = __syncthreads_count(v > 0);
  const int all = __syncthreads_and(v > -41) * 2 + __syncthreads_and(threadIdx.x != 199);
  const int any = __syncthreads_or(threadIdx.x == 199) * 2 + __syncthreads_or(v > 100);
  out[3 * threadIdx.x] = positive;
  out[3 * threadIdx.x + 1] = all;
  out[3 * threadIdx.x + 2] = any;
})",
                 GetParam()),
      launch_of({threads}, {threads}, {{"in", ints(in)}, {"out", ints(std::vector<std::int32_t>(600))}})));
  const auto out = result_of<std::int32_t>(run, "out");
  const auto positive = std::count_if(in.begin(), in.end(), [](std::int32_t v) { return v > 0; });
  for (unsigned i = 0; i < threads; ++i) {
    if (GetParam() == ir::TargetFamily::nvidia) {
      EXPECT_EQ(out[3 * i], positive);
    }
    EXPECT_EQ(out[3 * i + 1], 2) << i;
    EXPECT_EQ(out[3 * i + 2], 2) << i;
  }
}

TEST_P(GroupExchange, ReductionsAndScansOfOpenCl) {
  constexpr unsigned items = 192; // whole warps
  const auto in = inputs(items);
  const RunResult run = must(run_whole(compile_cl(R"(
kernel void k(global const int* in, global int* out, global float* part) {
  const int i = get_local_id(0), v = in[i];
  out[i] = work_group_reduce_add(v);
  out[192 + i] = work_group_reduce_min(v);
  out[384 + i] = work_group_scan_inclusive_add(v);
  out[576 + i] = work_group_scan_exclusive_add(v);
  out[768 + i] = work_group_scan_inclusive_max(v);
  out[960 + i] = work_group_broadcast(v, 77);
  part[i] = work_group_scan_exclusive_add((float)v);
})",
                                                  "CL3.0", GetParam()),
                                       launch_of({items}, {items},
                                                 {{"in", ints(in)},
                                                  {"out", ints(std::vector<std::int32_t>(6 * items))},
                                                  {"part", floats(std::vector<float>(items))}})));
  const auto out = result_of<std::int32_t>(run, "out");
  const auto part = result_of<float>(run, "part");
  for (unsigned i = 0; i < items; ++i) {
    const auto before = std::accumulate(in.begin(), in.begin() + i, 0);
    EXPECT_EQ(out[i], std::accumulate(in.begin(), in.end(), 0)) << i;
    EXPECT_EQ(out[192 + i], *std::min_element(in.begin(), in.end())) << i;
    EXPECT_EQ(out[384 + i], before + in[i]) << i;
    EXPECT_EQ(out[576 + i], before) << i;
    EXPECT_EQ(out[768 + i], *std::max_element(in.begin(), in.begin() + i + 1)) << i;
    EXPECT_EQ(out[960 + i], in[77]) << i;
    EXPECT_EQ(part[i], static_cast<float>(before)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(OnBoth, GroupExchange,
                         testing::Values(ir::TargetFamily::nvidia, ir::TargetFamily::amd));

} // namespace
