// Products of a warp that LLVM 19 has no intrinsic for: floats of 8 bits and less, block scales, sparse
// factors. Where each element lies is written out beside the kernels, from the PTX ISA ("mma", "mma.sp",
// "Block scaling").
#include "unit/simt/kernel_runner.h"

#include <cmath>

namespace {

using namespace forewarp;
using namespace forewarp::simt;
using namespace forewarp::simt::test;

std::vector<float> sums_of(const std::string& source) {
  const RunResult run =
      must(run_whole(compile_cu(source), launch_of({32}, {32}, {{"out", floats(std::vector<float>(128))}})));
  return result_of<float>(run, "out");
}

/// Numbers from -3 to 3 as codes: e4m3 (1 is 0x38: bias 7, three bits of fraction), e2m1 (1 is 2: bias 1, one
/// bit).
constexpr const char* codes = R"(
__device__ int a_at(int row, int k) { return (row * 3 + k * 5) % 7 - 3; }
__device__ int b_at(int k, int column) { return (k * 2 + column * 3) % 5 - 2; }
__device__ unsigned e4m3(int v) { const int s = v < 0 ? -v : v; return (s == 0 ? 0 : s == 1 ? 0x38 : s == 2 ? 0x40 : 0x44) | (v < 0 ? 0x80 : 0); }
__device__ unsigned e2m1(int v) { const int s = v < 0 ? -v : v; return (s == 0 ? 0 : s == 1 ? 2 : s == 2 ? 4 : 5) | (v < 0 ? 8 : 0); }
__device__ unsigned half_of(float v) { unsigned short h; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(v)); return h; }
)";

float a_at(int row, int k) {
  return static_cast<float>((row * 3 + k * 5) % 7 - 3);
}
float b_at(int k, int column) {
  return static_cast<float>((k * 2 + column * 3) % 5 - 2);
}

/// Sums that begin at 100 row + column: rows g and g + 8, columns 2 q and 2 q + 1.
template <class Sum> void expect_sums(const std::vector<float>& found, const Sum& sum) {
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 4; ++i) {
      const int row = lane / 4 + 8 * (i / 2), column = 2 * (lane % 4) + i % 2;
      EXPECT_EQ(found[static_cast<std::size_t>(4 * lane + i)],
                static_cast<float>(100 * row + column) + sum(row, column))
          << row << "," << column;
    }
}

/// `fill` sets a, b and what else `statement` takes behind the sums (%10 and on).
std::string kernel_of(const std::string& fill, const std::string& statement, const std::string& further) {
  return std::string(codes) + R"(
__global__ void k(float* out) {
  const int g = threadIdx.x / 4, q = threadIdx.x % 4;
  unsigned a[4] = {0, 0, 0, 0}, b[4] = {0, 0, 0, 0}, x = 0, y = 0;
  float d[4];
  for (int i = 0; i < 4; ++i) d[i] = 100 * (g + 8 * (i / 2)) + 2 * q + i % 2;
)" + fill +
         "  asm volatile(\"" + statement +
         R"(" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
    : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))" +
         further + R"();
  for (int i = 0; i < 4; ++i) out[4 * threadIdx.x + i] = d[i];
})";
}

constexpr const char* bytes = R"(
  for (int w = 0; w < 4; ++w) for (int e = 0; e < 4; ++e) a[w] |= e4m3(a_at(g + 8 * (w % 2), 4 * q + 16 * (w / 2) + e)) << 8 * e;
)";

TEST(MarkedProduct, OfFloatsOfEightBits) {
  const auto found =
      sums_of(kernel_of(std::string(bytes) + "  for (int w = 0; w < 2; ++w) for (int e = 0; e < 4; ++e) b[w] "
                                             "|= e4m3(b_at(4 * q + 16 * w + e, g)) << 8 * e;\n",
                        "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
                        "{%8,%9}, {%0,%1,%2,%3};",
                        ""));
  expect_sums(found, [](int row, int column) {
    float sum = 0;
    for (int k = 0; k < 32; ++k)
      sum += a_at(row, k) * b_at(k, column);
    return sum;
  });
}

// Rows are scaled by 2^(row % 3), columns by 2^(column % 2). B's numbers of four bits lie in bits 2 to 5 of a
// byte. The scales of rows g and g + 8 are byte 1 of lanes 2 and 3 of each four, those of columns byte 2 of
// lane 3.
TEST(MarkedProduct, OfBlocksWithOneScale) {
  const auto found = sums_of(kernel_of(std::string(bytes) + R"(
  for (int w = 0; w < 2; ++w) for (int e = 0; e < 4; ++e) b[w] |= e2m1(b_at(4 * q + 16 * w + e, g)) << (8 * e + 2);
  if (q >= 2) x = (127 + (g + 8 * (q - 2)) % 3) << 8;
  if (q == 3) y = (127 + g % 2) << 16;
)",
                                       "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_"
                                       "vec::1X.f32.e4m3.e2m1.f32.ue8m0 {%0,%1,%2,%3}, "
                                       "{%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3}, %10, {1, 1}, %11, {2, 3};",
                                       R"(, "r"(x), "r"(y))"));
  expect_sums(found, [](int row, int column) {
    float sum = 0;
    for (int k = 0; k < 32; ++k)
      sum += a_at(row, k) * b_at(k, column);
    return sum * std::ldexp(1.0F, row % 3 + column % 2);
  });
}

// Sixteen numbers of four bits a scale: block j of a row by 2^((row + j) % 3), of a column by 1 (e4m3 codes
// 0x38, 0x40, 0x48 are 1, 2, 4). Register w of A holds eight of k from 8 q + 32 (w / 2) on.
TEST(MarkedProduct, OfBlocksWithFourScales) {
  const auto found = sums_of(kernel_of(
      R"(
  for (int w = 0; w < 4; ++w) for (int e = 0; e < 8; ++e) a[w] |= e2m1(a_at(g + 8 * (w % 2), 8 * q + 32 * (w / 2) + e)) << 4 * e;
  for (int w = 0; w < 2; ++w) for (int e = 0; e < 8; ++e) b[w] |= e2m1(b_at(8 * q + 32 * w + e, g)) << 4 * e;
  for (int j = 0; j < 4; ++j) x |= (0x38 + 8 * ((g + 8 * (q % 2) + j) % 3)) << 8 * j;
  y = 0x38383838;
)",
      "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 "
      "{%0,%1,%2,%3}, "
      "{%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3}, %10, {0, 0}, %11, {0, 0};",
      R"(, "r"(x), "r"(y))"));
  expect_sums(found, [](int row, int column) {
    float sum = 0;
    for (int k = 0; k < 64; ++k)
      sum += a_at(row, k) * b_at(k, column) * std::ldexp(1.0F, (row + k / 16) % 3);
    return sum;
  });
}

// Of the four columns 4 c to 4 c + 3 of row r the numbers stand in (r + c) % 3 and in 3. Their places are
// told by lanes 2 (columns 0 to 15) and 3 (16 to 31) of each four, row g below row g + 8; what lanes 0 and 1
// hold is not read.
TEST(MarkedProduct, OfASparseFactor) {
  const auto found = sums_of(kernel_of(
      R"(
  for (int w = 0; w < 4; ++w) for (int e = 0; e < 2; ++e) a[w] |= half_of(a_at(g + 8 * (w % 2), 2 * q + 8 * (w / 2) + e)) << 16 * e;
  for (int w = 0; w < 4; ++w) for (int e = 0; e < 2; ++e) b[w] |= half_of(b_at(2 * q + 8 * w + e, g)) << 16 * e;
  for (int h = 0; h < 2; ++h) for (int c = 0; c < 4; ++c) x |= ((g + 8 * h + c + 4 * (q - 2)) % 3 | 3 << 2) << (16 * h + 4 * c);
  if (q < 2) x = 0xFFFFFFFF;
)",
      "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
      "{%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, 0x1;",
      R"(, "r"(b[2]), "r"(b[3]), "r"(x))"));
  expect_sums(found, [](int row, int column) {
    float sum = 0;
    for (int c = 0; c < 8; ++c)
      sum += a_at(row, 2 * c) * b_at(4 * c + (row + c) % 3, column) +
             a_at(row, 2 * c + 1) * b_at(4 * c + 3, column);
    return sum;
  });
}

// Of the two columns 2 c and 2 c + 1 of row r the number stands in the first where r + c is even (0b0100),
// else in the second (0b1110). Lane 1 of each four tells of all eight columns of rows g and g + 8.
TEST(MarkedProduct, OfASparseFactorOfSingles) {
  const auto found = sums_of(kernel_of(
      R"(
  for (int w = 0; w < 2; ++w) a[w] = __float_as_uint((float)a_at(g + 8 * w, q));
  for (int w = 0; w < 2; ++w) b[w] = __float_as_uint((float)b_at(q + 4 * w, g));
  for (int h = 0; h < 2; ++h) for (int c = 0; c < 4; ++c) x |= ((g + 8 * h + c) % 2 == 0 ? 4 : 14) << (16 * h + 4 * c);
  if (q != 1) x = 0xFFFFFFFF;
)",
      "mma.sp::ordered_metadata.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5}, "
      "{%8,%9}, {%0,%1,%2,%3}, %10, 0x1;",
      R"(, "r"(x))"));
  expect_sums(found, [](int row, int column) {
    float sum = 0;
    for (int c = 0; c < 4; ++c)
      sum += a_at(row, c) * b_at(2 * c + (row + c) % 2, column);
    return sum;
  });
}

// As halves, of bytes: lanes 0 and 1 tell of columns 0 to 15 and 16 to 31.
TEST(MarkedProduct, OfASparseFactorOfBytes) {
  const auto found = sums_of(kernel_of(
      R"(
  for (int w = 0; w < 4; ++w) for (int e = 0; e < 4; ++e) a[w] |= e4m3(a_at(g + 8 * (w % 2), 4 * q + 16 * (w / 2) + e)) << 8 * e;
  for (int w = 0; w < 4; ++w) for (int e = 0; e < 4; ++e) b[w] |= e4m3(b_at(4 * q + 16 * w + e, g)) << 8 * e;
  for (int h = 0; h < 2; ++h) for (int c = 0; c < 4; ++c) x |= ((g + 8 * h + c + 4 * q) % 3 | 3 << 2) << (16 * h + 4 * c);
)",
      "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.f32.e4m3.e4m3.f32 {%0,%1,%2,%3}, "
      "{%4,%5,%6,%7}, "
      "{%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, 0x0;",
      R"(, "r"(b[2]), "r"(b[3]), "r"(x))"));
  expect_sums(found, [](int row, int column) {
    float sum = 0;
    for (int c = 0; c < 16; ++c)
      sum += a_at(row, 2 * c) * b_at(4 * c + (row + c) % 3, column) +
             a_at(row, 2 * c + 1) * b_at(4 * c + 3, column);
    return sum;
  });
}

} // namespace
