// Products of a warp group (wgmma): where elements lie in shared memory is written out beside the kernels,
// from the canonical layouts of the PTX ISA.
#include "unit/simt/kernel_runner.h"

#include <fmt/format.h>

namespace {

using namespace forewarp;
using namespace forewarp::simt;
using namespace forewarp::simt::test;

constexpr unsigned columns = 32;

float a_at(int row, int k) {
  return static_cast<float>((row * 3 + k * 5) % 7 - 3);
}
float b_at(int k, int column) {
  return static_cast<float>((k * 2 + column * 3) % 5 - 2);
}

/// One product m64n32k16 of halves whose elements lie at the byte offsets that `a_place` (of r, k) and
/// `b_place` (of k, n) say, behind descriptors of these fields. Sums begin at 100 row + column.
struct Case {
  std::string name, a_place, b_place;
  std::string a_descriptor, b_descriptor; ///< "start, leading, stride, swizzle", bytes
  std::string flags = "1, 1, 1, 0, 0";
  float sign = 1, onto = 1;
};

std::string names_of_sums(unsigned count) {
  std::string names;
  for (unsigned i = 0; i < count; ++i)
    names += fmt::format("{}%{}", i == 0 ? "" : ", ", i);
  return names;
}
std::string operands_of_sums(unsigned count) {
  std::string operands;
  for (unsigned i = 0; i < count; ++i)
    operands += fmt::format("{}\"+f\"(d[{}])", i == 0 ? "" : ", ", i);
  return operands;
}

constexpr const char* parts = R"(
__device__ float a_at(int row, int k) { return (row * 3 + k * 5) % 7 - 3; }
__device__ float b_at(int k, int column) { return (k * 2 + column * 3) % 5 - 2; }
__device__ unsigned half_of(float v) { unsigned short h; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(v)); return h; }
__device__ unsigned long long descriptor(const void* p, unsigned long long start, unsigned long long leading,
                                         unsigned long long stride, unsigned long long swizzle) {
  const unsigned long long at = (unsigned)__cvta_generic_to_shared(p) + start;
  return (at & 0x3FFFF) >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | swizzle << 62;
}
)";

std::string kernel_of(const Case& c) {
  return parts + fmt::format(R"(
__global__ void k(float* out, int flag) {{
  __shared__ __align__(1024) unsigned char a[16384], b[16384];
  const int t = threadIdx.x, g = t % 32 / 4, q = t % 4;
  for (int i = t; i < 64 * 16; i += 128) {{
    const int r = i / 16, k = i % 16;
    *(unsigned short*)(a + {0}) = half_of(a_at(r, k));
  }}
  for (int i = t; i < 16 * 32; i += 128) {{
    const int k = i / 32, n = i % 32;
    *(unsigned short*)(b + {1}) = half_of(b_at(k, n));
  }}
  __syncthreads();
  float d[16];
  for (int i = 0; i < 16; ++i) d[i] = 100 * (16 * (t / 32) + g + 8 * (i / 2 % 2)) + 2 * q + i % 2 + 8 * (i / 4);
  asm volatile("wgmma.fence.sync.aligned;");
  asm volatile("{{ .reg .pred p; setp.ne.b32 p, %18, 0; wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {{{2}}}, %16, %17, {3}; }}"
               : {4} : "l"(descriptor(a, {5})), "l"(descriptor(b, {6})), "r"(flag));
  asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;");
  for (int i = 0; i < 16; ++i) out[16 * t + i] = d[i];
}})",
                             c.a_place, c.b_place, names_of_sums(16), c.flags, operands_of_sums(16),
                             c.a_descriptor, c.b_descriptor);
}

std::vector<float> run_group(const std::string& source, const std::string& flag = "1") {
  const RunResult run = must(run_whole(
      compile_cu(source),
      launch_of({128}, {128}, {{"out", unknown(facts::ScalarType::f32, 128 * 16)}, {"flag", scalar(flag)}})));
  return result_of<float>(run, "out");
}

void expect_product(const std::vector<float>& found, const std::string& name, float sign, float onto) {
  for (int t = 0; t < 128; ++t)
    for (int i = 0; i < 16; ++i) {
      const int row = 16 * (t / 32) + t % 32 / 4 + 8 * (i / 2 % 2),
                column = 2 * (t % 4) + i % 2 + 8 * (i / 4);
      float sum = 0;
      for (int k = 0; k < 16; ++k)
        sum += a_at(row, k) * b_at(k, column);
      ASSERT_EQ(found[static_cast<std::size_t>(16 * t + i)],
                sign * sum + onto * static_cast<float>(100 * row + column))
          << name << ": " << row << "," << column;
    }
}

// Rows of 16 bytes in bricks of eight: the next along k 128 bytes on, the next eight rows 256.
const std::string a_bricks = "r / 8 * 256 + k / 8 * 128 + r % 8 * 16 + k % 8 * 2",
                  b_bricks = "n / 8 * 256 + k / 8 * 128 + n % 8 * 16 + k % 8 * 2", bricks = "0, 128, 256, 0";

TEST(GroupProducts, FactorsLieInEveryLayout) {
  const Case cases[] = {
      {"bricks", a_bricks, b_bricks, bricks, bricks},
      // 128 bytes of k a row, of which the second 32 are multiplied: pieces of 16 change places by the row.
      {"swizzle of 128", "r * 128 + ((2 + k / 8) ^ r % 8) * 16 + k % 8 * 2",
       "n * 128 + ((2 + k / 8) ^ n % 8) * 16 + k % 8 * 2", "32, 0, 1024, 1", "32, 0, 1024, 1"},
      {"swizzle of 64", "r * 64 + ((k / 8) ^ r / 2 % 4) * 16 + k % 8 * 2",
       "n * 64 + ((k / 8) ^ n / 2 % 4) * 16 + k % 8 * 2", "0, 0, 512, 2", "0, 0, 512, 2"},
      {"swizzle of 32", "r * 32 + ((k / 8) ^ r / 4 % 2) * 16 + k % 8 * 2",
       "n * 32 + ((k / 8) ^ n / 4 % 2) * 16 + k % 8 * 2", "0, 0, 256, 3", "0, 0, 256, 3"},
      // Across k: 64 rows of A (16 columns of B) side by side, the next eight k 1024 (512) bytes on; the next
      // 16 columns of B 256 bytes on.
      {"across k, swizzles of 128 and 32", "k / 8 * 1024 + k % 8 * 128 + ((r / 8) ^ k % 8) * 16 + r % 8 * 2",
       "n / 16 * 256 + k / 8 * 512 + k % 8 * 32 + ((n / 8 % 2) ^ k % 8 / 4) * 16 + n % 8 * 2",
       "0, 4096, 1024, 1", "0, 256, 512, 3", "1, 1, 1, 1, 1"},
      {"across k, bricks", "r / 8 * 256 + k / 8 * 128 + k % 8 * 16 + r % 8 * 2",
       "n / 8 * 128 + k / 8 * 512 + k % 8 * 16 + n % 8 * 2", "0, 128, 256, 0", "0, 512, 128, 0",
       "1, 1, 1, 1, 1"},
  };
  for (const Case& c : cases)
    expect_product(run_group(kernel_of(c)), c.name, c.sign, c.onto);
}

TEST(GroupProducts, SignsAndWhatTheyAreAddedTo) {
  Case c{"", a_bricks, b_bricks, bricks, bricks};
  c.flags = "1, -1, 1, 0, 0";
  expect_product(run_group(kernel_of(c)), "-a", -1, 1);
  c.flags = "1, -1, -1, 0, 0";
  expect_product(run_group(kernel_of(c)), "-a -b", 1, 1);
  c.flags = "0, 1, 1, 0, 0";
  expect_product(run_group(kernel_of(c)), "to nothing", 1, 0);
  c.flags = "p, 1, 1, 0, 0";
  expect_product(run_group(kernel_of(c), "0"), "flag is not set", 1, 0);
  expect_product(run_group(kernel_of(c), "5"), "flag is set", 1, 1);
}

TEST(GroupProducts, AFactorInRegisters) {
  const std::string source = parts + fmt::format(R"(
__global__ void k(float* out, int flag) {{
  __shared__ __align__(1024) unsigned char b[16384];
  const int t = threadIdx.x, g = t % 32 / 4, q = t % 4;
  for (int i = t; i < 16 * 32; i += 128) {{
    const int k = i / 32, n = i % 32;
    *(unsigned short*)(b + {0}) = half_of(b_at(k, n));
  }}
  __syncthreads();
  unsigned a[4];
  for (int w = 0; w < 4; ++w) {{
    const int row = 16 * (t / 32) + g + 8 * (w % 2), k = 2 * q + 8 * (w / 2);
    a[w] = half_of(a_at(row, k)) | half_of(a_at(row, k + 1)) << 16;
  }}
  float d[16];
  for (int i = 0; i < 16; ++i) d[i] = 100 * (16 * (t / 32) + g + 8 * (i / 2 % 2)) + 2 * q + i % 2 + 8 * (i / 4);
  asm volatile("wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {{{1}}}, {{%16, %17, %18, %19}}, %20, 1, 1, 1, 1;"
               : {2} : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(descriptor(b, 0, 512, 128, 0)));
  asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;");
  for (int i = 0; i < 16; ++i) out[16 * t + i] = d[i];
}})",
                                                 "n / 8 * 128 + k / 8 * 512 + k % 8 * 16 + n % 8 * 2",
                                                 names_of_sums(16), operands_of_sums(16));
  expect_product(run_group(source), "registers", 1, 1);
}

/// 32 bytes of k: rows of 16 in bricks as those of halves.
TEST(GroupProducts, BytesAndSmallFloats) {
  for (const bool floats : {false, true}) {
    const std::string bytes_of = floats ? R"(
__device__ unsigned byte_of(float v) { unsigned short h; asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %1;" : "=h"(h) : "f"(v)); return h; })"
                                        : "__device__ unsigned byte_of(float v) { return (int)v; }";
    const std::string source = parts + bytes_of +
                               fmt::format(R"(
__global__ void k(float* out, int flag) {{
  __shared__ __align__(1024) unsigned char a[16384], b[16384];
  const int t = threadIdx.x;
  for (int i = t; i < 64 * 32; i += 128) a[i / 32 / 8 * 256 + i % 32 / 16 * 128 + i / 32 % 8 * 16 + i % 16] = byte_of(a_at(i / 32, i % 32));
  for (int i = t; i < 8 * 32; i += 128) b[i % 32 / 16 * 128 + i / 32 * 16 + i % 16] = byte_of(b_at(i % 32, i / 32));
  __syncthreads();
  {0} d[4] = {{1, 2, 3, 4}};
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.{1} {{%0, %1, %2, %3}}, %4, %5, 1{2};"
               : "+{3}"(d[0]), "+{3}"(d[1]), "+{3}"(d[2]), "+{3}"(d[3])
               : "l"(descriptor(a, 0, 128, 256, 0)), "l"(descriptor(b, 0, 128, 256, 0)));
  for (int i = 0; i < 4; ++i) out[4 * t + i] = d[i];
}})",
                                           floats ? "float" : "int", floats ? "f32.e4m3.e4m3" : "s32.s8.s8",
                                           floats ? ", 1, 1" : "", floats ? "f" : "r");
    const std::vector<float> found = run_group(source);
    for (int t = 0; t < 128; ++t)
      for (int i = 0; i < 4; ++i) {
        const int row = 16 * (t / 32) + t % 32 / 4 + 8 * (i / 2), column = 2 * (t % 4) + i % 2;
        float sum = static_cast<float>(i + 1);
        for (int k = 0; k < 32; ++k)
          sum += a_at(row, k) * b_at(k, column);
        ASSERT_EQ(found[static_cast<std::size_t>(4 * t + i)], sum) << floats << ": " << row << "," << column;
      }
  }
}

/// A sampled run computes a product that decides how often a loop runs, and what the factors' memory holds
/// with it: 16 * 3 = 48 times.
TEST(GroupProducts, ABranchMayRestOnOne) {
  const ir::KernelModule module = compile_cu(std::string(parts) + R"(
__global__ void k(const unsigned* ones, float* out) {
  __shared__ __align__(1024) unsigned a[512], b[64];
  const int t = threadIdx.x;
  for (int i = t; i < 512; i += 128) a[i] = ones[i];
  if (t < 64) b[t] = 0x42004200; // 3 and 3
  __syncthreads();
  float d[4] = {0, 0, 0, 0};
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "l"(descriptor(a, 0, 128, 256, 0)), "l"(descriptor(b, 0, 128, 256, 0)));
  for (int i = 0; i < (int)d[0]; ++i) out[128 * i + t] = i;
})");
  const auto kernel = frontend::select_kernel(module, "");
  const auto events = [&](std::uint32_t halves) {
    const RunResult found = must(run(module, **kernel,
                                     launch_of({12800}, {128},
                                               {{"ones", uints(std::vector<std::uint32_t>(512, halves))},
                                                {"out", unknown(facts::ScalarType::f32, 128 * 96)}}),
                                     RunOptions{}));
    return found.trace.groups.front().warps.front().events.size();
  };
  const std::size_t without = events(0);
  EXPECT_EQ(events(0x3C003C00) - without, 48U);
  EXPECT_EQ(events(0x40004000) - without, 96U);
}

/// What memory does not hold is unknown in the row or column that it stands in.
TEST(GroupProducts, AnUnknownElementMakesItsRowUnknown) {
  const std::string source = parts + fmt::format(R"(
__global__ void k(const unsigned short* in, unsigned char* known, int flag) {{
  __shared__ __align__(1024) unsigned char a[16384], b[16384];
  const int t = threadIdx.x;
  for (int i = t; i < 64 * 16; i += 128) {{
    const int r = i / 16, k = i % 16;
    *(unsigned short*)(a + {0}) = r == 17 && k == 3 ? in[0] : half_of(a_at(r, k));
  }}
  for (int i = t; i < 16 * 8; i += 128) {{
    const int k = i / 8, n = i % 8;
    *(unsigned short*)(b + {1}) = half_of(b_at(k, n));
  }}
  __syncthreads();
  float d[4] = {{}};
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{%0, %1, %2, %3}}, %4, %5, 1, 1, 1, 0, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "l"(descriptor(a, 0, 128, 256, 0)), "l"(descriptor(b, 0, 128, 256, 0)));
  known[t] = d[0] == d[0];
}})",
                                                 a_bricks, b_bricks);
  const RunResult run =
      must(run_whole(compile_cu(source),
                     launch_of({128}, {128},
                               {{"in", unknown(facts::ScalarType::u16, 1)},
                                {"known", buffer_of(facts::ScalarType::u8, std::vector<std::uint8_t>(128))},
                                {"flag", scalar("1")}})));
  for (const BufferResult& buffer : run.buffers)
    EXPECT_EQ(buffer.unknown_bytes, buffer.name == "known" ? 4U : 2U); // the lanes 4 to 7 of warp 1
}

/// 32 along k, of which A has two of four each: of columns 4 c to 4 c + 3 of row r those in (r + c) % 3 and
/// in 3, as lanes 2 and 3 of each four say.
TEST(GroupProducts, OfASparseFactor) {
  const std::string source = parts + fmt::format(R"(
__global__ void k(float* out, int flag) {{
  __shared__ __align__(1024) unsigned char a[4096], b[4096];
  const int t = threadIdx.x, g = t % 32 / 4, q = t % 4;
  for (int i = t; i < 64 * 16; i += 128)
    *(unsigned short*)(a + i / 16 / 8 * 256 + i % 16 / 8 * 128 + i / 16 % 8 * 16 + i % 8 * 2) = half_of(a_at(i / 16, i % 16));
  for (int i = t; i < 32 * 32; i += 128) {{
    const int k = i / 32, n = i % 32;
    *(unsigned short*)(b + n / 8 * 512 + k / 8 * 128 + n % 8 * 16 + k % 8 * 2) = half_of(b_at(k, n));
  }}
  __syncthreads();
  unsigned x = 0;
  for (int h = 0; h < 2; ++h) for (int c = 0; c < 4; ++c) x |= ((16 * (t / 32) + g + 8 * h + c + 4 * (q - 2)) % 3 | 3 << 2) << (16 * h + 4 * c);
  if (q < 2) x = 0xFFFFFFFF;
  float d[16];
  for (int i = 0; i < 16; ++i) d[i] = 0;
  asm volatile("wgmma.fence.sync.aligned;");
  asm volatile("wgmma.mma_async.sp.sync.aligned.m64n32k32.f32.f16.f16 {{{0}}}, %16, %17, %18, 1, 1, 1, 1, 0, 0;"
               : {1} : "l"(descriptor(a, 0, 128, 256, 0)), "l"(descriptor(b, 0, 128, 512, 0)), "r"(x));
  asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;");
  for (int i = 0; i < 16; ++i) out[16 * t + i] = d[i];
}})",
                                                 names_of_sums(16), operands_of_sums(16));
  const auto found = run_group(source);
  for (int t = 0; t < 128; ++t)
    for (int i = 0; i < 16; ++i) {
      const int row = 16 * (t / 32) + t % 32 / 4 + 8 * (i / 2 % 2),
                column = 2 * (t % 4) + i % 2 + 8 * (i / 4);
      float sum = 0;
      for (int c = 0; c < 8; ++c)
        sum += a_at(row, 2 * c) * b_at(4 * c + (row + c) % 3, column) +
               a_at(row, 2 * c + 1) * b_at(4 * c + 3, column);
      ASSERT_EQ(found[static_cast<std::size_t>(16 * t + i)], sum) << row << "," << column;
    }
}

} // namespace
