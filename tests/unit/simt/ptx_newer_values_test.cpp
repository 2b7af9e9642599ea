// Values of PTX's newer forms and of those that older generations had, worked by hand from the PTX ISA's
// text.
#include "unit/simt/kernel_runner.h"

#include <fmt/format.h>

namespace {

using namespace forewarp;
using namespace forewarp::simt;
using namespace forewarp::simt::test;

/// %a = 0x12345678, %b = 0x9ABCDEF0, %c = 5, %n = -7, %z = 0, %w = 40, %k = 8; %f = 1.5, %g = -2.25; %u =
/// {1.0h, 2.0h}, %v = {0.5h, -1.0h}, low half first; %x = 1 + 2^-11, %r = 0x10000FFF, %y = 0x7F80; %bb =
/// {-2.25, 1.5} of bf16.
struct Row {
  const char* statements;
  std::uint32_t expected;
};

constexpr Row rows[] = {
    // e2m1 has 0, 0.5, 1, 1.5, 2, 3, 4 and 6.
    {"cvt.rn.satfinite.e2m1x2.f32 %byte, %f, %g; cvt.u32.u8 %d, %byte;", 0x3C},
    {"cvt.rn.satfinite.e2m3x2.f32 %h, %f, %g; cvt.u32.u16 %d, %h;", 0x0C31},
    {"cvt.rn.satfinite.e3m2x2.f32 %h, %f, %g; cvt.u32.u16 %d, %h;", 0x0E30}, // 2.25 is a tie: 2
    {"cvt.rn.satfinite.relu.e3m2x2.f32 %h, %f, %g; cvt.u32.u16 %d, %h;", 0x0E00},
    {"cvt.rn.satfinite.e4m3x2.bf16x2 %h, %bb; cvt.u32.u16 %d, %h;", 0x3CC1},
    {"cvt.u8.u32 %byte, %w; cvt.rn.f16x2.e2m1x2 %d, %byte;", 0x3C008000},
    {"cvt.rz.ue8m0x2.f32 %h, %f, %g; cvt.u32.u16 %d, %h;", 0x7F80},
    {"cvt.rp.ue8m0x2.f32 %h, %f, %g; cvt.u32.u16 %d, %h;", 0x8081},
    {"cvt.u16.u32 %h, %y; cvt.rn.bf16x2.ue8m0x2 %d, %h;", 0x3F804000},
    // Half a unit of a half: with 0x1000 of 2^13 it is rounded up, with 0x0FFF it is not.
    {"cvt.rs.f16x2.f32 %d, %x, %x, %r;", 0x3C013C00},
    {"cvt.rs.satfinite.e2m1x4.f32 %h, {%f, %g, %f, %g}, %z; cvt.u32.u16 %d, %h;", 0x3C3C},
    {"cvt.pack.sat.u8.s32.b32 %d, %n, %w, %a;", 0x56780028},
    {"mov.b32 {%h, %h2}, %u; add.rn.f32.f16 %d, %h, %f;", 0x40200000},
    {"mov.b32 {%h, %h2}, %u; fma.rn.f32.f16 %d, %h, %h2, %f;", 0x40600000},
    {"min.f32 %d, %f, %g, %x;", 0xC0100000},
    {"max.abs.f32 %d, %f, %g, %x;", 0x40100000},
    {"max.xorsign.abs.f32 %d, %f, %g;", 0xC0100000},
    {"redux.sync.min.f32 %d, %g, 1;", 0xC0100000},
    {"redux.sync.max.abs.f32 %d, %g, 1;", 0x40100000},
    {"ex2.approx.f16x2 %d, %u;", 0x44004000},
    {"szext.clamp.s32 %d, %b, %k;", 0xFFFFFFF0},
    {"szext.wrap.u32 %d, %b, %w;", 0xF0}, // 40 is 8 by 32
    {"bmsk.wrap.b32 %d, %c, %k;", 0x1FE0},
    {"shf.l.clamp.b32 %d, %a, %b, %w;", 0x12345678},
    {"shf.r.clamp.b32 %d, %a, %b, %k;", 0xF0123456},
    {"prmt.b32.rc16 %d, %a, %b, %c;", 0x12341234},
    {"prmt.b32.f4e %d, %a, %b, %c;", 0xF0123456},
    {"dp2a.lo.u32.u32 %d, %a, %b, %c;", 0x60D99D},
    {"dp4a.u32.s32 %d, %a, %b, %c;", 0xFFFFD81D},
    {"setp.eq.u32 %q, %z, %z; lop3.and.b32 _|%p, %a, %b, %c, 0x80, %q; selp.b32 %d, %a, %b, %p;", 0x9ABCDEF0},
    {"setp.ne.u32 %q, %z, %z; lop3.or.b32 %e|%p, %a, %b, %c, 0xC0, %q; selp.b32 %d, %e, %b, %p;", 0x12345670},
    {"set.lt.f16x2.f16x2 %d, %v, %u;", 0x3C003C00},
    {"mad.hi.sat.s32 %d, %t, %t, %t;", 0x7FFFFFFF},
    {"vadd.s32.u32.s32 %d, %a.b0, %n;", 0x71},
    {"vadd.u32.u32.s32.sat %d, %c, %n;", 0}, // -2
    {"vsub.s32.s32.s32 %d.h1, %a.h0, %c, %a;", 0x56735678},
    {"vmad.u32.u32.u32.shr7 %d, %w, %k, %z;", 2}, // 320 / 128
    {"vabsdiff2.u32.u32.u32 %d, %a, %b, %z;", 0x88888878},
    {"vmax4.u32.u32.u32 %d, %a, %b, %z;", 0x9ABCDEF0},
    {"vadd4.u32.u32.u32.sat %d, %a, %b, %z;", 0xACF0FFFF},
    {"vset4.u32.u32.lt %d, %a, %b, %z;", 0x01010101},
    {"isspacep.global %p, %in; selp.b32 %d, %a, %b, %p;", 0x12345678},
    {"isspacep.shared %p, %in; selp.b32 %d, %a, %b, %p;", 0x9ABCDEF0},
};

std::string file_of_rows() {
  std::string text = R"(.version 9.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out)
{
.reg .pred %p, %q;
.reg .b8 %byte;
.reg .b16 %h, %h2;
.reg .b32 %a, %b, %c, %n, %z, %f, %g, %u, %v, %w, %k, %x, %r, %y, %bb, %t, %d, %e;
.reg .b64 %in, %out;
ld.param.u64 %in, [in];
ld.param.u64 %out, [out];
)";
  std::size_t at = 0;
  for (const char* name : {"a", "b", "c", "n", "z", "f", "g", "u", "v", "w", "k", "x", "r", "y", "bb", "t"})
    text += fmt::format("ld.global.b32 %{}, [%in+{}];\n", name, 4 * at++);
  at = 0;
  for (const Row& row : rows)
    text += fmt::format("{}\nst.global.b32 [%out+{}], %d;\n", row.statements, 4 * at++);
  return text + "ret;\n}\n";
}

ir::KernelModule compile_newer(const std::string& text) {
  return compile_text(text, ".ptx", "", ir::TargetFamily::nvidia, "sm_90a"); // the newest that LLVM 19 knows
}

TEST(PtxNewerValues, EachStatement) {
  const std::vector<std::uint32_t> in = {0x12345678, 0x9ABCDEF0, 5,          0xFFFFFFF9, 0, 0x3FC00000,
                                         0xC0100000, 0x40003C00, 0xBC003800, 40,         8, 0x3F801000,
                                         0x10000FFF, 0x7F80,     0x3FC0C010, 0x70000000};
  const RunResult run = must(run_whole(
      compile_newer(file_of_rows()),
      launch_of({1}, {1}, {{"in", uints(in)}, {"out", uints(std::vector<std::uint32_t>(std::size(rows)))}})));
  const auto out = result_of<std::uint32_t>(run, "out");
  ASSERT_EQ(out.size(), std::size(rows));
  for (std::size_t i = 0; i < out.size(); ++i)
    EXPECT_EQ(out[i], rows[i].expected) << rows[i].statements;
}

constexpr const char* helpers = R"(
__device__ unsigned place(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void init(unsigned long long* b) { asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(place(b)) : "memory"); }
__device__ void expect(unsigned long long* b, unsigned n) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(place(b)), "r"(n) : "memory");
}
__device__ void wait(unsigned long long* b) {
  asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@!p bra AGAIN;\n}" ::"r"(place(b)) : "memory");
}
struct alignas(64) Map { char bytes[128]; };
)";

std::vector<std::int32_t> counted(std::size_t count, std::int32_t factor = 1) {
  std::vector<std::int32_t> made(count);
  for (std::size_t i = 0; i < count; ++i)
    made[i] = factor * static_cast<std::int32_t>(i);
  return made;
}

TEST(PtxNewerValues, ABulkCopyAdds) {
  const RunResult run = must(run_whole(compile_cu(std::string(helpers) + R"(
__global__ void k(int* out) {
  __shared__ __align__(128) int data[300];
  for (int i = threadIdx.x; i < 300; i += 32) data[i] = 2 * i;
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" :: "l"(out), "r"(place(data)), "r"(1200) : "memory");
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
  }
})"),
                                       launch_of({32}, {32}, {{"out", ints(counted(300))}})));
  EXPECT_EQ(result_of<std::int32_t>(run, "out"), counted(300, 3));
  for (const facts::MemoryEvent& event : run.trace.groups[0].warps[0].events)
    EXPECT_TRUE(event.space != facts::MemorySpace::global || event.stride == 16);
}

facts::BufferValue matrix_map(std::uint32_t rows_of_box) {
  facts::BufferValue buffer = {facts::ScalarType::i32, 12 * 80};
  buffer.contents.kind = facts::BufferContents::Kind::iota;
  facts::TensorMap map{.rank = 2, .element_bytes = 4, .type = std::uint8_t{3}}; // s32
  map.extents = {80, 12};
  map.strides = {4, 320};
  map.box = {32, rows_of_box};
  buffer.map = map;
  return buffer;
}

/// Largest of what is there and minus one and 1000: the tile's even columns become 1000.
TEST(PtxNewerValues, ATileIsCombinedByItsMapsType) {
  const RunResult run = must(run_whole(compile_cu(std::string(helpers) + R"(
__global__ void k(const __grid_constant__ Map map) {
  __shared__ __align__(128) int tile[4 * 32];
  for (int i = threadIdx.x; i < 128; i += 32) tile[i] = i % 2 == 0 ? 1000 : -1;
  __syncthreads();
  if (threadIdx.x == 0)
    asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.max.tile.bulk_group [%0, {%1, %2}], [%3];"
                 :: "l"(&map), "r"(8), "r"(2), "r"(place(tile)) : "memory");
})"),
                                       launch_of({32}, {32}, {{"map", matrix_map(4)}})));
  std::vector<std::int32_t> expected = counted(12 * 80);
  for (std::size_t row = 2; row < 6; ++row)
    for (std::size_t column = 8; column < 40; column += 2)
      expected[80 * row + column] = 1000;
  EXPECT_EQ(result_of<std::int32_t>(run, "map"), expected);
}

/// Rows 7, 1, 13 (outside: zeros) and 3, from column 4 on; and back to rows 0, 2, 4 and 6.
TEST(PtxNewerValues, FourRowsAreGatheredAndScattered) {
  const RunResult run =
      must(run_whole(compile_cu(std::string(helpers) + R"(
__global__ void k(const __grid_constant__ Map map, int* out) {
  __shared__ __align__(128) int tile[4 * 32];
  __shared__ unsigned long long b;
  if (threadIdx.x == 0) {
    init(&b);
    expect(&b, 512);
    asm volatile("cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4, %5, %6}], [%7];"
                 :: "r"(place(tile)), "l"(&map), "r"(4), "r"(7), "r"(1), "r"(13), "r"(3), "r"(place(&b)) : "memory");
  }
  __syncthreads();
  wait(&b);
  for (int r = 0; r < 4; ++r) out[32 * r + threadIdx.x] = tile[32 * r + threadIdx.x];
  for (int r = 0; r < 4; ++r) tile[32 * r + threadIdx.x] = -r;
  __syncthreads();
  if (threadIdx.x == 0)
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%0, {%1, %2, %3, %4, %5}], [%6];"
                 :: "l"(&map), "r"(48), "r"(0), "r"(2), "r"(4), "r"(6), "r"(place(tile)) : "memory");
})"),
                     launch_of({32}, {32}, {{"map", matrix_map(1)}, {"out", ints(std::vector<int>(128))}})));
  const auto out = result_of<std::int32_t>(run, "out"), map = result_of<std::int32_t>(run, "map");
  const int from[] = {7, 1, 13, 3};
  for (std::size_t r = 0; r < 4; ++r)
    for (std::size_t c = 0; c < 32; ++c) {
      EXPECT_EQ(out[32 * r + c], from[r] < 12 ? 80 * from[r] + 4 + static_cast<int>(c) : 0);
      EXPECT_EQ(map[160 * r + 48 + c], -static_cast<int>(r));
    }
}

/// Two images of five pixels of four channels; positions from -1 to 3. From position 2 on, six pixels: 2 and
/// 3, then of the second image -1 (outside: zeros), 0, 1 and 2.
TEST(PtxNewerValues, PixelsGoThroughThePositionsOfTheirImages) {
  facts::BufferValue images = {facts::ScalarType::i32, 40};
  images.contents.kind = facts::BufferContents::Kind::iota;
  facts::TensorMap map{.rank = 3, .element_bytes = 4, .of_columns = true};
  map.extents = {4, 5, 2};
  map.strides = {4, 16, 80};
  map.box = {4, 6, 1};
  map.lower = map.upper = {-1, 0, 0};
  images.map = map;
  const RunResult run =
      must(run_whole(compile_cu(std::string(helpers) + R"(
__global__ void k(const __grid_constant__ Map map, int* out) {
  __shared__ __align__(128) int tile[24];
  __shared__ unsigned long long b;
  if (threadIdx.x == 0) {
    init(&b);
    expect(&b, 96);
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5], {%6};"
                 :: "r"(place(tile)), "l"(&map), "r"(0), "r"(2), "r"(0), "r"(place(&b)), "h"((unsigned short)0) : "memory");
  }
  __syncthreads();
  wait(&b);
  if (threadIdx.x < 24) out[threadIdx.x] = tile[threadIdx.x];
})"),
                     launch_of({32}, {32}, {{"map", images}, {"out", ints(std::vector<int>(24))}})));
  std::vector<std::int32_t> expected;
  for (const int pixel : {2, 3, -1, 5, 6, 7})
    for (int channel = 0; channel < 4; ++channel)
      expected.push_back(pixel < 0 ? 0 : 4 * pixel + channel);
  EXPECT_EQ(result_of<std::int32_t>(run, "out"), expected);
}

/// Row r, byte c of 16 rows is 16 r + c: lane 4 g + q has of columns 4 q to 4 q + 3 the bytes of row g, then
/// g + 8, where memory's rows are columns. Six bits one behind the other: element c of row r is (r + c) % 64.
TEST(PtxNewerValues, MatricesOfBytes) {
  const RunResult run =
      must(run_whole(compile_cu(std::string(helpers) + R"(
__global__ void k(unsigned* out) {
  __shared__ __align__(128) unsigned char bytes[256], packed[128];
  const int t = threadIdx.x;
  for (int i = t; i < 256; i += 32) bytes[i] = i;
  for (int i = t; i < 128; i += 32) packed[i] = 0;
  __syncthreads();
  if (t < 8)
    for (int c = 0; c < 16; ++c)
      for (int bit = 0; bit < 6; ++bit)
        packed[16 * t + (6 * c + bit) / 8] |= ((t + c) % 64 >> bit & 1) << (6 * c + bit) % 8;
  __syncthreads();
  unsigned r0, r1, r2;
  asm volatile("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%0, %1}, [%2];" : "=r"(r0), "=r"(r1) : "r"(place(bytes + 16 * (t % 16))));
  asm volatile("ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32 {%0}, [%1];" : "=r"(r2) : "r"(place(packed + 16 * (t % 8))));
  out[3 * t] = r0; out[3 * t + 1] = r1; out[3 * t + 2] = r2;
})"),
                     launch_of({32}, {32}, {{"out", uints(std::vector<std::uint32_t>(96))}})));
  const auto out = result_of<std::uint32_t>(run, "out");
  for (std::uint32_t t = 0; t < 32; ++t) {
    const std::uint32_t g = t / 4, q = t % 4;
    std::uint32_t expected[3] = {};
    for (std::uint32_t j = 0; j < 4; ++j) {
      expected[0] |= (16 * (4 * q + j) + g) << 8 * j;
      expected[1] |= (16 * (4 * q + j) + g + 8) << 8 * j;
      expected[2] |= (g + 4 * q + j) % 64 << 8 * j;
    }
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_EQ(out[3 * t + i], expected[i]) << t << " " << i;
  }
}

/// A persistent kernel asks for further work: there is none, and its barrier hears of the answer.
TEST(PtxNewerValues, NoLaunchIsCancelled) {
  const RunResult run = must(run_whole(compile_cu(std::string(helpers) + R"(
__global__ void k(int* out) {
  __shared__ __align__(16) unsigned answer[4];
  __shared__ unsigned long long b;
  if (threadIdx.x == 0) {
    init(&b);
    expect(&b, 16);
    asm volatile("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%0], [%1];"
                 :: "r"(place(answer)), "r"(place(&b)) : "memory");
  }
  __syncthreads();
  wait(&b);
  int cancelled;
  asm volatile("{ .reg .pred p; .reg .b128 q; ld.shared.b128 q, [%1]; clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, q; selp.b32 %0, 1, 0, p; }"
               : "=r"(cancelled) : "r"(place(answer)));
  out[threadIdx.x] = 7 + cancelled;
})"),
                                       launch_of({32}, {32}, {{"out", ints(std::vector<int>(32))}})));
  EXPECT_EQ(result_of<std::int32_t>(run, "out"), std::vector<std::int32_t>(32, 7));
}

} // namespace
