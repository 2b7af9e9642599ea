// Tensor memory (tcgen05): where sums lie, and which lane moves what, is written out beside the kernels, from
// the PTX ISA ("Data path layouts", "Matrix fragments for tcgen05.ld").
#include "unit/simt/kernel_runner.h"

#include <fmt/format.h>

namespace {

using namespace forewarp;
using namespace forewarp::simt;
using namespace forewarp::simt::test;

float a_at(int row, int k) {
  return static_cast<float>((row * 3 + k * 5) % 7 - 3);
}
float b_at(int k, int column) {
  return static_cast<float>((k * 2 + column * 3) % 5 - 2);
}
float product_at(int row, int column) {
  float sum = 0;
  for (int k = 0; k < 16; ++k)
    sum += a_at(row, k) * b_at(k, column);
  return sum;
}

std::string list_of(unsigned count, const std::string& pattern) {
  std::string names;
  for (unsigned i = 0; i < count; ++i)
    names += fmt::format(fmt::runtime((i == 0 ? "" : ", ") + pattern), i);
  return names;
}

/// Factors of halves in bricks of 8 rows of 16 bytes: the next along k 128 bytes on, the next eight rows 256.
constexpr const char* parts = R"(
__device__ float a_at(int row, int k) { return (row * 3 + k * 5) % 7 - 3; }
__device__ float b_at(int k, int column) { return (k * 2 + column * 3) % 5 - 2; }
__device__ unsigned half_of(float v) { unsigned short h; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(v)); return h; }
__device__ unsigned place(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ unsigned long long bricks(const void* p) {
  return (unsigned long long)((place(p) & 0x3FFFF) >> 4) | 128ull >> 4 << 16 | 256ull >> 4 << 32 | 1ull << 46;
}
__device__ int brick(int row, int k) { return row / 8 * 256 + k / 8 * 128 + row % 8 * 16 + k % 8 * 2; }
struct Shared {
  __align__(1024) unsigned char a[8192], b[8192];
  unsigned long long barrier;
  unsigned columns;
};
__device__ void fill(Shared& s, int rows, int first_row, int columns, int first_column) {
  for (int i = threadIdx.x; i < rows * 16; i += 128)
    *(unsigned short*)(s.a + brick(i / 16, i % 16)) = half_of(a_at(first_row + i / 16, i % 16));
  for (int i = threadIdx.x; i < columns * 16; i += 128)
    *(unsigned short*)(s.b + brick(i / 16, i % 16)) = half_of(b_at(i % 16, first_column + i / 16));
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(place(&s.barrier)));
}
__device__ void wait(Shared& s, unsigned parity) {
  asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra AGAIN;\n}"
               ::"r"(place(&s.barrier)), "r"(parity) : "memory");
}
/// Sums in floats of halves.
__device__ constexpr unsigned shape(unsigned m, unsigned n) { return 1 << 4 | n / 8 << 17 | m / 16 << 24; }
)";

/// The whole: `rows` by 32 sums, twice the product where `times` is 2; `load` says what is loaded.
std::string one_group(unsigned rows, unsigned times, const std::string& load) {
  return parts + fmt::format(R"(
__global__ void k(float* out) {{
  __shared__ Shared s;
  const int t = threadIdx.x;
  fill(s, {0}, 0, 32, 0);
  if (t < 32)
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 64;" ::"r"(place(&s.columns)) : "memory");
  __syncthreads();
  const unsigned d = s.columns;
  if (t == 0) {{
    for (int i = 0; i < {1}; ++i)
      asm volatile("{{ .reg .pred p; setp.ne.b32 p, %4, 0; tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p; }}"
                   ::"r"(d), "l"(bricks(s.a)), "l"(bricks(s.b)), "n"(shape({0}, 32)), "r"(i));
    asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(place(&s.barrier)));
  }}
  wait(s, 0);
  float v[32] = {{}};
  {2}
  asm volatile("tcgen05.wait::ld.sync.aligned;");
  for (int i = 0; i < 32; ++i) out[32 * t + i] = v[i];
  __syncthreads();
  if (t < 32) asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 64;" ::"r"(d));
}})",
                             rows, times, load);
}

std::string load_of(const std::string& spread, unsigned registers, const std::string& behind = "") {
  return fmt::format(R"(asm volatile("tcgen05.ld.sync.aligned.{}.b32 {{{}}}, [%{}]{};" : {} : "r"(d));)",
                     spread, list_of(registers, "%{}"), registers, behind,
                     list_of(registers, "\"=f\"(v[{}])"));
}

std::vector<float> sums_of(const std::string& source, facts::Dim3 items = {128}, facts::Dim3 cluster = {1}) {
  facts::Launch launch = launch_of(items, {128}, {{"out", unknown(facts::ScalarType::f32, items.x * 32)}});
  launch.cluster = cluster;
  return result_of<float>(must(run_whole(compile_cu(source), launch)), "out");
}

TEST(TensorMemory, ALaneIsARow) {
  for (const unsigned times : {1U, 2U}) {
    const auto found = sums_of(one_group(128, times, load_of("32x32b.x32", 32)));
    for (int row = 0; row < 128; ++row)
      for (int column = 0; column < 32; ++column)
        ASSERT_EQ(found[static_cast<std::size_t>(32 * row + column)],
                  static_cast<float>(times) * product_at(row, column))
            << row << "," << column;
  }
}

/// 64 rows are the first 16 lanes of each warp's part.
TEST(TensorMemory, SixtyFourRows) {
  const auto found = sums_of(one_group(64, 1, load_of("32x32b.x32", 32)));
  for (int lane = 0; lane < 128; ++lane)
    for (int column = 0; column < 32 && lane % 32 < 16; ++column)
      ASSERT_EQ(found[static_cast<std::size_t>(32 * lane + column)],
                product_at(lane / 32 * 16 + lane % 16, column));
}

struct Loaded {
  std::string spread, behind;
  unsigned registers;
  int (*row)(int t, int i);
  int (*column)(int t, int i);
};

TEST(TensorMemory, LanesLoadInSeveralWays) {
  const Loaded cases[] = {
      {"16x256b.x1", "", 4, [](int t, int i) { return t / 4 + 8 * (i / 2); },
       [](int t, int i) { return 2 * (t % 4) + i % 2; }},
      {"16x128b.x2", "", 4, [](int t, int i) { return t / 4 + 8 * (i % 2); },
       [](int t, int i) { return t % 4 + 4 * (i / 2); }},
      {"16x64b.x2", "", 2, [](int t, int) { return t / 4 + 8 * (t % 2); },
       [](int t, int i) { return t / 2 % 2 + 2 * i; }},
      {"16x32bx2.x4", ", 8", 4, [](int t, int) { return t % 16; },
       [](int t, int i) { return i + t / 16 * 8; }},
  };
  for (const Loaded& c : cases) {
    const auto found = sums_of(one_group(128, 1, load_of(c.spread, c.registers, c.behind)));
    for (int thread = 0; thread < 128; ++thread)
      for (int i = 0; i < static_cast<int>(c.registers); ++i)
        ASSERT_EQ(found[static_cast<std::size_t>(32 * thread + i)],
                  product_at(thread / 32 * 32 + c.row(thread % 32, i), c.column(thread % 32, i)))
            << c.spread << " " << thread << " " << i;
  }
}

/// A factor that was stored to tensor memory, two halves a word: 8 columns behind the 32 of the sums.
TEST(TensorMemory, AFactorMayLieThere) {
  const std::string source = parts + fmt::format(R"(
__global__ void k(float* out) {{
  __shared__ Shared s;
  const int t = threadIdx.x;
  fill(s, 0, 0, 32, 0);
  if (t < 32)
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 64;" ::"r"(place(&s.columns)) : "memory");
  __syncthreads();
  const unsigned d = s.columns;
  unsigned a[8];
  for (int i = 0; i < 8; ++i) a[i] = half_of(a_at(t, 2 * i)) | half_of(a_at(t, 2 * i + 1)) << 16;
  asm volatile("tcgen05.st.sync.aligned.32x32b.x8.b32 [%0], {{%1, %2, %3, %4, %5, %6, %7, %8}};"
               ::"r"(d + 32), "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]));
  __syncthreads();
  if (t == 0) {{
    asm volatile("{{ .reg .pred p; setp.ne.b32 p, 0, 0; tcgen05.mma.cta_group::1.kind::f16 [%0], [%1], %2, %3, p; }}"
                 ::"r"(d), "r"(d + 32), "l"(bricks(s.b)), "n"(shape(128, 32)));
    asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(place(&s.barrier)));
  }}
  wait(s, 0);
  float v[32];
  {0}
  for (int i = 0; i < 32; ++i) out[32 * t + i] = v[i];
}})",
                                                 load_of("32x32b.x32", 32));
  const auto found = sums_of(source);
  for (int row = 0; row < 128; ++row)
    for (int column = 0; column < 32; ++column)
      ASSERT_EQ(found[static_cast<std::size_t>(32 * row + column)], product_at(row, column));
}

/// Two groups, each with half of the rows of A and half of the columns of B: the first asks, both hear of it.
TEST(TensorMemory, PairsMultiplyTogether) {
  for (const unsigned rows : {256U, 128U}) {
    const std::string source =
        parts + fmt::format(R"(
__global__ void k(float* out) {{
  __shared__ Shared s;
  const int t = threadIdx.x, rank = blockIdx.x % 2;
  fill(s, {0} / 2, rank * {0} / 2, 16, rank * 16);
  if (t < 32)
    asm volatile("tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%0], 64;" ::"r"(place(&s.columns)) : "memory");
  asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
  const unsigned d = s.columns;
  if (t == 0 && rank == 0) {{
    asm volatile("{{ .reg .pred p; setp.ne.b32 p, 0, 0; tcgen05.mma.cta_group::2.kind::f16 [%0], %1, %2, %3, p; }}"
                 ::"r"(d), "l"(bricks(s.a)), "l"(bricks(s.b)), "n"(shape({0}, 32)));
    asm volatile("tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%0], %1;"
                 ::"r"(place(&s.barrier)), "h"((unsigned short)3));
  }}
  wait(s, 0);
  float v[32] = {{}};
  {1}
  for (int i = 0; i < 32; ++i) out[32 * (128 * blockIdx.x + t) + i] = v[i];
}})",
                            rows, load_of(rows == 256 ? "32x32b.x32" : "32x32b.x16", rows == 256 ? 32 : 16));
    const auto found = sums_of(source, {256}, {2});
    for (int lane = 0; lane < 256; ++lane)
      for (int column = 0; column < (rows == 256 ? 32 : 16); ++column) {
        // Of 64 rows a group the second half of the columns lies in lanes 64 to 127.
        const int row = rows == 256 ? lane : lane / 128 * 64 + lane % 64;
        const int of_sums = rows == 256 ? column : column + lane / 64 % 2 * 16;
        ASSERT_EQ(found[static_cast<std::size_t>(32 * lane + column)], product_at(row, of_sums))
            << rows << ": " << lane << "," << column;
      }
  }
}

/// In a sample the groups that ask for products stand for both of their pair.
TEST(TensorMemory, TheFirstOfAPairStandsForIt) {
  const ir::KernelModule module = compile_cu(std::string(parts) + R"(
__global__ void k(float* out) {
  __shared__ Shared s;
  const int t = threadIdx.x;
  fill(s, 128, 0, 16, 0);
  asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
  if (t == 0 && blockIdx.x % 2 == 0) {
    asm volatile("{ .reg .pred p; setp.ne.b32 p, 0, 0; tcgen05.mma.cta_group::2.kind::f16 [%0], %1, %2, %3, p; }"
                 ::"r"(0), "l"(bricks(s.a)), "l"(bricks(s.b)), "n"(shape(256, 32)));
    asm volatile("tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%0], %1;"
                 ::"r"(place(&s.barrier)), "h"((unsigned short)3));
  }
  wait(s, 0);
  out[128 * blockIdx.x + t] = 1;
})");
  facts::Launch launch = launch_of({128 * 64}, {128}, {{"out", unknown(facts::ScalarType::f32, 128 * 64)}});
  launch.cluster = facts::Dim3{2};
  const auto kernel = frontend::select_kernel(module, "");
  const RunResult found = must(run(module, **kernel, launch, RunOptions{}));
  ASSERT_FALSE(found.trace.groups.empty());
  for (const facts::GroupTrace& group : found.trace.groups)
    EXPECT_EQ(group.group.x % 2, 0U);
}

/// Block scales (cuBLAS, "1D block scaling factors layout"): row r by 2^(r % 3), in byte 1 of lane r % 32 of
/// column r / 32; column n by 2^(n % 2), in byte 2. e4m3: 1, 2 and 3 are 0x38, 0x40 and 0x44. Lanes of an odd
/// number stay.
TEST(TensorMemory, FactorsAreScaledByBlocks) {
  const std::string source = std::string(parts) + fmt::format(R"(
__device__ unsigned e4m3(float v) {{ const float s = v < 0 ? -v : v; return (s == 0 ? 0 : s == 1 ? 0x38 : s == 2 ? 0x40 : 0x44) | (v < 0 ? 0x80 : 0); }}
__global__ void k(float* out) {{
  __shared__ Shared s;
  const int t = threadIdx.x;
  for (int i = t; i < 128 * 32; i += 128) s.a[i / 32 / 8 * 256 + i % 32 / 16 * 128 + i / 32 % 8 * 16 + i % 16] = e4m3(a_at(i / 32, i % 32));
  for (int i = t; i < 32 * 32; i += 128) s.b[i / 32 / 8 * 256 + i % 32 / 16 * 128 + i / 32 % 8 * 16 + i % 16] = e4m3(b_at(i % 32, i / 32));
  if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(place(&s.barrier)));
  if (t < 32)
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 64;" ::"r"(place(&s.columns)) : "memory");
  __syncthreads();
  const unsigned d = s.columns;
  unsigned x[5];
  for (int j = 0; j < 4; ++j) x[j] = (127 + (32 * j + t % 32) % 3) << 8;
  x[4] = (127 + t % 2) << 16;
  asm volatile("tcgen05.st.sync.aligned.32x32b.x4.b32 [%0], {{%1, %2, %3, %4}};" ::"r"(d + 32), "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]));
  asm volatile("tcgen05.st.sync.aligned.32x32b.x1.b32 [%0], {{%1}};" ::"r"(d + 40), "r"(x[4]));
  __syncthreads();
  if (t == 0) {{
    asm volatile("{{ .reg .pred p; setp.ne.b32 p, 0, 0; tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X [%0], %1, %2, %3, [%4], [%5], p; }}"
                 ::"r"(d), "l"(bricks(s.a)), "l"(bricks(s.b)), "n"(2 << 4 | 4 << 17 | 1 << 23 | 1 << 27 | 1 << 29), "r"(d + 32), "r"(d + 40));
    asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(place(&s.barrier)));
  }}
  wait(s, 0);
  float v[32];
  {0}
  for (int i = 0; i < 32; ++i) out[32 * t + i] = v[i];
}})",
                                                              load_of("32x32b.x32", 32));
  const auto found = sums_of(source);
  for (int row = 0; row < 128; ++row)
    for (int column = 0; column < 32; ++column) {
      float sum = 0;
      for (int k = 0; k < 32; ++k)
        sum += a_at(row, k) * b_at(k, column);
      ASSERT_EQ(found[static_cast<std::size_t>(32 * row + column)],
                sum * static_cast<float>(1 << (row % 3) << (column % 2)))
          << row << "," << column;
    }
}

/// Halves as sums lie in the lower half of a word; lanes whose bit is set keep what they had, 7 here; packed
/// loads put two columns into a register.
TEST(TensorMemory, SumsOfHalvesMasksAndPackedLoads) {
  const std::string source = std::string(parts) + R"(
__global__ void k(float* out) {
  __shared__ Shared s;
  const int t = threadIdx.x;
  fill(s, 128, 0, 32, 0);
  if (t < 32)
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 64;" ::"r"(place(&s.columns)) : "memory");
  __syncthreads();
  const unsigned d = s.columns, seven = half_of(7) * 0x10001u;
  asm volatile("tcgen05.st.sync.aligned.32x32b.x2.unpack::16b.b32 [%0], {%1, %1};" ::"r"(d), "r"(seven));
  __syncthreads();
  if (t == 0) {
    asm volatile("{ .reg .pred p; setp.ne.b32 p, 0, 0; tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, {%4, %4, %4, %4}, p; }"
                 ::"r"(d), "l"(bricks(s.a)), "l"(bricks(s.b)), "n"(32 / 8 << 17 | 128 / 16 << 24), "r"(0xAAAAAAAA));
    asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(place(&s.barrier)));
  }
  wait(s, 0);
  unsigned v[2];
  asm volatile("tcgen05.ld.sync.aligned.32x32b.x2.pack::16b.b32 {%0, %1}, [%2];" : "=r"(v[0]), "=r"(v[1]) : "r"(d));
  for (int i = 0; i < 4; ++i) {
    float single;
    asm("cvt.f32.f16 %0, %1;" : "=f"(single) : "h"((unsigned short)(v[i / 2] >> 16 * (i % 2))));
    out[32 * t + i] = single;
  }
})";
  const auto found = sums_of(source);
  for (int row = 0; row < 128; ++row)
    for (int column = 0; column < 4; ++column)
      ASSERT_EQ(found[static_cast<std::size_t>(32 * row + column)],
                row % 2 == 1 ? 7 : product_at(row, column))
          << row << "," << column;
}

TEST(TensorMemory, MoreThanThereIs) {
  const std::string source = std::string(parts) + R"(
__global__ void k(float* out) {
  __shared__ Shared s;
  for (int i = 0; i < 3; ++i)
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 256;" ::"r"(place(&s.columns)) : "memory");
  out[s.columns] = 1;
})";
  const auto result = run_whole(compile_cu(source), launch_of({32}, {32}, {{"out", floats({0})}}));
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("256 columns of tensor memory"), std::string::npos)
      << to_string(result.error());
}

} // namespace
