// Matrices that the lanes of a warp hold together: where each element lies is written out beside the kernels,
// from the figures of the PTX ISA ("mma", "ldmatrix", "movmatrix", "stmatrix").
#include "unit/simt/kernel_runner.h"

namespace {

using namespace forewarp;
using namespace forewarp::simt;
using namespace forewarp::simt::test;

RunResult one_warp(const std::string& source, std::map<std::string, facts::ArgumentValue> arguments) {
  return must(run_whole(compile_cu(source), launch_of({32}, {32}, std::move(arguments))));
}

/// Halves of 8 by 8 matrices in shared memory are numbered: matrix m, row r, column c is 64 m + 8 r + c.
constexpr const char* numbered = R"(
__device__ unsigned place(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void number(unsigned short* s) { for (int i = threadIdx.x; i < 256; i += 32) s[i] = i; __syncthreads(); }
)";

std::uint32_t word(unsigned low, unsigned high) {
  return low | high << 16;
}

TEST(Matrices, LoadedRowsAreSpread) {
  for (const bool transposed : {false, true}) {
    const std::string words = transposed ? ".trans" : "";
    const RunResult run = one_warp(std::string(numbered) + R"(
__global__ void k(unsigned* out) {
  __shared__ __align__(16) unsigned short s[256];
  number(s);
  unsigned d[4];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4)" +
                                       words + R"(.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "r"(place(s + 8 * threadIdx.x)));
  for (int i = 0; i < 4; ++i) out[32 * i + threadIdx.x] = d[i];
})",
                                   {{"out", uints(std::vector<std::uint32_t>(128))}});
    const auto found = result_of<std::uint32_t>(run, "out");
    for (unsigned m = 0; m < 4; ++m)
      for (unsigned lane = 0; lane < 32; ++lane) {
        const unsigned g = lane / 4, q = lane % 4;
        const std::uint32_t expected = transposed
                                           ? word(64 * m + 8 * (2 * q) + g, 64 * m + 8 * (2 * q + 1) + g)
                                           : word(64 * m + 8 * g + 2 * q, 64 * m + 8 * g + 2 * q + 1);
        EXPECT_EQ(found[32 * m + lane], expected) << transposed << " " << m << " " << lane;
      }
  }
}

TEST(Matrices, TwoMatricesAreLoadedByHalfAWarp) {
  const RunResult run = one_warp(std::string(numbered) + R"(
__global__ void k(unsigned* out) {
  __shared__ __align__(16) unsigned short s[256];
  number(s);
  unsigned a, b;
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
               : "=r"(a), "=r"(b) : "r"(place(s + 8 * (threadIdx.x & 15))));
  out[threadIdx.x] = a;
  out[32 + threadIdx.x] = b;
})",
                                 {{"out", uints(std::vector<std::uint32_t>(64))}});
  const auto found = result_of<std::uint32_t>(run, "out");
  for (unsigned i = 0; i < 64; ++i)
    EXPECT_EQ(found[i], word(2 * i, 2 * i + 1)) << i;
}

TEST(Matrices, StoringIsTheOtherWayRound) {
  for (const std::string words : {"", ".trans"}) {
    const RunResult run = one_warp(std::string(numbered) + R"(
__global__ void k(unsigned short* out) {
  __shared__ __align__(16) unsigned short s[256], t[256];
  number(s);
  unsigned d[4];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4)" +
                                       words + R"(.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "r"(place(s + 8 * threadIdx.x)));
  asm volatile("stmatrix.sync.aligned.m8n8.x4)" +
                                       words + R"(.shared.b16 [%0], {%1,%2,%3,%4};"
               :: "r"(place(t + 8 * threadIdx.x)), "r"(d[0]), "r"(d[1]), "r"(d[2]), "r"(d[3]) : "memory");
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) out[i] = t[i];
})",
                                   {{"out", unknown(facts::ScalarType::u16, 256)}});
    const auto found = result_of<std::uint16_t>(run, "out");
    for (unsigned i = 0; i < 256; ++i)
      EXPECT_EQ(found[i], i) << words;
  }
}

TEST(Matrices, MovmatrixTransposes) {
  const RunResult run = one_warp(R"(
__global__ void k(unsigned* out) {
  const unsigned first = 2 * threadIdx.x; // row by row, two halves a lane
  unsigned d;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(d) : "r"(first | (first + 1) << 16));
  out[threadIdx.x] = d;
})",
                                 {{"out", uints(std::vector<std::uint32_t>(32))}});
  const auto found = result_of<std::uint32_t>(run, "out");
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(found[lane], word(8 * (2 * (lane % 4)) + lane / 4, 8 * (2 * (lane % 4) + 1) + lane / 4))
        << lane;
}

float a_at(int row, int k) {
  return static_cast<float>((row * 3 + k * 5) % 7 - 3);
}
float b_at(int k, int column) {
  return static_cast<float>((k * 2 + column * 3) % 5 - 2);
}

/// Rows g and g + 8, columns 2 q and 2 q + 1 of 16 by 8 sums that begin at 100 row + column.
template <class T> void expect_sums(const std::vector<T>& found, int depth) {
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 4; ++i) {
      const int row = lane / 4 + 8 * (i / 2), column = 2 * (lane % 4) + i % 2;
      float sum = static_cast<float>(100 * row + column);
      for (int k = 0; k < depth; ++k)
        sum += a_at(row, k) * b_at(k, column);
      EXPECT_EQ(static_cast<float>(found[static_cast<std::size_t>(4 * lane + i)]), sum)
          << row << "," << column;
    }
}

constexpr const char* factors = R"(
__device__ float a_at(int row, int k) { return (row * 3 + k * 5) % 7 - 3; }
__device__ float b_at(int k, int column) { return (k * 2 + column * 3) % 5 - 2; }
__device__ unsigned half_of(float v) { unsigned short h; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(v)); return h; }
__device__ unsigned bf16_of(float v) { return __float_as_uint(v) >> 16; }
)";

TEST(Matrices, ProductOfHalvesSummedInFloats) {
  const RunResult run = one_warp(std::string(factors) + R"(
__global__ void k(float* out) {
  const int g = threadIdx.x / 4, q = threadIdx.x % 4;
  unsigned a[4], b[2];
  for (int w = 0; w < 4; ++w) {
    const int row = g + 8 * (w % 2), k = 2 * q + 8 * (w / 2);
    a[w] = half_of(a_at(row, k)) | half_of(a_at(row, k + 1)) << 16;
  }
  for (int w = 0; w < 2; ++w) b[w] = half_of(b_at(2 * q + 8 * w, g)) | half_of(b_at(2 * q + 8 * w + 1, g)) << 16;
  float d[4];
  for (int i = 0; i < 4; ++i) d[i] = 100 * (g + 8 * (i / 2)) + 2 * q + i % 2;
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  for (int i = 0; i < 4; ++i) out[4 * threadIdx.x + i] = d[i];
})",
                                 {{"out", floats(std::vector<float>(128))}});
  expect_sums(result_of<float>(run, "out"), 16);
}

TEST(Matrices, ProductOfBfloat16AndOfTf32) {
  const RunResult run =
      one_warp(std::string(factors) + R"(
__global__ void k(float* out, float* tf32) {
  const int g = threadIdx.x / 4, q = threadIdx.x % 4;
  unsigned a[4], b[2];
  float d[4], e[4];
  for (int i = 0; i < 4; ++i) d[i] = e[i] = 100 * (g + 8 * (i / 2)) + 2 * q + i % 2;
  for (int w = 0; w < 4; ++w) {
    const int row = g + 8 * (w % 2), k = 2 * q + 8 * (w / 2);
    a[w] = bf16_of(a_at(row, k)) | bf16_of(a_at(row, k + 1)) << 16;
  }
  for (int w = 0; w < 2; ++w) b[w] = bf16_of(b_at(2 * q + 8 * w, g)) | bf16_of(b_at(2 * q + 8 * w + 1, g)) << 16;
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  for (int w = 0; w < 4; ++w) a[w] = __float_as_uint(a_at(g + 8 * (w % 2), q + 4 * (w / 2)));
  for (int w = 0; w < 2; ++w) b[w] = __float_as_uint(b_at(q + 4 * w, g));
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(e[0]), "+f"(e[1]), "+f"(e[2]), "+f"(e[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  for (int i = 0; i < 4; ++i) { out[4 * threadIdx.x + i] = d[i]; tf32[4 * threadIdx.x + i] = e[i]; }
})",
               {{"out", floats(std::vector<float>(128))}, {"tf32", floats(std::vector<float>(128))}});
  expect_sums(result_of<float>(run, "out"), 16);
  expect_sums(result_of<float>(run, "tf32"), 8);
}

TEST(Matrices, ProductOfBytes) {
  const RunResult run = one_warp(std::string(factors) + R"(
__global__ void k(int* out) {
  const int g = threadIdx.x / 4, q = threadIdx.x % 4;
  unsigned a[4] = {}, b[2] = {};
  for (int w = 0; w < 4; ++w)
    for (int e = 0; e < 4; ++e)
      a[w] |= ((int)a_at(g + 8 * (w % 2), 4 * q + 16 * (w / 2) + e) & 255) << 8 * e;
  for (int w = 0; w < 2; ++w)
    for (int e = 0; e < 4; ++e) b[w] |= ((int)b_at(4 * q + 16 * w + e, g) & 255) << 8 * e;
  int d[4];
  for (int i = 0; i < 4; ++i) d[i] = 100 * (g + 8 * (i / 2)) + 2 * q + i % 2;
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  for (int i = 0; i < 4; ++i) out[4 * threadIdx.x + i] = d[i];
})",
                                 {{"out", ints(std::vector<int>(128))}});
  expect_sums(result_of<std::int32_t>(run, "out"), 32);
}

/// m8n8k4: lane 4 g + q has row g, column q of A and row q, column g of B; sums 2 q and 2 q + 1 of row g.
TEST(Matrices, ProductOfDoubles) {
  const RunResult run = one_warp(std::string(factors) + R"(
__global__ void k(double* out) {
  const int g = threadIdx.x / 4, q = threadIdx.x % 4;
  double d0 = 100 * g + 2 * q, d1 = 100 * g + 2 * q + 1;
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
               : "+d"(d0), "+d"(d1) : "d"((double)a_at(g, q)), "d"((double)b_at(q, g)));
  out[2 * threadIdx.x] = d0;
  out[2 * threadIdx.x + 1] = d1;
})",
                                 {{"out", buffer_of(facts::ScalarType::f64, std::vector<double>(64))}});
  const auto found = result_of<double>(run, "out");
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 2; ++i) {
      const int row = lane / 4, column = 2 * (lane % 4) + i;
      double sum = 100 * row + column;
      for (int k = 0; k < 4; ++k)
        sum += a_at(row, k) * b_at(k, column);
      EXPECT_EQ(found[static_cast<std::size_t>(2 * lane + i)], sum);
    }
}

/// m8n8k4 of halves, from the figures of the PTX ISA: lanes 0-3 and 16-19 make the first of four products.
/// Both orders of both factors; here product p has p added to each element of A.
TEST(Matrices, FourProductsOfQuarters) {
  for (const bool a_across : {false, true})
    for (const bool b_across : {false, true})
      for (const bool of_half : {false, true}) {
        const std::string orders = std::string(a_across ? ".col" : ".row") + (b_across ? ".row" : ".col");
        const std::string sums =
            of_half
                ? R"(
  asm volatile("mma.sync.aligned.m8n8k4)" +
                      orders + R"(.f16.f16.f16.f16 {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%8,%8,%8,%8};"
               : "=r"(h[0]), "=r"(h[1]), "=r"(h[2]), "=r"(h[3]) : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(0));
  for (int i = 0; i < 8; ++i) { float v; asm("cvt.f32.f16 %0, %1;" : "=f"(v) : "h"((unsigned short)(h[i / 2] >> 16 * (i % 2)))); d[i] = v; })"
                : R"(
  asm volatile("mma.sync.aligned.m8n8k4)" +
                      orders +
                      R"(.f32.f16.f16.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, {%10,%11}, {%0,%1,%2,%3,%4,%5,%6,%7};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
               : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]));)";
        const RunResult run = one_warp(std::string(factors) + R"(
__device__ unsigned half_bits(float v) { unsigned short h; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(v)); return h; }
__global__ void k(float* out) {
  const int lane = threadIdx.x, p = lane % 16 / 4, upper = 4 * (lane / 16), q = lane % 4;
  unsigned a[2] = {0, 0}, b[2] = {0, 0}, h[4];
  for (int i = 0; i < 4; ++i) {
    const int row = )" + (a_across ? "upper + i" : "upper + q") +
                                           ", at = " + (a_across ? "q" : "i") +
                                           ", column = " + (b_across ? "upper + i" : "upper + q") +
                                           ", from = " + (b_across ? "q" : "i") + R"(;
    a[i / 2] |= half_bits(a_at(row, at) + p) << 16 * (i % 2);
    b[i / 2] |= half_bits(b_at(from, column)) << 16 * (i % 2);
  }
  float d[8] = {0, 0, 0, 0, 0, 0, 0, 0};)" +
                                           sums + R"(
  for (int i = 0; i < 8; ++i) out[8 * lane + i] = d[i];
})",
                                       {{"out", floats(std::vector<float>(256))}});
        const auto found = result_of<float>(run, "out");
        for (int lane = 0; lane < 32; ++lane)
          for (int i = 0; i < 8; ++i) {
            const int upper = 4 * (lane / 16);
            const int row = of_half ? upper + lane % 4 : upper + (lane & 1) + (i & 2);
            const int column = of_half ? i : (i & 4) + (lane & 2) + (i & 1);
            float sum = 0;
            for (int k = 0; k < 4; ++k)
              sum += static_cast<float>((a_at(row, k) + lane % 16 / 4) * b_at(k, column));
            ASSERT_EQ(found[static_cast<std::size_t>(8 * lane + i)], sum)
                << orders << of_half << " lane " << lane << " element " << i;
          }
      }
}

/// A sampled run computes a product that decides how often a loop runs: 16 * 3 = 48 times.
TEST(Matrices, ABranchMayRestOnAProduct) {
  const ir::KernelModule module = compile_cu(R"(
__global__ void k(const unsigned* ones, float* out) {
  float d[4] = {0, 0, 0, 0};
  const unsigned a = ones[threadIdx.x], b = 0x42004200; // 1 and 3
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%5,%5}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a), "r"(b));
  for (int i = 0; i < (int)d[0]; ++i) out[32 * i + threadIdx.x] = i;
})");
  const auto kernel = frontend::select_kernel(module, "");
  const auto stores = [&](facts::BufferValue ones) {
    const RunResult found =
        must(run(module, **kernel,
                 launch_of({3200}, {32},
                           {{"ones", std::move(ones)}, {"out", unknown(facts::ScalarType::f32, 32 * 96)}}),
                 RunOptions{}));
    return found.trace.groups.front().warps.front().events.size() - 1; // but for the load
  };
  EXPECT_EQ(stores(uints(std::vector<std::uint32_t>(32, 0x3C003C00))), 48U);
  EXPECT_EQ(stores(uints(std::vector<std::uint32_t>(32, 0x40004000))), 96U);
}

} // namespace
