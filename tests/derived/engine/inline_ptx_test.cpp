// Inline PTX against the same in C: a kernel holds each statement's result against the language's own, for
// numbers that reach the edges; the meaning is the PTX ISA document's (chapter "Instruction Set").
#include "frontend/compile.h"
#include "simt/run.h"
#include "support/temporary_file.h"

#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace forewarp {
namespace {

struct Case {
  const char* what;
  const char* code;     ///< sets `found`
  const char* expected; ///< in C, of a, b, c (unsigned), i (int), x (float)
};

const Case cases[] = {
    {"prmt", R"(asm("prmt.b32 %0, %1, %2, 0x7531;" : "=r"(found) : "r"(a), "r"(b));)",
     "__byte_perm(a, b, 0x7531)"},
    {"dp4a signed",
     R"(int s; asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(s) : "r"(a), "r"(b), "r"(c)); found = s ^ __dp4a(int(a), int(b), 1);)",
     "unsigned(int(c) + byte_products<signed char>(a, b)) ^ unsigned(1 + byte_products<signed char>(a, b))"},
    {"dp4a unsigned",
     R"(asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(found) : "r"(a), "r"(b), "r"(c)); found ^= __dp4a(a, b, 1u);)",
     "(c + byte_products<unsigned char>(a, b)) ^ (1u + byte_products<unsigned char>(a, b))"},
    {"shf.l", R"(asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(found) : "r"(a), "r"(b), "r"(c));)",
     "unsigned((((unsigned long long)b << 32 | a) << (c & 31)) >> 32)"},
    {"shf.r", R"(asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(found) : "r"(a), "r"(b), "r"(c));)",
     "unsigned(((unsigned long long)b << 32 | a) >> (c & 31))"},
    {"lop3 xor", R"(asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(found) : "r"(a), "r"(b), "r"(c));)",
     "a ^ b ^ c"},
    {"lop3 select", R"(asm("lop3.b32 %0, %1, %2, %3, 0xCA;" : "=r"(found) : "r"(a), "r"(b), "r"(c));)",
     "(a & b) | (~a & c)"},
    {"lop3 majority", R"(asm("lop3.b32 %0, %1, %2, %3, 0xE8;" : "=r"(found) : "r"(a), "r"(b), "r"(c));)",
     "(a & b) | (a & c) | (b & c)"},
    {"lop3 any", R"(asm("lop3.b32 %0, %1, %2, %3, 0x1D;" : "=r"(found) : "r"(a), "r"(b), "r"(c));)",
     "(~a & ~b & ~c) | (~a & b & ~c) | (~a & b & c) | (a & ~b & ~c)"},
    {"bfe", R"(asm("bfe.u32 %0, %1, 5, 9;" : "=r"(found) : "r"(a));)", "(a >> 5) & 511"},
    {"bfe of nothing", R"(asm("bfe.u32 %0, %1, %2, 40;" : "=r"(found) : "r"(a), "r"(c));)",
     "(c & 255) > 31 ? 0 : a >> (c & 255)"},
    {"bfi", R"(asm("bfi.b32 %0, %1, %2, 8, 8;" : "=r"(found) : "r"(a), "r"(b));)",
     "(b & ~0xff00u) | (a << 8 & 0xff00u)"},
    {"shifts beyond",
     R"(asm("{\n\t.reg .u32 t;\n\tshl.b32 t, %1, %2;\n\tshr.u32 %0, t, 40;\n\tor.b32 %0, %0, t;}" : "=r"(found) : "r"(a), "r"(c));)",
     "c > 31 ? 0 : a << c"},
    {"arithmetic shift beyond", R"(asm("shr.s32 %0, %1, 77;" : "=r"(found) : "r"(a));)",
     "unsigned(int(a) >> 31)"},
    {"carry",
     R"(unsigned low; asm("add.cc.u32 %0, %2, %3;\n\taddc.u32 %1, %2, 0;" : "=r"(low), "=r"(found) : "r"(a), "r"(b)); found ^= low;)",
     "unsigned(((unsigned long long)a << 32 | a) + b >> 32) ^ (a + b)"},
    {"borrow", R"(asm("sub.cc.u32 %0, %1, %2;\n\tsubc.u32 %0, %1, %2;" : "=r"(found) : "r"(a), "r"(b));)",
     "a - b - (a < b ? 1 : 0)"},
    {"mul.wide",
     R"(unsigned long long w; asm("mul.wide.u32 %0, %1, %2;" : "=l"(w) : "r"(a), "r"(b)); found = unsigned(w >> 32);)",
     "__umulhi(a, b)"},
    {"mul.hi.u64",
     R"(unsigned long long w = (unsigned long long)a << 32 | b; asm("mul.hi.u64 %0, %0, %0;" : "+l"(w)); found = unsigned(w);)",
     "unsigned(__umul64hi((unsigned long long)a << 32 | b, (unsigned long long)a << 32 | b))"},
    {"mad.hi", R"(asm("mad.hi.u32 %0, %1, %2, %3;" : "=r"(found) : "r"(a), "r"(b), "r"(c));)",
     "__umulhi(a, b) + c"},
    {"pack",
     R"(unsigned long long w; asm("mov.b64 %0, {%1, %2};" : "=l"(w) : "r"(a), "r"(b)); unsigned low; asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(found) : "l"(w)); found -= low;)",
     "b - a"},
    {"setp and selp",
     R"(asm("{ .reg .pred p; setp.lt.s32 p, %1, %2; selp.u32 %0, %1, 7, p; }" : "=r"(found) : "r"(a), "r"(b));)",
     "int(a) < int(b) ? a : 7"},
    {"tied", R"(found = a; asm("xor.b32 %0, %0, %1;" : "+r"(found) : "r"(b));)", "a ^ b"},
    {"float",
     R"(float y; asm("fma.rn.f32 %0, %1, %1, 0f3F800000;" : "=f"(y) : "f"(x)); found = __float_as_uint(y);)",
     "__float_as_uint(fmaf(x, x, 1.0f))"},
    {"counts",
     R"(unsigned z; asm("popc.b32 %0, %1;" : "=r"(found) : "r"(a)); asm("clz.b32 %0, %1; // leading" : "=r"(z) : "r"(a)); found += z;)",
     "__popc(a) + __clz(a)"},
    {"lane", R"(asm("mov.u32 %0, %%laneid;" : "=r"(found));)", "threadIdx.x & 31"},
    {"vector load",
     R"(unsigned p, q; asm volatile("ld.global.nc.v2.u32 {%0, %1}, [%2+8];" : "=r"(p), "=r"(q) : "l"(words)); found = p + q;)",
     "words[2] + words[3]"},
    {"shared vector load",
     R"(unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(tile)), p, q; asm volatile("ld.shared.v4.u32 {%0, _, _, %1}, [%2+16];" : "=r"(p), "=r"(q) : "r"(at)); found = p - q;)",
     "tile[4] - tile[7]"},
    {"shared address and store",
     R"(asm volatile("{.reg .u64 t; .reg .u32 w; cvta.to.shared.u64 t, %0; cvt.u32.u64 w, t; st.shared.u32 [w], %1;}" :: "l"(own + lane), "r"(b)); found = own[lane];)",
     "b"},
    {"shared atomic",
     R"(own[lane] = a; unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(own + lane)); asm volatile("atom.shared.add.u32 %0, [%1], 3;" : "=r"(found) : "r"(at)); found = found + own[lane];)",
     "a + a + 3"},
    {"predicated load",
     R"(found = 7; asm volatile("{.reg .pred p; setp.gt.u32 p, %1, 20; @p ld.global.nc.u32 %0, [%2];}" : "+r"(found) : "r"(c), "l"(words));)",
     "c > 20 ? words[0] : 7"},
    {"predicated, not",
     R"(found = a; asm volatile("{.reg .pred p; setp.gt.u32 p, %1, 20; @!p add.u32 %0, %0, %1; @p mov.b32 %0, 9;}" : "+r"(found) : "r"(c));)",
     "c > 20 ? 9 : a + c"},
    {"cvt of integers",
     R"(asm("{.reg .s64 w; cvt.s64.s32 w, %1; shr.s64 w, w, 16; cvt.u32.u64 %0, w;}" : "=r"(found) : "r"(a));)",
     "unsigned(static_cast<long long>(static_cast<int>(a)) >> 16)"},
    {"vabsdiff4 with a sum",
     R"(asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(found) : "r"(a), "r"(b), "r"(c));)",
     "c + __vsadu4(a, b)"},
    {"vabsdiff4 by bytes",
     R"(asm("vabsdiff4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(found) : "r"(a), "r"(b), "r"(c));)",
     "__vabsdiffu4(a, b)"},
    // Row r, columns 2 c and 2 c + 1 lie in lane 4 r + c; element (r, c) is 8 r + c here.
    {"movmatrix",
     R"(const unsigned l = lane % 32, at = l / 4 * 8 + l % 4 * 2; asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(found) : "r"(at | (at + 1) << 16));)",
     "(lane % 32 % 4 * 2 * 8 + lane % 32 / 4) | ((lane % 32 % 4 * 2 + 1) * 8 + lane % 32 / 4) << 16"},
    {"atomic", R"(asm volatile("atom.global.add.u32 %0, [%1], 0;" : "=r"(found) : "l"(words + 1)); )",
     "words[1]"},
};

std::string source() {
  std::string text =
      "template <class Byte> __device__ int byte_products(unsigned x, unsigned y) {\n"
      "  int sum = 0;\n"
      "  for (int i = 0; i < 4; ++i) sum += Byte(x >> 8 * i) * Byte(y >> 8 * i);\n  return sum;\n}\n"
      "__global__ void k(unsigned* words, unsigned* wrong) {\n"
      "  const unsigned lane = threadIdx.x;\n"
      "  const unsigned a = lane * 2654435761u, b = lane % 3 ? ~a * 3 : a + lane % 5, c = lane % 70;\n"
      "  const float x = lane * 0.37f;\n  unsigned found;\n"
      "  __shared__ __align__(16) unsigned tile[128], own[128];\n"
      "  tile[lane] = a ^ 5;\n  __syncthreads();\n";
  for (std::size_t k = 0; k < std::size(cases); ++k)
    text +=
        fmt::format("  {{ {0} if (found != ({2})) wrong[{1}] = 1; }}\n", cases[k].code, k, cases[k].expected);
  return text + "}\n";
}

TEST(InlinePtx, IsWhatTheLanguageSays) {
  const auto file = TemporaryFile::write(source(), ".cu");
  frontend::CompileRequest request;
  request.path = file->path();
  request.target = "sm_75";
  const auto module = frontend::compile(request);
  ASSERT_TRUE(module) << to_string(module.error());
  facts::Launch launch;
  launch.groups = facts::Dim3{1, 1, 1};
  launch.group_size = facts::Dim3{128, 1, 1};
  facts::BufferValue words{facts::ScalarType::u32, 4, {facts::BufferContents::Kind::iota}};
  words.contents.start = 5;
  launch.arguments = {
      {"words", words},
      {"wrong",
       facts::BufferValue{facts::ScalarType::u32, std::size(cases), {facts::BufferContents::Kind::zeros}}}};
  simt::RunOptions options;
  options.whole_grid = true;
  const auto run = simt::run(*module, module->kernels.front(), launch, options);
  ASSERT_TRUE(run) << to_string(run.error());
  ASSERT_EQ(run->buffers.size(), 2U);
  for (std::size_t k = 0; k < std::size(cases); ++k) {
    std::uint32_t wrong = 1;
    std::memcpy(&wrong, run->buffers[1].bytes.data() + 4 * k, sizeof wrong);
    EXPECT_EQ(wrong, 0U) << cases[k].what;
  }
}

TEST(InlinePtx, WhatIsNotKnownIsNamed) {
  const auto file =
      TemporaryFile::write("__global__ void k(unsigned* p) {\n"
                           "  asm volatile(\"mma.sync.aligned.m8n8k4 %0;\" : \"+r\"(p[0]));\n}\n",
                           ".cu");
  frontend::CompileRequest request;
  request.path = file->path();
  const auto module = frontend::compile(request);
  ASSERT_TRUE(module || module.error().message.find("'mma.sync.aligned.m8n8k4 $0'") != std::string::npos);
  if (module) {
    ASSERT_EQ(module->refused.size(), 1U);
    EXPECT_NE(module->refused[0].error.message.find("'mma.sync.aligned.m8n8k4 $0'"), std::string::npos)
        << module->refused[0].error.message;
  }
}

} // namespace
} // namespace forewarp
