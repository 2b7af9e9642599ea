// Products of AMD's waves: which lane holds what is written out beside the kernels, from AMD's ISA documents
// (CDNA 3, RDNA 3, RDNA 4).
#include "unit/simt/kernel_runner.h"

#include <fmt/format.h>

namespace {

using namespace forewarp;
using namespace forewarp::simt;
using namespace forewarp::simt::test;

/// `a_row`, `a_k` of lane l and element e: row of A and column of B (the same rule), place along k, block;
/// `d_row`, `d_column`, `d_block` of sum v.
struct Case {
  std::string name, target;
  unsigned width = 64;
  std::string factor;   ///< type of a lane's part of a factor
  unsigned of_lane = 1; ///< its elements
  std::string put;      ///< sets element e of a vector x to the float y
  std::string sums;     ///< type of the sums
  unsigned sums_of_lane = 1;
  std::string row, k, block, d_row, d_column, d_block;
  std::string call;
  int depth = 1;
};

ir::KernelModule compiled(const Case& c) {
  const std::string source =
      fmt::format(R"(
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef float float32 __attribute__((ext_vector_type(32)));
float a_at(int block, int row, int k) {{ return (row * 3 + k * 5 + block) % 7 - 3; }}
float b_at(int block, int column, int k) {{ return (k * 2 + column * 3 + block) % 5 - 2; }}
kernel void k(global float* out) {{
  const int l = get_local_id(0);
  {0} a = 0, b = 0;
  {1} d;
  #pragma unroll
  for (int e = 0; e < {2}; ++e) {{
    const int row = {4}, k = {5}, block = {6};
    {{ float y = a_at(block, row, k); {3}(a) }}
    {{ float y = b_at(block, row, k); {3}(b) }}
  }}
  #pragma unroll
  for (int v = 0; v < {7}; ++v) d{8} = 100 * ({9}) + ({10});
  d = {11};
  #pragma unroll
  for (int v = 0; v < {7}; ++v) out[{7} * l + v] = d{8};
}})",
                  c.factor, c.sums, c.of_lane, "PUT", c.row, c.k, c.block, c.sums_of_lane,
                  c.sums_of_lane == 1 ? "" : "[v]", c.d_row, c.d_column, c.call);
  const std::string path = testing::TempDir() + fmt::format("forewarp_wave_{}.cl", ::getpid());
  std::ofstream(path) << "#define PUT(x) " << c.put << "\n" << source;
  frontend::CompileRequest request;
  request.path = path;
  request.standard = "CL2.0";
  request.family = ir::TargetFamily::amd;
  request.target = c.target;
  request.warp_width = c.width;
  auto module = frontend::compile(request);
  std::remove(path.c_str());
  if (!module)
    throw std::runtime_error(to_string(module.error()));
  return std::move(*module);
}

float a_at(int block, int row, int k) {
  return static_cast<float>((row * 3 + k * 5 + block) % 7 - 3);
}
float b_at(int block, int column, int k) {
  return static_cast<float>((k * 2 + column * 3 + block) % 5 - 2);
}

using PlaceOf = std::array<int, 3> (*)(int lane, int v); ///< row, column, block

void expect(const Case& c, PlaceOf place_of) {
  const RunResult run = must(run_whole(
      compiled(c),
      launch_of({c.width}, {c.width}, {{"out", unknown(facts::ScalarType::f32, c.width * c.sums_of_lane)}})));
  const auto found = result_of<float>(run, "out");
  for (int lane = 0; lane < static_cast<int>(c.width); ++lane)
    for (int v = 0; v < static_cast<int>(c.sums_of_lane); ++v) {
      const auto [row, column, block] = place_of(lane, v);
      auto sum = static_cast<float>(100 * row + column);
      for (int k = 0; k < c.depth; ++k)
        sum += a_at(block, row, k) * b_at(block, column, k);
      ASSERT_EQ(found[static_cast<std::size_t>(lane) * c.sums_of_lane + static_cast<std::size_t>(v)], sum)
          << c.name << ": " << block << ":" << row << "," << column;
    }
}

const std::string vector_put = "x[e] = y;", short_put = "x[e] = as_uint(y) >> 16;",
                  byte_put = "x |= ((ulong)((int)y & 255)) << 8 * e;";

TEST(WaveProducts, FourRowsAfterEachOther) {
  Case c{.name = "16x16x16 f16",
         .target = "gfx90a",
         .factor = "half4",
         .of_lane = 4,
         .put = vector_put,
         .sums = "float4",
         .sums_of_lane = 4,
         .row = "l % 16",
         .k = "l / 16 * 4 + e",
         .block = "0",
         .d_row = "l / 16 * 4 + v",
         .d_column = "l % 16",
         .call = "__builtin_amdgcn_mfma_f32_16x16x16f16(a, b, d, 0, 0, 0)",
         .depth = 16};
  const PlaceOf quad = [](int l, int v) { return std::array{l / 16 * 4 + v, l % 16, 0}; };
  expect(c, quad);
  c.name = "16x16x16 bf16";
  c.factor = "short4";
  c.put = short_put;
  c.call = "__builtin_amdgcn_mfma_f32_16x16x16bf16_1k(a, b, d, 0, 0, 0)";
  expect(c, quad);
  c.name = "16x16x32 i8";
  c.target = "gfx942";
  c.factor = "long";
  c.of_lane = 8;
  c.put = byte_put;
  c.sums = "int4";
  c.k = "l / 16 * 8 + e";
  c.call = "__builtin_amdgcn_mfma_i32_16x16x32_i8(a, b, d, 0, 0, 0)";
  c.depth = 32;
  expect(c, quad);
}

TEST(WaveProducts, ThirtyTwoRows) {
  expect({.name = "32x32x8 f16",
          .target = "gfx90a",
          .factor = "half4",
          .of_lane = 4,
          .put = vector_put,
          .sums = "float16",
          .sums_of_lane = 16,
          .row = "l % 32",
          .k = "l / 32 * 4 + e",
          .block = "0",
          .d_row = "v / 4 * 8 + l / 32 * 4 + v % 4",
          .d_column = "l % 32",
          .call = "__builtin_amdgcn_mfma_f32_32x32x8f16(a, b, d, 0, 0, 0)",
          .depth = 8},
         [](int l, int v) { return std::array{v / 4 * 8 + l / 32 * 4 + v % 4, l % 32, 0}; });
}

TEST(WaveProducts, SeveralBlocks) {
  expect({.name = "4x4x4 of 16 blocks",
          .target = "gfx90a",
          .factor = "half4",
          .of_lane = 4,
          .put = vector_put,
          .sums = "float4",
          .sums_of_lane = 4,
          .row = "l % 4",
          .k = "e",
          .block = "l / 4",
          .d_row = "v",
          .d_column = "l % 4",
          .call = "__builtin_amdgcn_mfma_f32_4x4x4f16(a, b, d, 0, 0, 0)",
          .depth = 4},
         [](int l, int v) { return std::array{v, l % 4, l / 4}; });
  expect({.name = "32x32x1 of 2 blocks",
          .target = "gfx90a",
          .factor = "float",
          .of_lane = 1,
          .put = "x = y;",
          .sums = "float32",
          .sums_of_lane = 32,
          .row = "l % 32",
          .k = "0",
          .block = "l / 32",
          .d_row = "v % 16 / 4 * 8 + l / 32 * 4 + v % 4",
          .d_column = "l % 32",
          .call = "__builtin_amdgcn_mfma_f32_32x32x1f32(a, b, d, 0, 0, 0)",
          .depth = 1},
         [](int l, int v) { return std::array{v % 16 / 4 * 8 + l / 32 * 4 + v % 4, l % 32, v / 16}; });
}

TEST(WaveProducts, Doubles) {
  expect({.name = "16x16x4 f64",
          .target = "gfx90a",
          .factor = "double",
          .of_lane = 1,
          .put = "x = y;",
          .sums = "double4",
          .sums_of_lane = 4,
          .row = "l % 16",
          .k = "l / 16",
          .block = "0",
          .d_row = "v * 4 + l / 16",
          .d_column = "l % 16",
          .call = "__builtin_amdgcn_mfma_f64_16x16x4f64(a, b, d, 0, 0, 0)",
          .depth = 4},
         [](int l, int v) { return std::array{v * 4 + l / 16, l % 16, 0}; });
  expect({.name = "4x4x4 f64 of 4 blocks",
          .target = "gfx90a",
          .factor = "double",
          .of_lane = 1,
          .put = "x = y;",
          .sums = "double",
          .sums_of_lane = 1,
          .row = "l % 4",
          .k = "l / 16",
          .block = "l / 4 % 4",
          .d_row = "l / 16",
          .d_column = "l % 4",
          .call = "__builtin_amdgcn_mfma_f64_4x4x4f64(a, b, d, 0, 0, 0)",
          .depth = 4},
         [](int l, int) { return std::array{l / 16, l % 4, l / 4 % 4}; });
}

TEST(WaveProducts, Gfx11HasWholeRowsInEachLane) {
  expect({.name = "wmma f16",
          .target = "gfx1100",
          .width = 32,
          .factor = "half16",
          .of_lane = 16,
          .put = vector_put,
          .sums = "float8",
          .sums_of_lane = 8,
          .row = "l % 16",
          .k = "e",
          .block = "0",
          .d_row = "2 * v + l / 16",
          .d_column = "l % 16",
          .call = "__builtin_amdgcn_wmma_f32_16x16x16_f16_w32(a, b, d)",
          .depth = 16},
         [](int l, int v) { return std::array{2 * v + l / 16, l % 16, 0}; });
  expect({.name = "wmma iu8",
          .target = "gfx1100",
          .width = 32,
          .factor = "int4",
          .of_lane = 16,
          .put = "x[e / 4] |= ((int)y & 255) << e % 4 * 8;",
          .sums = "int8",
          .sums_of_lane = 8,
          .row = "l % 16",
          .k = "e",
          .block = "0",
          .d_row = "2 * v + l / 16",
          .d_column = "l % 16",
          .call = "__builtin_amdgcn_wmma_i32_16x16x16_iu8_w32(true, a, true, b, d, false)",
          .depth = 16},
         [](int l, int v) { return std::array{2 * v + l / 16, l % 16, 0}; });
}

TEST(WaveProducts, Gfx12SharesRowsBetweenLanes) {
  expect({.name = "wmma f16",
          .target = "gfx1200",
          .width = 32,
          .factor = "half8",
          .of_lane = 8,
          .put = vector_put,
          .sums = "float8",
          .sums_of_lane = 8,
          .row = "l % 16",
          .k = "e / 4 * 8 + l / 16 * 4 + e % 4",
          .block = "0",
          .d_row = "8 * (l / 16) + v",
          .d_column = "l % 16",
          .call = "__builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(a, b, d)",
          .depth = 16},
         [](int l, int v) { return std::array{8 * (l / 16) + v, l % 16, 0}; });
}

/// fp8 of gfx942: 0x40 is 1 with a bias of 8 (2 in OCP's format, of gfx12).
TEST(WaveProducts, SmallFloatsOfGfx942HaveAnotherBias) {
  Case c{.name = "fp8",
         .target = "gfx942",
         .factor = "long",
         .of_lane = 1,
         .put = "x = 0x4040404040404040;",
         .sums = "float4",
         .sums_of_lane = 4,
         .row = "0",
         .k = "0",
         .block = "0",
         .d_row = "0",
         .d_column = "l",
         .call = "__builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8(a, b, d, 0, 0, 0)"};
  const RunResult run =
      must(run_whole(compiled(c), launch_of({64}, {64}, {{"out", unknown(facts::ScalarType::f32, 256)}})));
  const auto found = result_of<float>(run, "out");
  for (int lane = 0; lane < 64; ++lane)
    EXPECT_EQ(found[static_cast<std::size_t>(4 * lane)], static_cast<float>(lane + 32));
}

} // namespace
