// CUB's exchanges between neighbours and counts, and AMD's product of bytes, compute what is documented.
#include "unit/simt/kernel_runner.h"

#include <numeric>

namespace forewarp::simt::test {
namespace {

std::vector<std::int32_t> squares(std::int32_t count) {
  std::vector<std::int32_t> all;
  for (std::int32_t i = 0; i < count; ++i)
    all.push_back(i / 2 * (i / 2));
  return all;
}

TEST(CubNeighbours, ShufflesDifferencesAndHeads) {
  const auto module = compile_cu(R"(
#include <cub/cub.cuh>
__global__ void k(const int* in, int* moved, int* difference, int* heads) {
  __shared__ typename cub::BlockShuffle<int, 96>::TempStorage a;
  __shared__ typename cub::BlockAdjacentDifference<int, 96>::TempStorage b;
  __shared__ typename cub::BlockDiscontinuity<int, 96>::TempStorage c;
  int own[1] = {in[threadIdx.x]}, out[1], flag[1];
  int next = -1;
  cub::BlockShuffle<int, 96>(a).Offset(own[0], next, 1);
  moved[threadIdx.x] = next;
  cub::BlockAdjacentDifference<int, 96>(b).SubtractLeft(own, out, cub::Difference());
  difference[threadIdx.x] = out[0];
  cub::BlockDiscontinuity<int, 96>(c).FlagHeads(flag, own, cub::Inequality());
  heads[threadIdx.x] = flag[0];
})");
  const std::vector<std::int32_t> in = squares(96), none(96);
  const RunResult run = must(run_whole(
      module,
      launch_of(
          {96}, {96},
          {{"in", ints(in)}, {"moved", ints(none)}, {"difference", ints(none)}, {"heads", ints(none)}})));
  const auto moved = result_of<std::int32_t>(run, "moved");
  const auto difference = result_of<std::int32_t>(run, "difference");
  const auto heads = result_of<std::int32_t>(run, "heads");
  for (std::size_t i = 0; i < 96; ++i) {
    EXPECT_EQ(moved[i], i == 95 ? -1 : in[i + 1]) << i;
    EXPECT_EQ(difference[i], i == 0 ? in[0] : in[i] - in[i - 1]) << i;
    EXPECT_EQ(heads[i], i == 0 || in[i] != in[i - 1]) << i;
  }
}

TEST(CubNeighbours, Histogram) {
  const auto module = compile_cu(R"(
#include <cub/cub.cuh>
__global__ void k(int* counts) {
  typedef cub::BlockHistogram<unsigned char, 64, 2, 8> Histogram;
  __shared__ typename Histogram::TempStorage storage;
  __shared__ unsigned bins[8];
  unsigned char own[2] = {static_cast<unsigned char>(threadIdx.x % 8), 3};
  Histogram(storage).Histogram(own, bins);
  __syncthreads();
  if (threadIdx.x < 8)
    counts[threadIdx.x] = static_cast<int>(bins[threadIdx.x]);
})");
  const RunResult run =
      must(run_whole(module, launch_of({64}, {64}, {{"counts", ints(std::vector<std::int32_t>(8))}})));
  EXPECT_EQ(result_of<std::int32_t>(run, "counts"), (std::vector<std::int32_t>{8, 8, 8, 72, 8, 8, 8, 8}));
}

TEST(AmdProducts, OfSignedBytes) {
  const auto module =
      compile_cu("__global__ void k(const int* a, int* out) {\n"
                 "  out[threadIdx.x] = __builtin_amdgcn_sdot4(a[threadIdx.x], 0x01FF0203, 100, false);\n"
                 "}",
                 ir::TargetFamily::amd);
  // By hand: 0x04030201 . (1, -1, 2, 3) from the highest byte = 4 - 3 + 4 + 3; 0xFF000000: -1.
  const RunResult run = must(run_whole(
      module, launch_of({2}, {2}, {{"a", uints({0x04030201U, 0xFF000000U})}, {"out", ints({0, 0})}})));
  EXPECT_EQ(result_of<std::int32_t>(run, "out"), (std::vector<std::int32_t>{108, 99}));
}

} // namespace
} // namespace forewarp::simt::test
