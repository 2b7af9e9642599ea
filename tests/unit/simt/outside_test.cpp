// Accesses outside of every buffer where they are allowed, and addresses of shared memory as plain numbers.
#include "unit/simt/kernel_runner.h"

#include <numeric>

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
