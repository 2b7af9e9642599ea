// Accesses outside of every buffer where they are allowed, and addresses of shared memory as plain numbers.
#include "unit/simt/kernel_runner.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>

namespace forewarp::simt::test {
namespace {

constexpr unsigned outside_count = 64;

TEST(Outside, ReadsZeroAndWritesNothingWhereAllowed) {
  const auto module = compile_cl("kernel void k(global int* out, global int* sums, global const int* in) {\n"
                                 "  int i = get_global_id(0);\n"
                                 "  out[i] = in[i - 1] + in[i];\n"
                                 "  atomic_add(sums + i + 32, 1000);\n"
                                 "}");
  std::vector<std::int32_t> in(outside_count);
  std::iota(in.begin(), in.end(), 1);
  const facts::Launch launch = launch_of({outside_count}, {outside_count},
                                         {{"in", ints(in)},
                                          {"sums", ints(std::vector<std::int32_t>(outside_count))},
                                          {"out", ints(std::vector<std::int32_t>(outside_count))}});
  const auto refused = run_whole(module, launch);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kernel_fault);
  RunOptions options;
  options.outside_reads_zero = true;
  const RunResult run = must(run_whole(module, launch, options));
  std::vector<std::int32_t> wanted, sums;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(outside_count); ++i) {
    wanted.push_back(i == 0 ? 1 : 2 * i + 1);
    sums.push_back(i >= 32 ? 1000 : 0);
  }
  EXPECT_EQ(result_of<std::int32_t>(run, "out"), wanted);
  EXPECT_EQ(result_of<std::int32_t>(run, "sums"), sums);
  ASSERT_FALSE(run.trace.notes.empty());
  EXPECT_NE(run.trace.notes.front().text.find("lies in no buffer"), std::string::npos);
}

std::size_t notes_with(const RunResult& run, std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      run.trace.notes, [&](const facts::Note& note) { return note.text.find(text) != std::string::npos; }));
}

/// An unknown trip count and an array of 8: iterations 1 to 8 store, the 9th lies outside and is the last of
/// the 16 that would be assumed. A count that is given holds.
TEST(Outside, AnAssumedLoopEndsWhereItOverrunsItsArray) {
  const auto module = compile_cu(R"(
__global__ void k(int* out, const int* in, const int* counts) {
  int kept[8];
  int i = 0;
#pragma unroll 1
  do { kept[i] = in[i]; ++i; } while (i < counts[threadIdx.x]);
  out[threadIdx.x] = kept[in[threadIdx.x] & 7];
})");
  const facts::Launch launch = launch_of({32}, {32},
                                         {{"out", ints(std::vector<std::int32_t>(32))},
                                          {"in", unknown(facts::ScalarType::i32, 32)},
                                          {"counts", unknown(facts::ScalarType::i32, 32)}});
  const auto steps = [&](std::optional<std::uint64_t> trips) {
    RunOptions options;
    if (trips)
      options.unknown.trip_counts[6] = *trips;
    const RunResult run = must(run_whole(module, launch, options));
    EXPECT_EQ(notes_with(run, "an assumed loop ends there"), trips.value_or(9) > 8 ? 1U : 0U);
    return run.trace.groups.front().warps.front().steps.size();
  };
  EXPECT_EQ(steps({}), steps(9));
  EXPECT_EQ(steps(9), steps(8) + 1);
  EXPECT_EQ(steps(12), steps(9) + 3);
}

/// The guard of a tail that rests on unknown data: both sides are run, the stores beyond are dropped, those
/// inside are made. Without the guard, the same access is an error.
TEST(Outside, AnAccessBehindAnAssumedBranchIsDropped) {
  const auto guarded = compile_cu(R"(
__global__ void k(int* out, const int* size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size[0]) return;
  out[i] = 7;
})");
  const facts::Launch launch =
      launch_of({64}, {32},
                {{"out", ints(std::vector<std::int32_t>(40))}, {"size", unknown(facts::ScalarType::i32, 1)}});
  const RunResult run = must(run_whole(guarded, launch));
  EXPECT_EQ(notes_with(run, "behind a branch or trip count that is assumed"), 1U);
  EXPECT_EQ(result_of<std::int32_t>(run, "out"), std::vector<std::int32_t>(40, 7));
  const auto bare = compile_cu(R"(
__global__ void k(int* out, const int* size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = size[0];
})");
  const auto refused = run_whole(bare, launch);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kernel_fault);
}

TEST(SharedAddress, AsANumberOf32BitsIsTheSameInEveryLane) {
  const auto module = compile_cu(R"(
__shared__ int other[8];
__shared__ int tile[64];
__global__ void k(int* out) {
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  other[threadIdx.x % 8] = 7;
  int value;
  asm volatile("st.shared.u32 [%0], %1;" : : "r"(at + 4 * threadIdx.x), "r"(threadIdx.x * 3) : "memory");
  __syncthreads();
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(at + 4 * (63 - threadIdx.x)) : "memory");
  out[threadIdx.x] = value + other[0];
})");
  const RunResult run =
      must(run_whole(module, launch_of({64}, {64}, {{"out", ints(std::vector<std::int32_t>(64))}})));
  const auto out = result_of<std::int32_t>(run, "out");
  for (std::int32_t i = 0; i < 64; ++i)
    EXPECT_EQ(out[static_cast<unsigned>(i)], (63 - i) * 3 + 7) << i;
}

TEST(SharedAddress, DistanceAndAlignmentOfArrays) {
  const auto module = compile_cu(R"(
__global__ void k(int* out) {
  __shared__ alignas(64) int a[16];
  __shared__ alignas(64) int b[16];
  a[threadIdx.x % 16] = b[threadIdx.x % 16] = 1;
  const long distance = reinterpret_cast<long>(b) - reinterpret_cast<long>(a);
  out[0] = static_cast<int>(distance < 0 ? -distance : distance);
  out[1] = static_cast<int>(reinterpret_cast<long>(a) & 63) + a[0];
})");
  const RunResult run = must(run_whole(module, launch_of({32}, {32}, {{"out", ints({0, 0})}})));
  EXPECT_EQ(result_of<std::int32_t>(run, "out"), (std::vector<std::int32_t>{64, 1}));
}

} // namespace
} // namespace forewarp::simt::test
