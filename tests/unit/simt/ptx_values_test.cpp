// PTX, statement by statement: what each leaves in its register, worked by hand from the PTX ISA's text.
// Sources come from memory, so that nothing is folded away.
#include "unit/simt/kernel_runner.h"

namespace {

using namespace forewarp;
using namespace forewarp::simt;
using namespace forewarp::simt::test;

/// %a = 0x12345678, %b = 0x9ABCDEF0, %c = 5, %n = -7, %z = 0; %f = 1.5, %g = -2.25; %u = {1.0h, 2.0h},
/// %v = {0.5h, -1.0h}, low half first; %l = 0x0123456789ABCDEF. The result is %d, or the low word of %e.
struct Row {
  const char* statements;
  std::uint32_t expected;
};

constexpr Row rows[] = {
    {"add.u32 %d, %a, %b;", 0xACF13568},
    {"sub.s32 %d, %a, %b;", 0x77777788},
    {"mul.lo.u32 %d, %a, %c;", 0x5B05B058},
    {"mul.hi.u32 %d, %a, %b;", 0x0B00EA4E},
    {"mul.wide.u32 %e, %a, %b;", 0x242D2080},
    {"mad.lo.u32 %d, %a, %c, %b;", 0xF5C28F48},
    {"mad.hi.u32 %d, %a, %b, %c;", 0x0B00EA53},
    {"mul24.lo.u32 %d, %a, %c;", 0x0105B058},
    {"sad.u32 %d, %a, %b, %c;", 0x8888887D},
    {"add.cc.u32 %d, %b, %b; addc.u32 %d, %z, %z;", 1},
    {"sub.cc.u32 %d, %z, %c; subc.u32 %d, %c, %z;", 4},
    {"add.sat.s32 %d, %t, %t;", 0x7FFFFFFF},
    {"add.u16x2 %d, %a, %c;", 0x1234567D},
    {"div.s32 %d, %n, %c;", 0xFFFFFFFF},
    {"rem.s32 %d, %n, %c;", 0xFFFFFFFE},
    {"div.u32 %d, %b, %c;", 0x1EF292FC},
    {"abs.s32 %d, %n;", 7},
    {"neg.s32 %d, %c;", 0xFFFFFFFB},
    {"min.s32 %d, %n, %c;", 0xFFFFFFF9},
    {"max.u32 %d, %n, %c;", 0xFFFFFFF9},
    {"popc.b32 %d, %a;", 13},
    {"popc.b64 %d, %l;", 32},
    {"clz.b32 %d, %a;", 3},
    {"clz.b32 %d, %z;", 32},
    {"clz.b64 %d, %l;", 7},
    {"bfind.u32 %d, %a;", 28},
    {"bfind.shiftamt.u32 %d, %a;", 3},
    {"bfind.u32 %d, %z;", 0xFFFFFFFF},
    {"brev.b32 %d, %a;", 0x1E6A2C48},
    {"bfe.u32 %d, %a, 8, 12;", 0x456},
    {"bfe.s32 %d, %b, 8, 8;", 0xFFFFFFDE},
    {"bfi.b32 %d, %c, %a, 4, 8;", 0x12345058},
    {"bmsk.clamp.b32 %d, %q, %p8;", 0xFF0},
    {"and.b32 %d, %a, %b;", 0x12345670},
    {"or.b32 %d, %a, %b;", 0x9ABCDEF8},
    {"xor.b32 %d, %a, %b;", 0x88888888},
    {"not.b32 %d, %a;", 0xEDCBA987},
    {"cnot.b32 %d, %z;", 1},
    {"shl.b32 %d, %a, 4;", 0x23456780},
    {"shl.b32 %d, %a, %w;", 0},
    {"shr.u32 %d, %b, 4;", 0x09ABCDEF},
    {"shr.s32 %d, %b, 4;", 0xF9ABCDEF},
    {"shr.s32 %d, %b, %w;", 0xFFFFFFFF},
    {"shf.l.wrap.b32 %d, %a, %b, 8;", 0xBCDEF012},
    {"shf.r.wrap.b32 %d, %a, %b, 8;", 0xF0123456},
    {"prmt.b32 %d, %a, %b, 0x7531;", 0x9ADE1256},
    {"lop3.b32 %d, %a, %b, %c, 0xE8;", 0x12345670},
    {"dp4a.u32.u32 %d, %a, %b, %c;", 60445},
    {"set.lt.u32.s32 %d, %n, %c;", 0xFFFFFFFF},
    {"set.gt.f32.s32 %d, %c, %n;", 0x3F800000},
    {"setp.lt.u32 %p, %n, %c; selp.b32 %d, %a, %b, %p;", 0x9ABCDEF0},
    {"setp.lt.s32 %p, %n, %c; selp.b32 %d, %a, %b, %p;", 0x12345678},
    {"slct.b32.s32 %d, %a, %b, %n;", 0x9ABCDEF0},
    {"add.f32 %d, %f, %g;", 0xBF400000},
    {"sub.f32 %d, %f, %g;", 0x40700000},
    {"mul.f32 %d, %f, %g;", 0xC0580000},
    {"fma.rn.f32 %d, %f, %g, %f;", 0xBFF00000},
    {"div.rn.f32 %d, %g, %f;", 0xBFC00000},
    {"min.f32 %d, %f, %g;", 0xC0100000},
    {"max.f32 %d, %f, %g;", 0x3FC00000},
    {"abs.f32 %d, %g;", 0x40100000},
    {"neg.f32 %d, %f;", 0xBFC00000},
    {"abs.f32 %d, %g; sqrt.rn.f32 %d, %d;", 0x3FC00000},
    {"add.f32 %d, %f, %f; add.f32 %d, %d, 0f3F800000; rcp.rn.f32 %d, %d;", 0x3E800000},
    {"copysign.f32 %d, %f, %g;", 0x40100000},
    {"testp.finite.f32 %p, %f; selp.b32 %d, %a, %b, %p;", 0x12345678},
    {"add.f32 %d, %f, %f; ex2.approx.f32 %d, %d;", 0x41000000},
    {"cvt.rni.s32.f32 %d, %g;", 0xFFFFFFFE},
    {"cvt.rzi.s32.f32 %d, %g;", 0xFFFFFFFE},
    {"cvt.rmi.s32.f32 %d, %g;", 0xFFFFFFFD},
    {"cvt.rpi.s32.f32 %d, %g;", 0xFFFFFFFE},
    {"cvt.rn.f32.s32 %d, %n;", 0xC0E00000},
    {"cvt.u32.u8 %d, %a;", 0x78},
    {"cvt.s32.s8 %d, %b;", 0xFFFFFFF0},
    {"cvt.sat.u8.s32 %d, %n;", 0},
    {"cvt.rn.f16x2.f32 %d, %f, %g;", 0x3E00C080},
    {"cvt.rn.bf16x2.f32 %d, %f, %g;", 0x3FC0C010},
    // e4m3: 1.5 is 0 0111 100, -2.25 is 1 1000 001; e5m2 has two fraction bits, so -2.25 is a tie and becomes
    // -2.
    {"cvt.rn.satfinite.e4m3x2.f32 %h, %f, %g; cvt.u32.u16 %d, %h;", 0x3CC1},
    {"cvt.rn.satfinite.e5m2x2.f32 %h, %f, %g; cvt.u32.u16 %d, %h;", 0x3EC0},
    {"cvt.rn.satfinite.relu.e4m3x2.f32 %h, %f, %g; cvt.u32.u16 %d, %h;", 0x3C00},
    // 1.6e29 saturates, the word of -7 is a NaN; both tiny numbers round to zeros of their sign.
    {"cvt.rn.satfinite.e4m3x2.f32 %h, %t, %n; cvt.u32.u16 %d, %h;", 0x7E7F},
    {"cvt.rn.satfinite.e5m2x2.f32 %h, %t, %n; cvt.u32.u16 %d, %h;", 0x7B7F},
    {"cvt.rn.satfinite.e4m3x2.f32 %h, %b, %a; cvt.u32.u16 %d, %h;", 0x8000},
    {"cvt.rn.satfinite.e4m3x2.f16x2 %h, %u; cvt.u32.u16 %d, %h;", 0x4038},
    {"cvt.rn.satfinite.e5m2x2.f16x2 %h, %u; cvt.u32.u16 %d, %h;", 0x403C},
    // 0x56 is 1.75 * 8, 0x78 is 256 as e4m3.
    {"cvt.u16.u32 %h, %a; cvt.rn.f16x2.e4m3x2 %d, %h;", 0x4B005C00},
    {"cvt.u16.u32 %h, %a; cvt.rn.f16x2.e5m2x2 %d, %h;", 0x56007800},
    {"add.f16x2 %d, %u, %v;", 0x3C003E00},
    {"mul.f16x2 %d, %u, %v;", 0xC0003800},
    {"fma.rn.f16x2 %d, %u, %v, %u;", 0x00003E00},
    {"neg.f16x2 %d, %u;", 0xC000BC00},
    {"abs.f16x2 %d, %v;", 0x3C003800},
    {"min.f16x2 %d, %u, %v;", 0xBC003800},
    {"max.f16x2 %d, %u, %v;", 0x40003C00},
    {"add.u64 %e, %l, %l;", 0x13579BDE},
    {"shr.u64 %e, %l, 32;", 0x01234567},
    {"mul.hi.u64 %e, %l, %l;", 0xDC33F6AC},
};

ir::KernelModule compile_ptx(const std::string& text) {
  const std::string path = testing::TempDir() + "forewarp_ptx_values_" + std::to_string(::getpid()) + ".ptx";
  std::ofstream(path) << text;
  frontend::CompileRequest request;
  request.path = path;
  request.family = ir::TargetFamily::nvidia;
  request.target = "sm_90";
  auto module = frontend::compile(request);
  std::remove(path.c_str());
  if (!module)
    throw std::runtime_error(to_string(module.error()));
  return std::move(*module);
}

std::string file_of_rows() {
  std::string text = R"(.version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out)
{
.reg .b32 %a, %b, %c, %n, %z, %f, %g, %u, %v, %t, %q, %p8, %w, %d;
.reg .b64 %in, %out, %l, %e;
.reg .pred %p;
.reg .b16 %h;
ld.param.u64 %in, [in];
ld.param.u64 %out, [out];
ld.global.b32 %a, [%in];
ld.global.b32 %b, [%in+4];
ld.global.b32 %c, [%in+8];
ld.global.b32 %n, [%in+12];
ld.global.b32 %z, [%in+16];
ld.global.b32 %f, [%in+20];
ld.global.b32 %g, [%in+24];
ld.global.b32 %u, [%in+28];
ld.global.b32 %v, [%in+32];
ld.global.b32 %t, [%in+36];
ld.global.b32 %q, [%in+40];
ld.global.b32 %p8, [%in+44];
ld.global.b64 %l, [%in+48];
ld.global.b32 %w, [%in+56];
)";
  std::size_t at = 0;
  for (const Row& row : rows) {
    const std::string statements = row.statements;
    const bool wide = statements.find("%e") != std::string::npos;
    text += statements + "\n" + (wide ? "cvt.u32.u64 %d, %e;\n" : "") + "st.global.b32 [%out+" +
            std::to_string(4 * at++) + "], %d;\n";
  }
  return text + "ret;\n}\n";
}

TEST(PtxValues, EachStatement) {
  const std::vector<std::uint32_t> in = {0x12345678, 0x9ABCDEF0, 5,          0xFFFFFFF9, 0,
                                         0x3FC00000, 0xC0100000, 0x40003C00, 0xBC003800, 0x70000000,
                                         4,          8,          0x89ABCDEF, 0x01234567, 40};
  const ir::KernelModule module = compile_ptx(file_of_rows());
  const RunResult run = must(run_whole(
      module,
      launch_of({1}, {1}, {{"in", uints(in)}, {"out", uints(std::vector<std::uint32_t>(std::size(rows)))}})));
  const auto out = result_of<std::uint32_t>(run, "out");
  ASSERT_EQ(out.size(), std::size(rows));
  for (std::size_t i = 0; i < out.size(); ++i)
    EXPECT_EQ(out[i], rows[i].expected) << rows[i].statements;
}

/// Pairs of halves: 1.5 + 0.25 and -2 + 1 by each of 32 lanes is 1.5 + 8 and -2 + 32.
TEST(PtxValues, AtomicsOfHalves) {
  const RunResult run =
      must(run_whole(compile_ptx(R"(.version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out)
{
.reg .b32 %r<4>;
.reg .b16 %h<3>;
.reg .b64 %rd<3>;
ld.param.u64 %rd1, [out];
mov.b32 %r1, 0x3C003400;
red.global.add.noftz.f16x2 [%rd1], %r1;
mov.b32 %r2, 0x3F803E80;
red.global.add.noftz.bf16x2 [%rd1+4], %r2;
mov.b16 %h1, 0x3400;
atom.global.add.noftz.f16 %h2, [%rd1+8], %h1;
ret;
}
)"),
                     launch_of({32}, {32}, {{"out", uints({0xC0003E00, 0xC0003FC0, 0x3E00})}})));
  const auto out = result_of<std::uint32_t>(run, "out");
  EXPECT_EQ(out[0], 0x4F8048C0U); // 30.0 and 9.5 as halves
  EXPECT_EQ(out[1], 0x41F04118U); // the same as bf16
  EXPECT_EQ(out[2] & 0xFFFF, 0x48C0U);
}

/// Every 8-bit float is a half, and what is widened and narrowed again is what it was; NaNs become one.
TEST(PtxValues, SmallFloatsThereAndBack) {
  const auto round_trip = [](const std::string& format) {
    return must(run_whole(compile_ptx(R"(.version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out)
{
.reg .b32 %r<4>;
.reg .b16 %h<3>;
.reg .b64 %rd<4>;
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd2, %r1, 4;
add.u64 %rd3, %rd1, %rd2;
cvt.u16.u32 %h1, %r1;
cvt.rn.f16x2.)" + format + R"(x2 %r2, %h1;
cvt.rn.satfinite.)" + format + R"(x2.f16x2 %h2, %r2;
cvt.u32.u16 %r3, %h2;
st.global.b32 [%rd3], %r3;
ret;
}
)"),
                          launch_of({256}, {256}, {{"out", uints(std::vector<std::uint32_t>(256))}})));
  };
  for (const std::string format : {"e4m3", "e5m2"}) {
    const auto out = result_of<std::uint32_t>(round_trip(format), "out");
    for (std::uint32_t code = 0; code < 256; ++code) {
      const std::uint32_t magnitude = code & 0x7F, infinity = format == "e5m2" ? 0x7C : 0x80;
      const bool is_nan = magnitude > infinity || (format == "e4m3" && magnitude == 0x7F);
      const std::uint32_t expected = is_nan ? 0x7F : magnitude == infinity ? (code & 0x80) | 0x7B : code;
      EXPECT_EQ(out[code], expected) << format << " " << code;
    }
  }
}

} // namespace
