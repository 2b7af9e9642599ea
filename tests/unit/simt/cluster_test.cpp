// Clusters: groups that see each other's shared memory, arrive at each other's barriers and share copies.
#include "unit/simt/kernel_runner.h"

namespace {

using namespace forewarp;
using namespace forewarp::simt;
using namespace forewarp::simt::test;

constexpr const char* helpers = R"(
typedef unsigned u32;
__device__ u32 place(const void* p) { return (u32)__cvta_generic_to_shared(p); }
__device__ u32 rank() { u32 r; asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r)); return r; }
__device__ u32 there(const void* p, u32 r) { u32 a; asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(a) : "r"(place(p)), "r"(r)); return a; }
__device__ void meet() { asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory"); }
__device__ void init(void* b, u32 n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(place(b)), "r"(n) : "memory"); }
__device__ void expect(void* b, u32 n) { asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(place(b)), "r"(n) : "memory"); }
__device__ void arrive_there(u32 b) { asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" :: "r"(b) : "memory"); }
__device__ void wait(void* b, u32 parity) {
  asm volatile("{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra.uni again;\n}"
               :: "r"(place(b)), "r"(parity) : "memory");
}
)";

facts::Launch clusters(facts::Dim3 grid, unsigned items, facts::Dim3 cluster,
                       std::map<std::string, facts::ArgumentValue> arguments) {
  facts::Launch launch;
  launch.groups = grid;
  launch.group_size = facts::Dim3{items};
  launch.cluster = cluster;
  launch.arguments = std::move(arguments);
  return launch;
}

ir::KernelModule kernel(const std::string& body) {
  return compile_cu(helpers + body);
}

/// Group r of each cluster of four reads what group (r + 1) % 4 wrote.
TEST(Clusters, GroupsReadEachOthersSharedMemory) {
  const RunResult run = must(run_whole(kernel(R"(
__global__ void k(int* out) {
  __shared__ int word[32];
  word[threadIdx.x] = 100 * blockIdx.x + threadIdx.x;
  meet();
  int got;
  asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(got) : "r"(there(word + (31 - threadIdx.x), (rank() + 1) % 4)));
  out[32 * blockIdx.x + threadIdx.x] = got;
  meet();
})"),
                                       clusters({8}, 32, {4}, {{"out", ints(std::vector<int>(256))}})));
  const auto found = result_of<std::int32_t>(run, "out");
  for (int group = 0; group < 8; ++group)
    for (int t = 0; t < 32; ++t)
      EXPECT_EQ(found[static_cast<std::size_t>(32 * group + t)],
                100 * (group / 4 * 4 + (group + 1) % 4) + 31 - t);
}

/// One histogram over two groups: each owns half of the bins.
TEST(Clusters, AtomicsGoToWhoeverOwnsTheBin) {
  const RunResult run = must(run_whole(kernel(R"(
__global__ void k(const int* in, int* out) {
  __shared__ int bins[8];
  if (threadIdx.x < 8) bins[threadIdx.x] = 0;
  meet();
  const int bin = in[64 * blockIdx.x + threadIdx.x];
  asm volatile("red.shared::cluster.add.u32 [%0], 1;" :: "r"(there(bins + bin % 8, bin / 8)) : "memory");
  meet();
  if (threadIdx.x < 8) out[8 * blockIdx.x + threadIdx.x] = bins[threadIdx.x];
})"),
                                       clusters({2}, 64, {2},
                                                {{"in", ints([] {
                                                    std::vector<std::int32_t> v(128);
                                                    for (int i = 0; i < 128; ++i)
                                                      v[static_cast<std::size_t>(i)] = i * i % 16;
                                                    return v;
                                                  }())},
                                                 {"out", ints(std::vector<int>(16))}})));
  std::vector<std::int32_t> expected(16);
  for (int i = 0; i < 128; ++i)
    ++expected[static_cast<std::size_t>(i * i % 16)];
  EXPECT_EQ(result_of<std::int32_t>(run, "out"), expected);
}

/// Group 0 fills a slot of group 1's, round by round, and waits until it is empty again.
TEST(Clusters, ArrivalsCrossGroups) {
  const RunResult run = must(run_whole(kernel(R"(
__global__ void k(int* out) {
  __shared__ int slot[32];
  __shared__ unsigned long long full, empty;
  if (threadIdx.x == 0) { init(&full, 32); init(&empty, 32); }
  meet();
  for (int r = 0; r < 5; ++r) {
    if (rank() == 0) {
      if (r > 0) wait(&empty, (r - 1) & 1);
      asm volatile("st.shared::cluster.s32 [%0], %1;" :: "r"(there(slot + threadIdx.x, 1)), "r"(10 * r + threadIdx.x) : "memory");
      arrive_there(there(&full, 1));
    } else {
      wait(&full, r & 1);
      out[32 * r + threadIdx.x] = slot[31 - threadIdx.x];
      arrive_there(there(&empty, 0));
    }
  }
  meet();
})"),
                                       clusters({2}, 32, {2}, {{"out", ints(std::vector<int>(160))}})));
  const auto found = result_of<std::int32_t>(run, "out");
  for (int r = 0; r < 5; ++r)
    for (int t = 0; t < 32; ++t)
      EXPECT_EQ(found[static_cast<std::size_t>(32 * r + t)], 10 * r + 31 - t);
}

/// Each of two groups asks for half of the bytes, for both.
TEST(Clusters, CopiesToAllGroups) {
  const ir::KernelModule module = kernel(R"(
__global__ void k(const int* in, int* out) {
  __shared__ __align__(128) int tile[64];
  __shared__ unsigned long long b;
  if (threadIdx.x == 0) { init(&b, 1); expect(&b, 256); }
  meet();
  if (threadIdx.x == 0)
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], 128, [%2], %3;"
                 :: "r"(place(tile + 32 * rank())), "l"(in + 32 * rank()), "r"(place(&b)), "h"((short)3) : "memory");
  wait(&b, 0);
  for (int i = 0; i < 2; ++i) out[64 * blockIdx.x + 32 * i + threadIdx.x] = tile[32 * i + threadIdx.x];
  meet();
})");
  std::vector<std::int32_t> in(64), expected;
  for (int i = 0; i < 64; ++i)
    in[static_cast<std::size_t>(i)] = 7 * i;
  expected = in;
  expected.insert(expected.end(), in.begin(), in.end());
  const RunResult run = must(
      run_whole(module, clusters({2}, 32, {2}, {{"in", ints(in)}, {"out", ints(std::vector<int>(128))}})));
  EXPECT_EQ(result_of<std::int32_t>(run, "out"), expected);
}

/// Group 0 hands 32 words over; their bytes end group 1's wait. Then each lane adds to two sums there, 4
/// bytes each.
TEST(Clusters, StoresAndSumsThatABarrierWaitsFor) {
  const RunResult run = must(run_whole(kernel(R"(
__global__ void k(int* out) {
  __shared__ int slot[64], sums[2];
  __shared__ unsigned long long stored, added;
  if (threadIdx.x == 0) { init(&stored, 1); init(&added, 1); expect(&stored, 256); expect(&added, 128); }
  if (threadIdx.x < 2) sums[threadIdx.x] = 1000;
  meet();
  const int t = threadIdx.x;
  if (rank() == 0) {
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.s32 [%0], {%1, %2}, [%3];"
                 :: "r"(there(slot + 2 * t, 1)), "r"(t), "r"(100 + t), "r"(there(&stored, 1)) : "memory");
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.s32 [%0], %1, [%2];"
                 :: "r"(there(sums + t % 2, 1)), "r"(t), "r"(there(&added, 1)) : "memory");
  } else {
    wait(&stored, 0);
    out[t] = slot[t];
    out[32 + t] = slot[32 + t];
    wait(&added, 0);
    if (t < 2) out[64 + t] = sums[t];
  }
  meet();
})"),
                                       clusters({2}, 32, {2}, {{"out", ints(std::vector<int>(66))}})));
  const auto found = result_of<std::int32_t>(run, "out");
  for (int t = 0; t < 32; ++t) {
    EXPECT_EQ(found[static_cast<std::size_t>(2 * t)], t);
    EXPECT_EQ(found[static_cast<std::size_t>(2 * t + 1)], 100 + t);
  }
  EXPECT_EQ(found[64], 1000 + 240); // 0 + 2 + ... + 30
  EXPECT_EQ(found[65], 1000 + 256); // 1 + 3 + ... + 31
}

/// Each of two groups sends its 768 bytes (a piece and a half) to the other, whose barrier hears of them.
TEST(Clusters, BulkCopiesBetweenGroups) {
  const RunResult run = must(run_whole(kernel(R"(
__global__ void k(int* out) {
  __shared__ __align__(128) int own[192], got[192];
  __shared__ unsigned long long b;
  if (threadIdx.x == 0) { init(&b, 1); expect(&b, 768); }
  for (int i = threadIdx.x; i < 192; i += 32) own[i] = 1000 * blockIdx.x + i;
  meet();
  if (threadIdx.x == 0)
    asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 768, [%2];"
                 :: "r"(there(got, rank() ^ 1)), "r"(place(own)), "r"(there(&b, rank() ^ 1)) : "memory");
  wait(&b, 0);
  for (int i = threadIdx.x; i < 192; i += 32) out[192 * blockIdx.x + i] = got[i];
  meet();
})"),
                                       clusters({2}, 32, {2}, {{"out", ints(std::vector<int>(384))}})));
  const auto found = result_of<std::int32_t>(run, "out");
  for (int i = 0; i < 384; ++i)
    EXPECT_EQ(found[static_cast<std::size_t>(i)], 1000 * (1 - i / 192) + i % 192);
}

TEST(Clusters, PlacesInTheGrid) {
  const RunResult run =
      must(run_whole(kernel(R"(
__global__ void k(unsigned* out) {
  unsigned x, y, n, id, count;
  asm volatile("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(x));
  asm volatile("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(y));
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(n));
  asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(id));
  asm volatile("mov.u32 %0, %%nclusterid.x;" : "=r"(count));
  out[4 * blockIdx.y + blockIdx.x] = x + 10 * y + 100 * n + 1000 * id + 10000 * count + 100000 * rank();
})"),
                     clusters({4, 2}, 32, {2, 2}, {{"out", uints(std::vector<std::uint32_t>(8))}})));
  const auto found = result_of<std::uint32_t>(run, "out");
  for (unsigned y = 0; y < 2; ++y)
    for (unsigned x = 0; x < 4; ++x)
      EXPECT_EQ(found[4 * y + x], x % 2 + 10 * y + 400 + 1000 * (x / 2) + 20000 + 100000 * (2 * y + x % 2));
}

TEST(Clusters, OneThatNobodyEndsIsNamed) {
  const auto run = run_whole(kernel(R"(
__global__ void k(int* out) {
  __shared__ unsigned long long b;
  if (threadIdx.x == 0) init(&b, 33);
  meet();
  arrive_there(there(&b, rank() ^ 1));
  wait(&b, 0);
  out[threadIdx.x] = 1;
})"),
                             clusters({2}, 32, {2}, {{"out", ints(std::vector<int>(32))}}));
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::kernel_fault);
  EXPECT_NE(run.error().message.find("never come"), std::string::npos) << run.error().message;
}

/// Only one group of a cluster is in the sample; the others run with it all the same.
TEST(Clusters, ASampledGroupHasItsCluster) {
  const ir::KernelModule module = kernel(R"(
__global__ void k(int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 3 + (int)rank();
  meet();
  int n;
  asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(n) : "r"(there(&count, rank() ^ 1)));
  for (int i = 0; i < n; ++i) out[32 * i + threadIdx.x] = i;
  meet();
})");
  const auto kernel = frontend::select_kernel(module, "");
  RunOptions options;
  options.sample_groups = 1;
  const RunResult found = must(
      run(module, **kernel, clusters({64}, 32, {2}, {{"out", ints(std::vector<int>(32 * 8))}}), options));
  ASSERT_EQ(found.trace.groups.size(), 1U);
  const facts::GroupTrace& group = found.trace.groups.front();
  std::size_t stores = 0;
  for (const facts::MemoryEvent& event : group.warps.front().events)
    stores += static_cast<std::size_t>(event.space == facts::MemorySpace::global);
  EXPECT_EQ(stores, 3 + (group.group.x % 2 ^ 1U));
}

/// The kernel's own size of the cluster, and the library's names.
TEST(Clusters, ByTheLibraryOfCooperativeGroups) {
  facts::Launch launch = clusters({4}, 32, {2}, {{"out", ints(std::vector<int>(128))}});
  launch.cluster.reset();
  const RunResult run = must(run_whole(compile_cu(R"(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) k(int* out) {
  __shared__ int word[32];
  cg::cluster_group cluster = cg::this_cluster();
  word[threadIdx.x] = 1000 * cluster.block_rank() + threadIdx.x;
  cluster.sync();
  const int* there = cluster.map_shared_rank(word, (cluster.block_rank() + 1) % cluster.num_blocks());
  out[32 * blockIdx.x + threadIdx.x] = there[31 - threadIdx.x] + 10000 * cluster.query_shared_rank(there);
  cluster.sync();
})"),
                                       launch));
  const auto found = result_of<std::int32_t>(run, "out");
  for (int group = 0; group < 4; ++group)
    for (int t = 0; t < 32; ++t)
      EXPECT_EQ(found[static_cast<std::size_t>(32 * group + t)], 11000 * (1 - group % 2) + 31 - t);
}

TEST(Clusters, TheGridIsMadeOfWholeClusters) {
  const auto run = run_whole(kernel("__global__ void k(int* out) { meet(); out[threadIdx.x] = 1; }"),
                             clusters({3}, 32, {2}, {{"out", ints(std::vector<int>(32))}}));
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::launch);
  EXPECT_EQ(run.error().hint, "use --grid 4,1,1");
}

} // namespace
