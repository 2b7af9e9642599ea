// Whole grids of small kernels against plain C++.
#include "unit/simt/kernel_runner.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace forewarp::simt::test {
namespace {

std::vector<float> some_floats(std::size_t n, unsigned seed) {
  std::vector<float> v(n);
  for (std::size_t i = 0; i < n; ++i)
    v[i] = static_cast<float>((i * 2654435761U + seed) % 1000) / 64.0F - 7.0F;
  return v;
}

TEST(Kernels, VectorAddWithGuard) {
  const auto module = compile_cl(
      "__kernel void add(__global const float* a, __global const float* b, __global float* c, int n) {"
      " int i = get_global_id(0); if (i < n) c[i] = a[i] + b[i]; }");
  const std::size_t n = 1000;
  const auto a = some_floats(n, 1), b = some_floats(n, 2);
  const auto run = must(run_whole(module, launch_of({1024, 1, 1}, {128, 1, 1},
                                                    {{"a", floats(a)},
                                                     {"b", floats(b)},
                                                     {"c", unknown(facts::ScalarType::f32, n)},
                                                     {"n", scalar("1000")}})));
  const auto c = result_of<float>(run, "c");
  for (std::size_t i = 0; i < n; ++i)
    ASSERT_EQ(c[i], a[i] + b[i]) << i;
  EXPECT_TRUE(run.trace.whole_grid);
  EXPECT_EQ(run.trace.groups.size(), 8U);
}

// A private array whose elements are chosen among: copies of 1 to 16 statements, an index in elements and one
// in rows of 8.
TEST(Kernels, PrivateArrayWithAVariableIndex) {
  const auto sums = [](const std::string& loop) {
    const auto module = compile_cl("__kernel void k(__global const float* b, __global float* a) {"
                                   " int i = get_global_id(0); float s[32];"
                                   " for (int e = 0; e < 32; e++) s[e] = b[e];"
                                   " for (int j = 0; j < 3; j++) { float x = b[j] + i;" +
                                   loop +
                                   " }"
                                   " for (int e = 0; e < 32; e++) a[e * 32 + i] = s[e]; }");
    const auto b = some_floats(32, 5);
    const auto run =
        must(run_whole(module, launch_of({32, 1, 1}, {32, 1, 1},
                                         {{"b", floats(b)}, {"a", unknown(facts::ScalarType::f32, 1024)}})));
    return result_of<float>(run, "a");
  };
  const auto b = some_floats(32, 5);
  std::vector<float> expected(1024);
  for (int i = 0; i < 32; ++i)
    for (int e = 0; e < 32; ++e) {
      float s = b[e];
      for (int j = 0; j < 3; ++j)
        s = std::fma(s, b[j] + static_cast<float>(i), 1.0F + static_cast<float>(e));
      expected[e * 32 + i] = s;
    }
  for (const std::string copies : {"1", "4", "8", "16"})
    EXPECT_EQ(sums("_Pragma(\"unroll " + copies +
                   "\") for (int e = 0; e < 32; e++) s[e] = fma(s[e], x, 1.0f + e);"),
              expected)
        << copies;
  EXPECT_EQ(sums("_Pragma(\"unroll 1\") for (int r = 0; r < 4; r++)"
                 " for (int c = 0; c < 8; c++) s[8 * r + c] = fma(s[8 * r + c], x, 1.0f + (8 * r + c));"),
            expected);
}

// Quotients that are infinite or no number: the machine code's slow path. Ordinary ones, and those of unknown
// values, are not.
TEST(Kernels, SlowDivisions) {
  const auto slow = [](const facts::BufferValue& b, bool whole = true) {
    const auto module = compile_cu("extern \"C\" __global__ void k(const float* b, float* a) {"
                                   " a[threadIdx.x] = b[threadIdx.x] / b[threadIdx.x + 32]; }");
    const auto launch =
        launch_of({32, 1, 1}, {32, 1, 1}, {{"b", b}, {"a", unknown(facts::ScalarType::f32, 32)}});
    RunOptions options;
    options.whole_grid = whole;
    return must(run(module, module.kernels.front(), launch, options)).slow_divisions.size();
  };
  EXPECT_EQ(slow(floats(std::vector<float>(64, 0.0F))), 1U);
  EXPECT_EQ(slow(floats(std::vector<float>(64, 2.0F))), 0U);
  EXPECT_EQ(slow(unknown(facts::ScalarType::f32, 64), false), 0U);
}

TEST(Kernels, TiledMatrixMultiply) {
  const auto module = compile_cl(R"(
    __kernel void mm(int n, __global const float* A, __global const float* B, __global float* C) {
      __local float a[16][16]; __local float b[16][16];
      int tx = get_local_id(0), ty = get_local_id(1);
      int row = get_group_id(1) * 16 + ty, col = get_group_id(0) * 16 + tx;
      float s = 0;
      for (int t = 0; t < n / 16; ++t) {
        a[ty][tx] = A[row * n + t * 16 + tx]; b[ty][tx] = B[(t * 16 + ty) * n + col];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; ++k) s = fma(a[ty][k], b[k][tx], s);
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      C[row * n + col] = s;
    })");
  const int n = 64;
  const auto a = some_floats(n * n, 3), b = some_floats(n * n, 4);
  const auto run = must(run_whole(module, launch_of({64, 64, 1}, {16, 16, 1},
                                                    {{"A", floats(a)},
                                                     {"B", floats(b)},
                                                     {"C", unknown(facts::ScalarType::f32, n * n)},
                                                     {"n", scalar("64")}})));
  const auto c = result_of<float>(run, "C");
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float s = 0;
      for (int k = 0; k < n; ++k)
        s = std::fma(a[i * n + k], b[k * n + j], s);
      ASSERT_EQ(c[i * n + j], s) << i << "," << j;
    }
  EXPECT_EQ(run.trace.classes.size(), 1U);
}

TEST(Kernels, ReductionWithDivergence) {
  const auto module = compile_cl(R"(
    __kernel void sum(__global const float* in, __global float* out, __local float* tmp) {
      int l = get_local_id(0);
      tmp[l] = in[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int s = 1; s < get_local_size(0); s *= 2) {
        if (l % (2 * s) == 0) tmp[l] += tmp[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      if (l == 0) out[get_group_id(0)] = tmp[0];
    })");
  std::vector<float> in(1024);
  std::iota(in.begin(), in.end(), 0.0F);
  const auto run = must(run_whole(module, launch_of({1024, 1, 1}, {128, 1, 1},
                                                    {{"in", floats(in)},
                                                     {"out", unknown(facts::ScalarType::f32, 8)},
                                                     {"tmp", unknown(facts::ScalarType::f32, 128)}})));
  const auto out = result_of<float>(run, "out");
  for (int g = 0; g < 8; ++g)
    EXPECT_EQ(out[g], std::accumulate(in.begin() + g * 128, in.begin() + (g + 1) * 128, 0.0F));
}

TEST(Kernels, HistogramWithAtomics) {
  const auto module = compile_cl(R"(
    __kernel void hist(__global const uint* in, __global uint* bins) {
      __local uint mine[16];
      int l = get_local_id(0);
      if (l < 16) mine[l] = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      atomic_inc(&mine[in[get_global_id(0)] % 16]);
      barrier(CLK_LOCAL_MEM_FENCE);
      if (l < 16) atomic_add(&bins[l], mine[l]);
    })");
  std::vector<std::uint32_t> in(512), want(16);
  for (std::uint32_t i = 0; i < 512; ++i)
    ++want[(in[i] = i * i * 7 + 3) % 16];
  const auto run = must(
      run_whole(module, launch_of({512, 1, 1}, {64, 1, 1},
                                  {{"in", uints(in)}, {"bins", uints(std::vector<std::uint32_t>(16))}})));
  EXPECT_EQ(result_of<std::uint32_t>(run, "bins"), want);
}

TEST(Kernels, TransposeThroughLocalMemory) {
  const auto module = compile_cl(R"(
    __kernel void transpose(__global const int* in, __global int* out, int n) {
      __local int tile[16][17];
      int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
      tile[ly][lx] = in[y * n + x];
      barrier(CLK_LOCAL_MEM_FENCE);
      out[(get_group_id(0) * 16 + ly) * n + get_group_id(1) * 16 + lx] = tile[lx][ly];
    })");
  const int n = 48;
  std::vector<std::int32_t> in(n * n);
  std::iota(in.begin(), in.end(), 5);
  const auto run = must(run_whole(
      module,
      launch_of({48, 48, 1}, {16, 16, 1},
                {{"in", ints(in)}, {"out", unknown(facts::ScalarType::i32, n * n)}, {"n", scalar("48")}})));
  const auto out = result_of<std::int32_t>(run, "out");
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      ASSERT_EQ(out[j * n + i], in[i * n + j]);
}

TEST(Kernels, EarlyReturnBeforeBarrierIsFine) {
  const auto module = compile_cl(R"(
    __kernel void k(__global int* out, int n) {
      __local int t[64];
      int l = get_local_id(0), i = get_global_id(0);
      if (i >= n) return;
      t[l] = i * 3;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[i] = t[l ^ 1];
    })");
  const auto run = must(
      run_whole(module, launch_of({128, 1, 1}, {64, 1, 1},
                                  {{"out", ints(std::vector<std::int32_t>(100))}, {"n", scalar("100")}})));
  const auto out = result_of<std::int32_t>(run, "out");
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(out[i], (i ^ 1) * 3);
}

TEST(Kernels, NestedLoopsWithDivergentTripCounts) {
  const auto module = compile_cl(R"(
    __kernel void k(__global const int* start, __global int* out) {
      int i = get_global_id(0), x = start[i], steps = 0, deepest = 0;
      while (x != 1) {
        int inner = 0;
        while ((x & 1) == 0) { x >>= 1; ++steps; ++inner; }
        if (inner > deepest) deepest = inner;
        if (x != 1) { x = 3 * x + 1; ++steps; }
        if (steps > 500) break;
      }
      out[i] = steps * 100 + deepest;
    })");
  std::vector<std::int32_t> start(128), want(128);
  for (int i = 0; i < 128; ++i) {
    start[i] = i + 1;
    int x = i + 1, steps = 0, deepest = 0;
    while (x != 1) {
      int inner = 0;
      while ((x & 1) == 0) {
        x >>= 1;
        ++steps;
        ++inner;
      }
      deepest = std::max(deepest, inner);
      if (x != 1) {
        x = 3 * x + 1;
        ++steps;
      }
      if (steps > 500)
        break;
    }
    want[i] = steps * 100 + deepest;
  }
  const auto run = must(
      run_whole(module, launch_of({128, 1, 1}, {64, 1, 1},
                                  {{"start", ints(start)}, {"out", unknown(facts::ScalarType::i32, 128)}})));
  EXPECT_EQ(result_of<std::int32_t>(run, "out"), want);
}

TEST(Kernels, SwitchAndPrivateArrayAndContinue) {
  const auto module = compile_cl(R"(
    __kernel void k(__global int* out, int n) {
      int i = get_global_id(0);
      int a[8];
      for (int k = 0; k < 8; ++k) a[k] = k * k + i;
      int s = 0;
      for (int k = 0; k < n; ++k) {
        int at = (i * 5 + k * 3) & 7;
        switch (a[at] % 5) {
          case 0: s += a[at]; break;
          case 1: s -= 3; continue;
          case 2: a[(at + 1) & 7] += s; break;
          case 3: s ^= k;
          default: ++s;
        }
        s += 7;
      }
      out[i] = s + a[i & 7];
    })");
  std::vector<std::int32_t> want(96);
  for (int i = 0; i < 96; ++i) {
    int a[8], s = 0;
    for (int k = 0; k < 8; ++k)
      a[k] = k * k + i;
    for (int k = 0; k < 20; ++k) {
      const int at = (i * 5 + k * 3) & 7;
      switch (a[at] % 5) {
      case 0:
        s += a[at];
        break;
      case 1:
        s -= 3;
        continue;
      case 2:
        a[(at + 1) & 7] += s;
        break;
      case 3:
        s ^= k;
        [[fallthrough]];
      default:
        ++s;
      }
      s += 7;
    }
    want[i] = s + a[i & 7];
  }
  const auto run =
      must(run_whole(module, launch_of({96, 1, 1}, {32, 1, 1},
                                       {{"out", unknown(facts::ScalarType::i32, 96)}, {"n", scalar("20")}})));
  EXPECT_EQ(result_of<std::int32_t>(run, "out"), want);
}

TEST(Kernels, StructArgumentAndFloat4) {
  const auto module = compile_cl(R"(
    struct scale { float factor; int shift; float4 offset; };
    __kernel void k(struct scale s, __global const float4* in, __global float4* out) {
      int i = get_global_id(0);
      out[i] = in[(i + s.shift) % 64].wzyx * s.factor + s.offset;
    })");
  struct alignas(16) Scale {
    float factor;
    std::int32_t shift;
    float pad[2];
    float offset[4];
  } s{2.5F, 3, {}, {1, 2, 3, 4}};
  facts::ScalarValue bytes;
  bytes.bytes.resize(sizeof s);
  std::memcpy(bytes.bytes.data(), &s, sizeof s);
  const auto in = some_floats(256, 9);
  const auto run = must(run_whole(
      module, launch_of({64, 1, 1}, {64, 1, 1},
                        {{"s", bytes}, {"in", floats(in)}, {"out", unknown(facts::ScalarType::f32, 256)}})));
  const auto out = result_of<float>(run, "out");
  for (int i = 0; i < 64; ++i)
    for (int k = 0; k < 4; ++k) {
      const float x = in[((i + 3) % 64) * 4 + 3 - k];
      // `*` and `+` may be fused (fmuladd), as the hardware does.
      ASSERT_TRUE(out[i * 4 + k] == std::fma(x, 2.5F, s.offset[k]) ||
                  out[i * 4 + k] == x * 2.5F + s.offset[k])
          << i << " " << k;
    }
}

TEST(Kernels, SubGroupShufflesReductionsAndScans) {
  const auto module = compile_cl(R"(
    #pragma OPENCL EXTENSION cl_khr_subgroups : enable
    __kernel void k(__global const int* in, __global int* sum, __global int* scan, __global int* least) {
      int i = get_global_id(0);
      sum[i] = sub_group_reduce_add(in[i]);
      scan[i] = sub_group_scan_exclusive_add(in[i]);
      least[i] = sub_group_reduce_min(in[i]);
    })",
                                 "CL3.0");
  std::vector<std::int32_t> in(64);
  for (int i = 0; i < 64; ++i)
    in[i] = (i * 37) % 23 - 9;
  const auto i32 = facts::ScalarType::i32;
  const auto run = must(run_whole(module, launch_of({64, 1, 1}, {64, 1, 1},
                                                    {{"in", ints(in)},
                                                     {"sum", unknown(i32, 64)},
                                                     {"scan", unknown(i32, 64)},
                                                     {"least", unknown(i32, 64)}})));
  const auto sum = result_of<std::int32_t>(run, "sum"), scan = result_of<std::int32_t>(run, "scan"),
             least = result_of<std::int32_t>(run, "least");
  for (int i = 0; i < 64; ++i) {
    const auto warp = in.begin() + i / 32 * 32;
    EXPECT_EQ(sum[i], std::accumulate(warp, warp + 32, 0));
    EXPECT_EQ(scan[i], std::accumulate(warp, in.begin() + i, 0));
    EXPECT_EQ(least[i], *std::min_element(warp, warp + 32));
  }
}

TEST(Kernels, IntegersOfAllWidthsAndHalf) {
  const auto module = compile_cl(R"(
    #pragma OPENCL EXTENSION cl_khr_fp16 : enable
    __kernel void k(__global const int* in, __global long* out) {
      int i = get_global_id(0);
      char c = (char)in[i]; short s = (short)(in[i] * 3); uchar u = (uchar)in[i]; long l = (long)in[i] * 1000003;
      long r = (long)(c / 3) + (s % 7) * 10 + (long)((char)(c * c)) * 100 + (u >> 3) * 1000;
      r += mul_hi(l, l << 20) + popcount(in[i]) + clz(s) + rotate(u, (uchar)3) + abs_diff(c, (char)5) + add_sat(c, (char)100);
      half h = (half)(in[i] * 0.25f); h = h * h + (half)1.5f;
      out[i] = r * 100 + (long)(float)h;
    })");
  std::vector<std::int32_t> in(64);
  std::vector<std::int64_t> want(64);
  for (int i = 0; i < 64; ++i) {
    in[i] = i * 5 - 160;
    const auto c = static_cast<std::int8_t>(in[i]);
    const auto s = static_cast<std::int16_t>(in[i] * 3);
    const auto u = static_cast<std::uint8_t>(in[i]);
    const std::int64_t l = static_cast<std::int64_t>(in[i]) * 1000003;
    std::int64_t r = (c / 3) + (s % 7) * 10 +
                     static_cast<std::int64_t>(static_cast<std::int8_t>(c * c)) * 100 + (u >> 3) * 1000;
    __extension__ using wide = __int128;
    r += static_cast<std::int64_t>(static_cast<wide>(l) * (l << 20) >> 64) +
         __builtin_popcount(static_cast<unsigned>(in[i]));
    r += s < 0 ? 0 : s == 0 ? 16 : __builtin_clz(static_cast<unsigned>(s)) - 16;
    r += static_cast<std::uint8_t>(u << 3 | u >> 5) + std::abs(c - 5) + std::min(c + 100, 127);
    const float h = static_cast<float>(in[i]) * 0.25F; // up to 40 * 40: exact in half up to rounding to 1
    const float square = h * h + 1.5F;
    want[i] = r * 100 + static_cast<std::int64_t>(square);
  }
  const auto run =
      must(run_whole(module, launch_of({64, 1, 1}, {64, 1, 1},
                                       {{"in", ints(in)}, {"out", unknown(facts::ScalarType::i64, 64)}})));
  const auto out = result_of<std::int64_t>(run, "out");
  for (int i = 0; i < 64; ++i)
    EXPECT_LE(std::abs(out[i] - want[i]), 1) << i << " " << out[i] << " " << want[i]; // the half rounds
}

} // namespace
} // namespace forewarp::simt::test
