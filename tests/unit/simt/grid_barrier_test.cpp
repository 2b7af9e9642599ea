// Barriers of the whole grid: what one group writes before it, every group reads behind it.
#include "unit/simt/kernel_runner.h"

#include <numeric>

namespace {

using namespace forewarp;
using namespace forewarp::simt;
using namespace forewarp::simt::test;

constexpr unsigned groups = 6, threads = 64, cells = groups * threads;

/// Explicit diffusion on a ring: without the barrier a group would read what its neighbour has not yet
/// written.
constexpr const char* diffusion = R"(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int* a, int* b, int steps) {
  cg::grid_group grid = cg::this_grid();
  const int n = grid.size(), i = grid.thread_rank();
  for (int s = 0; s < steps; ++s) {
    b[i] = a[(i + n - 1) % n] + 2 * a[i] + a[(i + 1) % n];
    grid.sync();
    int* t = a;
    a = b;
    b = t;
  }
})";

std::vector<std::int32_t> diffused(std::vector<std::int32_t> a, int steps) {
  for (int s = 0; s < steps; ++s) {
    std::vector<std::int32_t> b(a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
      b[i] = a[(i + a.size() - 1) % a.size()] + 2 * a[i] + a[(i + 1) % a.size()];
    a = b;
  }
  return a;
}

std::vector<std::int32_t> numbers() {
  std::vector<std::int32_t> values(cells);
  for (unsigned i = 0; i < cells; ++i)
    values[i] = static_cast<std::int32_t>(i * 37 % 101);
  return values;
}

class GridBarrier : public testing::TestWithParam<ir::TargetFamily> {};

TEST_P(GridBarrier, TheWholeGridIsTheReference) {
  const auto in = numbers();
  const RunResult run = must(run_whole(
      compile_cu(diffusion, GetParam()),
      launch_of({cells}, {threads},
                {{"a", ints(in)}, {"b", ints(std::vector<std::int32_t>(cells))}, {"steps", scalar("5")}})));
  EXPECT_EQ(result_of<std::int32_t>(run, "b"), diffused(in, 5));
}

INSTANTIATE_TEST_SUITE_P(Families, GridBarrier,
                         testing::Values(ir::TargetFamily::nvidia, ir::TargetFamily::amd),
                         [](const auto& family) {
                           return family.param == ir::TargetFamily::nvidia ? "Nvidia" : "Amd";
                         });

// Shared and private memory of a group are its own while others run.
TEST(GridBarrierState, SharedAndPrivateMemoryOutliveIt) {
  const RunResult run = must(
      run_whole(compile_cu(R"(
#include <cooperative_groups.h>
__global__ void k(int* out, const int* order) {
  __shared__ int tile[64];
  int own[4];
  for (int j = 0; j < 4; ++j)
    own[order[j]] = 10 * blockIdx.x + j;
  tile[threadIdx.x] = 1000 * blockIdx.x + threadIdx.x;
  cooperative_groups::this_grid().sync();
  out[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x] + own[order[threadIdx.x & 3]];
})"),
                launch_of({cells}, {threads},
                          {{"out", ints(std::vector<std::int32_t>(cells))}, {"order", ints({2, 0, 3, 1})}})));
  const auto out = result_of<std::int32_t>(run, "out");
  for (unsigned i = 0; i < cells; ++i) {
    const unsigned group = i / threads, thread = i % threads;
    EXPECT_EQ(out[i], static_cast<std::int32_t>(1000 * group + 63 - thread + 10 * group + thread % 4)) << i;
  }
}

TEST(GridBarrierSample, GroupsThatAreRunSeeEachOtherAndTheRestIsNoted) {
  facts::Launch launch = launch_of({100 * threads}, {threads},
                                   {{"a", unknown(facts::ScalarType::i32, 100 * threads)},
                                    {"b", unknown(facts::ScalarType::i32, 100 * threads)},
                                    {"steps", scalar("3")}});
  const ir::KernelModule module = compile_cu(diffusion);
  const RunResult run = must(simt::run(module, module.kernels.front(), launch));
  EXPECT_EQ(run.trace.groups.size(), 16U);
  EXPECT_FALSE(run.trace.whole_grid);
  const auto noted = [&](const std::string& text) {
    return std::any_of(run.trace.notes.begin(), run.trace.notes.end(),
                       [&](const facts::Note& note) { return note.text.find(text) != std::string::npos; });
  };
  EXPECT_TRUE(noted("the 84 groups that were not run"));
}

TEST(GridBarrierFault, AGroupThatReturnsLetsTheOthersWaitForEver) {
  const auto run =
      run_whole(compile_cu(R"(
#include <cooperative_groups.h>
__global__ void k(int* out) {
  if (blockIdx.x == 3)
    return;
  cooperative_groups::this_grid().sync();
  out[blockIdx.x] = 1;
})"),
                launch_of({cells}, {threads}, {{"out", ints(std::vector<std::int32_t>(groups))}}));
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::kernel_fault);
  EXPECT_NE(run.error().message.find("group (3, 0, 0) has returned, but 5 of 6 groups"), std::string::npos)
      << to_string(run.error());
  EXPECT_NE(run.error().where.find(":6"), std::string::npos) << run.error().where;
}

} // namespace
