// Sizes other than the traced one.
#include "derived/port/polybench_nests.h"
#include "port/scale/addresses.h"
#include "port/scale/extrapolate.h"
#include "port/scale/region_size.h"

#include <gtest/gtest.h>

#include <cmath>

namespace forewarp::port {
namespace {

using namespace testing;

const std::vector<double> four = {128, 96, 64, 48};

TEST(Extrapolate, PolynomialsAreConfirmed) {
  std::vector<double> squares;
  for (const double n : four)
    squares.push_back((n - 2) * (n - 2));
  const Extrapolation out = extrapolate(four, squares, 4096);
  EXPECT_TRUE(out.confirmed);
  EXPECT_EQ(out.degree, 2);
  EXPECT_DOUBLE_EQ(out.value, 4094.0 * 4094);
  EXPECT_DOUBLE_EQ(extrapolate(four, {5, 5, 5, 5}, 4096).value, 5);
}
TEST(Extrapolate, OthersFollowAPowerAndSayHowFarItMisses) {
  const Extrapolation out = extrapolate({100, 50, 25}, {1000, 353.5534, 125}, 400); // n^1.5
  EXPECT_FALSE(out.confirmed);
  EXPECT_NEAR(out.value, 8000, 0.01);
  EXPECT_NEAR(out.error, 0, 1e-5);
  EXPECT_GT(std::abs(extrapolate({100, 50, 25}, {1000, 300, 125}, 400).error), 0.2);
}
TEST(Extrapolate, OneRun) {
  EXPECT_TRUE(extrapolate({128}, {7}, 128).confirmed);
  EXPECT_FALSE(extrapolate({128}, {7}, 256).confirmed);
}

TEST(ScalingRuns, StayOnTheLine) {
  const auto runs = scaling_runs({{"N", 128}, {"M", 64}, {"K", 9}}, {{"N", 1024}, {"M", 512}});
  ASSERT_TRUE(runs.has_value());
  ASSERT_EQ(runs->size(), 4U);
  EXPECT_EQ((*runs)[0], (Sizes{{"N", 128}, {"M", 64}, {"K", 9}}));
  EXPECT_EQ((*runs)[2], (Sizes{{"N", 64}, {"M", 32}, {"K", 9}}));
  EXPECT_EQ(scaling_runs({{"N", 128}}, {{"N", 128}})->size(), 1U);
}
TEST(ScalingRuns, Refusals) {
  EXPECT_EQ(scaling_runs({{"N", 128}}, {{"M", 256}}).error().code, ErrorCode::bad_input);
  EXPECT_EQ(scaling_runs({{"N", 128}}, {{"N", 0}}).error().code, ErrorCode::bad_input);
  EXPECT_EQ(scaling_runs({{"N", 2}}, {{"N", 4096}}).error().code, ErrorCode::bad_input);
}

struct Runs {
  std::vector<facts::RegionTrace> traces;
  std::vector<SizedRun> runs;
};
template <class Nest> Runs run_all(const Nest& nest) {
  Runs out;
  for (const double n : four)
    out.traces.push_back(nest(static_cast<std::uint64_t>(n)));
  for (std::size_t i = 0; i < four.size(); ++i)
    out.runs.push_back({{{"N", four[i]}}, &out.traces[i]});
  return out;
}

// The extrapolated region is the region that runs at that size.
TEST(Scale, EqualsTheRealRun) {
  const Runs triangle = run_all(corr);
  const auto at_200 = scale(triangle.runs, {{"N", 200}});
  ASSERT_TRUE(at_200.has_value());
  const RegionSize real = size_of(corr(200));
  EXPECT_DOUBLE_EQ(at_200->extents[0], real.extents[0]);
  EXPECT_DOUBLE_EQ(at_200->threads, real.threads);
  EXPECT_NEAR(at_200->block_runs[0], real.block_runs[0], 1e-6 * real.block_runs[0]);
  EXPECT_NEAR(at_200->copy_in_bytes, real.copy_in_bytes, 1e-6 * real.copy_in_bytes);
  const Runs launches = run_all(conv3d);
  const auto planes = scale(launches.runs, {{"N", 160}});
  ASSERT_TRUE(planes.has_value());
  EXPECT_DOUBLE_EQ(planes->launches, 158);
  EXPECT_NEAR(planes->work_launches, 158, 1e-9);
  EXPECT_NEAR(planes->error, 0, 1e-9);
}

// A[i][k] = 4 N i + 4 k, B[k][j] = 4 N k + 4 j: at N = 1024 the pitches are 4096.
TEST(Addresses, PitchesFollowTheSize) {
  const Runs products = run_all([](std::uint64_t n) { return gemm(n); });
  const std::vector<AffineAccess> forms = affine_accesses(products.traces[0]);
  ASSERT_TRUE(forms[0].found && forms[1].found);
  EXPECT_DOUBLE_EQ(forms[0].threads[0], 512);
  EXPECT_DOUBLE_EQ(forms[0].threads[1], 0);
  EXPECT_DOUBLE_EQ(forms[0].loops[2], 4);
  EXPECT_DOUBLE_EQ(forms[1].loops[2], 512);
  const auto size = scale(products.runs, {{"N", 1024}});
  ASSERT_TRUE(size.has_value());
  const MovedTrace moved = move_addresses(products.runs, {{"N", 1024}}, *size);
  EXPECT_EQ(moved.affine_sites, 2U);
  const facts::RegionTrace& trace = moved.trace;
  EXPECT_EQ(trace.objects[0].size_bytes, 4U * 1024 * 1024);
  const facts::RegionThread& thread = trace.threads[40]; // i 1, j 8 in the order that they ran
  const std::uint64_t i = thread.coordinate[0], j = thread.coordinate[1];
  for (std::uint64_t k = 0; k < 128; ++k) {
    EXPECT_EQ(trace.addresses[thread.first_address + 2 * k] - trace.objects[0].base, 4096 * i + 4 * k);
    EXPECT_EQ(trace.addresses[thread.first_address + 2 * k + 1] - trace.objects[1].base, 4096 * k + 4 * j);
  }
}

TEST(Addresses, IndirectAccessesAreNotAffine) {
  LoopNest nest("gather", 1);
  const auto x = nest.array("x", 4096);
  const auto body = nest.block(0, true, {0}, 1);
  nest.launch({0, 0}, {64, 1}, [&](LoopNest::Thread& thread, std::uint64_t i, std::uint64_t) {
    thread.run(body, {x + 4 * (i * i % 97)});
  });
  EXPECT_FALSE(affine_accesses(nest.trace)[0].found);
}

} // namespace
} // namespace forewarp::port
