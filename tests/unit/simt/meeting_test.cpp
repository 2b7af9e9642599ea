// Warps that wait for one another and for bytes: what the hardware's barriers in memory, named barriers and
// bulk copies leave in memory, worked out beside it.
#include "unit/simt/kernel_runner.h"

#include <numeric>

namespace {

using namespace forewarp;
using namespace forewarp::simt;
using namespace forewarp::simt::test;

constexpr const char* helpers = R"(
typedef unsigned u32;
__device__ u32 place(const void* p) { return (u32)__cvta_generic_to_shared(p); }
__device__ void init(void* b, u32 n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(place(b)), "r"(n) : "memory"); }
__device__ void arrive(void* b) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(place(b)) : "memory"); }
__device__ void expect(void* b, u32 n) { asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(place(b)), "r"(n) : "memory"); }
__device__ void wait(void* b, u32 parity) {
  asm volatile("{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra.uni again;\n}"
               :: "r"(place(b)), "r"(parity) : "memory");
}
)";

facts::Launch one_group(unsigned threads, std::map<std::string, facts::ArgumentValue> arguments) {
  return launch_of({threads}, {threads}, std::move(arguments));
}

std::vector<std::int32_t> counted(std::size_t n) {
  std::vector<std::int32_t> values(n);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

/// A ring of two stages: warp 0 fills, warp 1 empties, round by round.
TEST(Meetings, ProducerAndConsumerTakeTurns) {
  const RunResult run = must(run_whole(compile_cu(std::string(helpers) + R"(
__global__ void k(const int* in, int* out, int rounds) {
  __shared__ int ring[2][32];
  __shared__ unsigned long long full[2], empty[2];
  const int lane = threadIdx.x & 31;
  if (threadIdx.x == 0)
    for (int i = 0; i < 2; ++i) { init(&full[i], 32); init(&empty[i], 32); }
  __syncthreads();
  for (int r = 0; r < rounds; ++r) {
    const int s = r & 1, parity = r >> 1 & 1;
    if (threadIdx.x < 32) {
      wait(&empty[s], parity ^ 1);
      ring[s][lane] = in[32 * r + lane];
      arrive(&full[s]);
    } else {
      wait(&full[s], parity);
      out[32 * r + lane] = 10 * ring[s][31 - lane] + r;
      arrive(&empty[s]);
    }
  }
})"),
                                       one_group(64, {{"in", ints(counted(32 * 7))},
                                                      {"out", ints(std::vector<int>(32 * 7))},
                                                      {"rounds", scalar("7")}})));
  std::vector<std::int32_t> expected;
  for (int r = 0; r < 7; ++r)
    for (int l = 0; l < 32; ++l)
      expected.push_back(10 * (32 * r + 31 - l) + r);
  EXPECT_EQ(result_of<std::int32_t>(run, "out"), expected);
}

TEST(Meetings, StateNamesThePhase) {
  const RunResult run = must(run_whole(compile_cu(std::string(helpers) + R"(
__global__ void k(int* out) {
  __shared__ unsigned long long b;
  __shared__ int word;
  if (threadIdx.x == 0) init(&b, 64);
  __syncthreads();
  if (threadIdx.x == 5) word = 42;
  unsigned long long state;
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(place(&b)) : "memory");
  int done = 0;
  while (!done)
    asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.shared::cta.b64 p, [%1], %2;\nselp.b32 %0, 1, 0, p;\n}"
                 : "=r"(done) : "r"(place(&b)), "l"(state) : "memory");
  out[threadIdx.x] = word;
})"),
                                       one_group(64, {{"out", ints(std::vector<int>(64))}})));
  EXPECT_EQ(result_of<std::int32_t>(run, "out"), std::vector<std::int32_t>(64, 42));
}

TEST(Meetings, BulkCopyInAndOut) {
  const RunResult run =
      must(run_whole(compile_cu(std::string(helpers) + R"(
__global__ void k(const int* in, int* out) {
  __shared__ __align__(128) int data[300];
  __shared__ unsigned long long b;
  if (threadIdx.x == 0) { init(&b, 1); }
  __syncthreads();
  if (threadIdx.x == 0) {
    expect(&b, 1200);
    asm volatile("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 :: "r"(place(data)), "l"(in), "r"(1200), "r"(place(&b)) : "memory");
  }
  wait(&b, 0);
  for (int i = threadIdx.x; i < 300; i += 32) data[i] = 2 * data[i] + 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" :: "l"(out), "r"(place(data)), "r"(1200) : "memory");
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
  }
})"),
                     one_group(32, {{"in", ints(counted(300))}, {"out", ints(std::vector<int>(300))}})));
  std::vector<std::int32_t> expected = counted(300);
  for (auto& value : expected)
    value = 2 * value + 1;
  EXPECT_EQ(result_of<std::int32_t>(run, "out"), expected);
  // 1200 bytes are two pieces of 512 and one of 176: three reads of global memory by the engine, none by
  // lanes.
  std::size_t reads = 0;
  for (const facts::MemoryEvent& event : run.trace.groups[0].warps[0].events)
    reads += event.space == facts::MemorySpace::global && event.active != 0 && (event.active & 1) != 0 &&
             event.stride == 16;
  EXPECT_EQ(reads, 6U); // three in, three out
}

facts::BufferValue tile_map(std::uint32_t rows, std::uint32_t columns, std::uint32_t box_rows,
                            std::uint32_t box_columns, facts::TensorMap::Swizzle swizzle) {
  facts::BufferValue buffer = {facts::ScalarType::i32, std::uint64_t{rows} * columns};
  buffer.contents.kind = facts::BufferContents::Kind::iota;
  facts::TensorMap map{.swizzle = swizzle, .rank = 2, .element_bytes = 4};
  map.extents = {columns, rows};
  map.strides = {4, 4 * columns};
  map.box = {box_columns, box_rows};
  buffer.map = map;
  return buffer;
}

constexpr const char* tile_kernel = R"(
struct alignas(64) Map { char bytes[128]; };
__global__ void k(const __grid_constant__ Map map, int* out, int x, int y) {
  __shared__ __align__(1024) int tile[8 * 32];
  __shared__ unsigned long long b;
  if (threadIdx.x == 0) {
    init(&b, 1);
    expect(&b, 1024);
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 :: "r"(place(tile)), "l"(&map), "r"(x), "r"(y), "r"(place(&b)) : "memory");
  }
  __syncthreads();
  wait(&b, 0);
  for (int r = 0; r < 8; ++r) out[32 * r + threadIdx.x] = tile[32 * r + threadIdx.x];
})";

/// 8 rows of 32 numbers from row 5, column 60 of a tensor of 12 rows of 80: what lies outside is 0.
TEST(Meetings, TileWithZerosBeyondTheTensor) {
  using Swizzle = facts::TensorMap::Swizzle;
  for (const Swizzle swizzle : {Swizzle::none, Swizzle::bytes_128}) {
    const RunResult run = must(run_whole(compile_cu(std::string(helpers) + tile_kernel),
                                         one_group(32, {{"map", tile_map(12, 80, 8, 32, swizzle)},
                                                        {"out", ints(std::vector<int>(256))},
                                                        {"x", scalar("60")},
                                                        {"y", scalar("5")}})));
    std::vector<std::int32_t> expected(256);
    for (int r = 0; r < 8; ++r)
      for (int c = 0; c < 32; ++c) {
        const int at =
            swizzle == Swizzle::none ? c : ((c / 4) ^ r) * 4 + c % 4; // pieces of 16 bytes change by row
        expected[32 * r + at] = 5 + r < 12 && 60 + c < 80 ? (5 + r) * 80 + 60 + c : 0;
      }
    EXPECT_EQ(result_of<std::int32_t>(run, "out"), expected);
  }
}

TEST(Meetings, NamedBarriersOfPartsOfTheGroup) {
  const RunResult run = must(run_whole(compile_cu(R"(
__global__ void k(int* out) {
  __shared__ int word[2][64];
  const int half = threadIdx.x / 64, i = threadIdx.x % 64;
  for (int r = 0; r < 3; ++r) {
    word[half][i] = 100 * half + i + r;
    asm volatile("bar.sync %0, 64;" :: "r"(1 + half) : "memory");
    out[threadIdx.x] = word[half][63 - i];
    asm volatile("bar.sync %0, 64;" :: "r"(1 + half) : "memory");
  }
})"),
                                       one_group(128, {{"out", ints(std::vector<int>(128))}})));
  std::vector<std::int32_t> expected;
  for (int t = 0; t < 128; ++t)
    expected.push_back(100 * (t / 64) + 63 - t % 64 + 2);
  EXPECT_EQ(result_of<std::int32_t>(run, "out"), expected);
}

TEST(Meetings, ArrivingWithoutWaiting) {
  const RunResult run = must(run_whole(compile_cu(R"(
__global__ void k(int* out) {
  __shared__ int word;
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0) word = 7;
    asm volatile("bar.arrive 3, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 3, 64;" ::: "memory");
    out[threadIdx.x - 32] = word;
  }
})"),
                                       one_group(64, {{"out", ints(std::vector<int>(32))}})));
  EXPECT_EQ(result_of<std::int32_t>(run, "out"), std::vector<std::int32_t>(32, 7));
}

TEST(Meetings, WhatNeverComesIsAFault) {
  const auto run = run_whole(compile_cu(std::string(helpers) + R"(
__global__ void k(int* out) {
  __shared__ unsigned long long b;
  if (threadIdx.x == 0) init(&b, 2);
  __syncthreads();
  if (threadIdx.x == 0) arrive(&b);
  wait(&b, 0);
  out[threadIdx.x] = 1;
})"),
                             one_group(32, {{"out", ints(std::vector<int>(32))}}));
  ASSERT_FALSE(run);
  EXPECT_NE(to_string(run.error()).find("never come"), std::string::npos) << to_string(run.error());
}

TEST(Meetings, CopiesOfLanesArriveWhenTheyCome) {
  const RunResult run =
      must(run_whole(compile_cu(std::string(helpers) + R"(
__global__ void k(const int* in, int* out) {
  __shared__ int data[32];
  __shared__ unsigned long long b;
  if (threadIdx.x == 0) init(&b, 32);
  __syncthreads();
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(place(&data[threadIdx.x])), "l"(in + threadIdx.x) : "memory");
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" :: "r"(place(&b)) : "memory");
  wait(&b, 0);
  out[threadIdx.x] = data[31 - threadIdx.x];
})"),
                     one_group(32, {{"in", ints(counted(32))}, {"out", ints(std::vector<int>(32))}})));
  std::vector<std::int32_t> expected = counted(32);
  std::reverse(expected.begin(), expected.end());
  EXPECT_EQ(result_of<std::int32_t>(run, "out"), expected);
}

} // namespace
