// The own versions of CUB's primitives and of cuRAND's generators compute what the libraries are documented
// to compute.
#include "unit/simt/kernel_runner.h"

#include <array>
#include <numeric>

namespace {

using namespace forewarp;
using namespace forewarp::simt;
using namespace forewarp::simt::test;

constexpr unsigned block_threads = 96; // three warps of 32, one and a half of 64

std::vector<std::int32_t> inputs() {
  std::vector<std::int32_t> in(block_threads);
  for (unsigned i = 0; i < block_threads; ++i)
    in[i] = static_cast<std::int32_t>(i * 37 % 101) - 40;
  return in;
}

RunResult run_one_block(const std::string& source, std::map<std::string, facts::ArgumentValue> arguments,
                        ir::TargetFamily family = ir::TargetFamily::nvidia) {
  return must(run_whole(compile_cu(source, family),
                        launch_of({block_threads}, {block_threads}, std::move(arguments))));
}

class CubBlock : public testing::TestWithParam<ir::TargetFamily> {};

TEST_P(CubBlock, ReduceSumsAllAndTheFirstOnes) {
  const auto in = inputs();
  const RunResult run = run_one_block(R"(
#include <cub/cub.cuh>
__global__ void k(const int* in, int* out) {
  typedef cub::BlockReduce<int, 96> Reduce;
  __shared__ typename Reduce::TempStorage storage;
  const int sum = Reduce(storage).Sum(in[threadIdx.x]);
  __syncthreads();
  const int first = Reduce(storage).Sum(in[threadIdx.x], 41);
  __syncthreads();
  const int least = Reduce(storage).Reduce(in[threadIdx.x], cub::Min());
  if (threadIdx.x == 0) {
    out[0] = sum;
    out[1] = first;
    out[2] = least;
  }
})",
                                      {{"in", ints(in)}, {"out", ints({0, 0, 0})}}, GetParam());
  EXPECT_EQ(result_of<std::int32_t>(run, "out"),
            (std::vector<std::int32_t>{std::accumulate(in.begin(), in.end(), 0),
                                       std::accumulate(in.begin(), in.begin() + 41, 0),
                                       *std::min_element(in.begin(), in.end())}));
}

TEST_P(CubBlock, RocPrimLoadsReducesScansAndStores) {
  const auto in = inputs();
  const ir::KernelModule module = compile_cu(R"(
#include <rocprim/block/block_load.hpp>
#include <rocprim/block/block_reduce.hpp>
#include <rocprim/rocprim.hpp>
__global__ void k(const int* in, int* out, int* before) {
  int items[3], sum, largest;
  rocprim::block_load<int, 32, 3>().load(in, items, 95, 7);
  rocprim::block_reduce<int, 32>().reduce(items, sum, rocprim::plus<int>());
  __syncthreads();
  typedef rocprim::block_scan<int, 32> Scan;
  __shared__ typename Scan::storage_type storage;
  Scan().exclusive_scan(items[0], largest, -100, storage, rocprim::maximum<int>());
  before[threadIdx.x] = largest;
  if (threadIdx.x == 0)
    items[1] = sum;
  __syncthreads();
  rocprim::block_store<int, 32, 3, rocprim::block_store_method::block_store_transpose>().store(out, items);
})",
                                             GetParam());
  const RunResult run = must(run_whole(module, launch_of({32}, {32},
                                                         {{"in", ints(in)},
                                                          {"out", ints(std::vector<std::int32_t>(96))},
                                                          {"before", ints(std::vector<std::int32_t>(32))}})));
  auto loaded = in;
  loaded[95] = 7;
  std::vector<std::int32_t> before(32, -100);
  for (std::size_t k = 1; k < 32; ++k)
    before[k] = std::max(before[k - 1], loaded[3 * (k - 1)]);
  EXPECT_EQ(result_of<std::int32_t>(run, "before"), before);
  loaded[1] = std::accumulate(loaded.begin(), loaded.end(), 0);
  EXPECT_EQ(result_of<std::int32_t>(run, "out"), loaded);
}

TEST_P(CubBlock, ReduceFindsThePlaceOfTheLargest) {
  const auto in = inputs();
  const RunResult run = run_one_block(R"(
#include <cub/cub.cuh>
__global__ void k(const int* in, int* out) {
  typedef cub::KeyValuePair<int, double> Pair;
  typedef cub::BlockReduce<Pair, 96> Reduce;
  __shared__ typename Reduce::TempStorage storage;
  const Pair best = Reduce(storage).Reduce(Pair(threadIdx.x, in[threadIdx.x]), cub::ArgMax());
  if (threadIdx.x == 0)
    out[0] = best.key;
})",
                                      {{"in", ints(in)}, {"out", ints({0})}}, GetParam());
  EXPECT_EQ(result_of<std::int32_t>(run, "out")[0], std::max_element(in.begin(), in.end()) - in.begin());
}

TEST_P(CubBlock, ScansOneAndFourItemsAThread) {
  const auto in = inputs();
  const RunResult run = run_one_block(R"(
#include <cub/cub.cuh>
__global__ void k(const int* in, int* before, int* with, int* four) {
  typedef cub::BlockScan<int, 96> Scan;
  __shared__ typename Scan::TempStorage storage;
  int value;
  Scan(storage).ExclusiveSum(in[threadIdx.x], value);
  before[threadIdx.x] = value;
  __syncthreads();
  Scan(storage).InclusiveScan(in[threadIdx.x], value, cub::Max());
  with[threadIdx.x] = value;
  __syncthreads();
  int items[4], sums[4];
  for (int i = 0; i < 4; ++i)
    items[i] = in[(4 * threadIdx.x + i) % 96];
  Scan(storage).InclusiveSum(items, sums);
  for (int i = 0; i < 4; ++i)
    four[4 * threadIdx.x + i] = sums[i];
})",
                                      {{"in", ints(in)},
                                       {"before", ints(std::vector<std::int32_t>(block_threads))},
                                       {"with", ints(std::vector<std::int32_t>(block_threads))},
                                       {"four", ints(std::vector<std::int32_t>(4 * block_threads))}},
                                      GetParam());
  std::vector<std::int32_t> before, with, four;
  std::int32_t sum = 0, most = in[0];
  for (const std::int32_t value : in) {
    before.push_back(sum);
    sum += value;
    most = std::max(most, value);
    with.push_back(most);
  }
  sum = 0;
  for (unsigned i = 0; i < 4 * block_threads; ++i)
    four.push_back(sum += in[i % block_threads]);
  EXPECT_EQ(result_of<std::int32_t>(run, "before"), before);
  EXPECT_EQ(result_of<std::int32_t>(run, "with"), with);
  EXPECT_EQ(result_of<std::int32_t>(run, "four"), four);
}

TEST_P(CubBlock, SortsKeysAndTheirValues) {
  const auto in = inputs();
  const RunResult run = run_one_block(R"(
#include <cub/cub.cuh>
__global__ void k(const int* in, int* up, int* down, int* place) {
  typedef cub::BlockRadixSort<int, 96, 4> Sort;
  typedef cub::BlockRadixSort<float, 96, 4, int> SortPairs;
  __shared__ union {
    typename Sort::TempStorage of_keys;
    typename SortPairs::TempStorage of_pairs;
  } storage;
  int keys[4], values[4];
  float reals[4];
  for (int i = 0; i < 4; ++i) {
    keys[i] = in[(4 * threadIdx.x + i) % 96] * (i + 1);
    reals[i] = keys[i];
    values[i] = 4 * threadIdx.x + i;
  }
  Sort(storage.of_keys).Sort(keys);
  __syncthreads();
  SortPairs(storage.of_pairs).SortDescendingBlockedToStriped(reals, values);
  for (int i = 0; i < 4; ++i) {
    up[4 * threadIdx.x + i] = keys[i];
    down[threadIdx.x + i * 96] = reals[i];
    place[threadIdx.x + i * 96] = values[i];
  }
})",
                                      {{"in", ints(in)},
                                       {"up", ints(std::vector<std::int32_t>(4 * block_threads))},
                                       {"down", ints(std::vector<std::int32_t>(4 * block_threads))},
                                       {"place", ints(std::vector<std::int32_t>(4 * block_threads))}},
                                      GetParam());
  std::vector<std::int32_t> keys;
  for (unsigned i = 0; i < 4 * block_threads; ++i)
    keys.push_back(in[i % block_threads] * static_cast<std::int32_t>(i % 4 + 1));
  const auto down = result_of<std::int32_t>(run, "down"), place = result_of<std::int32_t>(run, "place");
  for (unsigned i = 0; i < 4 * block_threads; ++i)
    EXPECT_EQ(keys[static_cast<unsigned>(place[i])], down[i]) << i;
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(result_of<std::int32_t>(run, "up"), keys);
  EXPECT_TRUE(std::equal(keys.rbegin(), keys.rend(), down.begin()));
}

TEST_P(CubBlock, LoadsAndStoresInEveryOrder) {
  std::vector<std::int32_t> in(8 * block_threads);
  std::iota(in.begin(), in.end(), 1);
  for (const char* way : {"DIRECT", "VECTORIZE", "TRANSPOSE", "WARP_TRANSPOSE"}) {
    const std::string source = std::string(R"(
#include <cub/cub.cuh>
__global__ void k(const int* in, int* out, int valid) {
  typedef cub::BlockLoad<int, 96, 8, cub::BLOCK_LOAD_)") +
                               way + R"(> Load;
  typedef cub::BlockStore<int, 96, 8, cub::BLOCK_STORE_)" +
                               way + R"(> Store;
  __shared__ typename Load::TempStorage of_load;
  __shared__ typename Store::TempStorage of_store;
  int items[8];
  Load(of_load).Load(in, items, valid, -1);
  for (int i = 0; i < 8; ++i)
    items[i] += 1000 * (8 * threadIdx.x + i);
  Store(of_store).Store(out, items, valid);
})";
    const RunResult run = run_one_block(source,
                                        {{"in", ints(in)},
                                         {"out", ints(std::vector<std::int32_t>(8 * block_threads))},
                                         {"valid", scalar("700")}},
                                        GetParam());
    std::vector<std::int32_t> wanted(8 * block_threads);
    for (std::int32_t i = 0; i < 700; ++i)
      wanted[static_cast<unsigned>(i)] = i + 1 + 1000 * i;
    EXPECT_EQ(result_of<std::int32_t>(run, "out"), wanted) << way;
  }
}

INSTANTIATE_TEST_SUITE_P(Families, CubBlock, testing::Values(ir::TargetFamily::nvidia, ir::TargetFamily::amd),
                         [](const auto& family) {
                           return family.param == ir::TargetFamily::nvidia ? "nvidia" : "amd";
                         });

TEST(CubWarp, PrimitivesKeepToTheirPartOfAWarp) {
  const auto in = inputs();
  const RunResult run = run_one_block(R"(
#include <cub/cub.cuh>
__global__ void k(const int* in, int* sum, int* before) {
  __shared__ typename cub::WarpReduce<int, 16>::TempStorage r;
  __shared__ typename cub::WarpScan<int, 16>::TempStorage s;
  sum[threadIdx.x] = cub::WarpReduce<int, 16>(r).Sum(in[threadIdx.x]);
  int value;
  cub::WarpScan<int, 16>(s).ExclusiveSum(in[threadIdx.x], value);
  before[threadIdx.x] = value;
})",
                                      {{"in", ints(in)},
                                       {"sum", ints(std::vector<std::int32_t>(block_threads))},
                                       {"before", ints(std::vector<std::int32_t>(block_threads))}});
  const auto sum = result_of<std::int32_t>(run, "sum"), before = result_of<std::int32_t>(run, "before");
  for (unsigned first = 0; first < block_threads; first += 16) {
    EXPECT_EQ(sum[first], std::accumulate(in.begin() + first, in.begin() + first + 16, 0));
    for (unsigned i = first; i < first + 16; ++i)
      EXPECT_EQ(before[i], std::accumulate(in.begin() + first, in.begin() + i, 0)) << i;
  }
}

// Lanes that agree on a predicate or a label form a group; a group of any kind has its size and its ranks.
TEST(CooperativeGroups, PartsOfAWarpReduceAmongThemselves) {
  const auto in = inputs();
  const RunResult run =
      run_one_block(R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__device__ unsigned sum_of(cg::thread_group group) { return group.size() * 100 + group.thread_rank(); }
__global__ void k(const int* in, int* sum, int* by_label, unsigned* ranks, double* pairs) {
  const int i = threadIdx.x;
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  auto same_sign = cg::binary_partition(tile, in[i] < 0);
  sum[i] = cg::reduce(same_sign, in[i], cg::plus<int>());
  by_label[i] = cg::labeled_partition(tile, in[i] % 3).size();
  ranks[i] = sum_of(tile) + 10000 * sum_of(block);
  const double2 other = tile.shfl_xor(make_double2(in[i], -in[i]), 1);
  pairs[i] = other.x - other.y;
})",
                    {{"in", ints(in)},
                     {"sum", ints(std::vector<std::int32_t>(block_threads))},
                     {"by_label", ints(std::vector<std::int32_t>(block_threads))},
                     {"ranks", uints(std::vector<std::uint32_t>(block_threads))},
                     {"pairs", buffer_of(facts::ScalarType::f64, std::vector<double>(block_threads))}});
  const auto sum = result_of<std::int32_t>(run, "sum"), by_label = result_of<std::int32_t>(run, "by_label");
  const auto ranks = result_of<std::uint32_t>(run, "ranks");
  const auto pairs = result_of<double>(run, "pairs");
  for (unsigned i = 0; i < block_threads; ++i) {
    std::int32_t expected_sum = 0, expected_lanes = 0;
    for (unsigned j = i / 32 * 32; j < i / 32 * 32 + 32; ++j) {
      expected_sum += (in[j] < 0) == (in[i] < 0) ? in[j] : 0;
      expected_lanes += in[j] % 3 == in[i] % 3;
    }
    EXPECT_EQ(sum[i], expected_sum) << i;
    EXPECT_EQ(by_label[i], expected_lanes) << i;
    EXPECT_EQ(ranks[i], 32 * 100 + i % 32 + 10000 * (block_threads * 100 + i)) << i;
    EXPECT_EQ(pairs[i], 2.0 * in[i ^ 1]) << i;
  }
}

// The known answer that Random123 publishes for ten rounds on a counter and a key of zeros, and the counter's
// step.
TEST(CurandDevice, PhiloxGivesTheKnownAnswer) {
  const RunResult run = run_one_block(R"(
#include <curand_kernel.h>
__global__ void k(unsigned* out) {
  curandStatePhilox4_32_10_t state;
  curand_init(0, 0, 0, &state);
  if (threadIdx.x > 0)
    return;
  for (int i = 0; i < 5; ++i)
    out[i] = curand(&state);
  curand_init(0, 0, 4, &state);
  out[5] = curand(&state);
})",
                                      {{"out", uints(std::vector<std::uint32_t>(6))}});
  const auto out = result_of<std::uint32_t>(run, "out");
  EXPECT_EQ((std::vector<std::uint32_t>(out.begin(), out.begin() + 4)),
            (std::vector<std::uint32_t>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(out[4], out[5]);
}

// ---- XORWOW against its definition: bit matrices over GF(2), squared 67 times ----

using Xorwow = std::array<std::uint32_t, 5>;

void advance(Xorwow& v) {
  const std::uint32_t t = v[0] ^ (v[0] >> 2);
  v = {v[1], v[2], v[3], v[4], (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1))};
}

using Jump = std::vector<Xorwow>; ///< where each of the 160 bits goes

Xorwow jumped(const Jump& jump, const Xorwow& v) {
  Xorwow result{};
  for (unsigned bit = 0; bit < 160; ++bit)
    if ((v[bit / 32] >> bit % 32 & 1) != 0)
      for (unsigned k = 0; k < 5; ++k)
        result[k] ^= jump[bit][k];
  return result;
}

Jump sequence_jump() {
  Jump jump(160);
  for (unsigned bit = 0; bit < 160; ++bit) {
    jump[bit][bit / 32] = 1U << bit % 32;
    advance(jump[bit]);
  }
  for (int square = 0; square < 67; ++square) {
    Jump twice;
    for (const Xorwow& row : jump)
      twice.push_back(jumped(jump, row));
    jump = std::move(twice);
  }
  return jump;
}

// Thread t takes sequence t: its state is the first one jumped t times; `d` is the same in all.
TEST(CurandDevice, XorwowSequencesLieTwoToThe67Apart) {
  const RunResult run = run_one_block(R"(
#include <curand_kernel.h>
__global__ void k(unsigned* out) {
  curandState state;
  curand_init(1234, threadIdx.x, 0, &state);
  for (int i = 0; i < 5; ++i)
    out[threadIdx.x * 7 + i] = state.v[i];
  out[threadIdx.x * 7 + 5] = state.d;
  out[threadIdx.x * 7 + 6] = curand(&state);
})",
                                      {{"out", uints(std::vector<std::uint32_t>(block_threads * 7))}});
  const auto out = result_of<std::uint32_t>(run, "out");
  const Jump jump = sequence_jump();
  Xorwow v{out[0], out[1], out[2], out[3], out[4]};
  for (unsigned t = 0; t < block_threads; ++t, v = jumped(jump, v)) {
    EXPECT_EQ((Xorwow{out[t * 7], out[t * 7 + 1], out[t * 7 + 2], out[t * 7 + 3], out[t * 7 + 4]}), v) << t;
    EXPECT_EQ(out[t * 7 + 5], out[5]);
    Xorwow next = v;
    advance(next);
    EXPECT_EQ(out[t * 7 + 6], next[4] + out[5] + 362437);
  }
}

TEST(CurandDevice, XorwowOffsetsAreSteps) {
  const RunResult run = run_one_block(R"(
#include <curand_kernel.h>
__global__ void k(unsigned* out) {
  curandState state, other;
  curand_init(5, 3, 0, &state);
  curand_init(5, 3, 4, &other);
  for (int i = 0; i < 4; ++i)
    curand(&state);
  if (threadIdx.x == 0) {
    out[0] = curand(&state);
    out[1] = curand(&other);
  }
})",
                                      {{"out", uints({0, 1})}});
  const auto out = result_of<std::uint32_t>(run, "out");
  EXPECT_EQ(out[0], out[1]);
}

// Every thread's list of three nodes is its own: 3 nodes of 16 bytes a thread.
TEST(DeviceHeap, AllocationsAreApart) {
  for (const ir::TargetFamily family : {ir::TargetFamily::nvidia, ir::TargetFamily::amd}) {
    const RunResult run = run_one_block(R"(
struct Node { int value; Node* next; };
__global__ void k(int* out) {
  Node* head = nullptr;
  for (int i = 0; i < 3; ++i) {
    Node* node = i == 1 ? static_cast<Node*>(malloc(sizeof(Node))) : new Node;
    node->value = 100 * threadIdx.x + i;
    node->next = head;
    head = node;
  }
  __syncthreads();
  int sum = 0;
  while (head) {
    sum += head->value;
    Node* next = head->next;
    delete head;
    head = next;
  }
  out[threadIdx.x] = sum;
})",
                                        {{"out", ints(std::vector<std::int32_t>(block_threads))}}, family);
    const auto out = result_of<std::int32_t>(run, "out");
    for (unsigned i = 0; i < block_threads; ++i)
      EXPECT_EQ(out[i], static_cast<std::int32_t>(300 * i + 3)) << i;
  }
}

} // namespace
