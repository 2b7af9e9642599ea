// Words of newer LLVM in those of LLVM 19.
#include "frontend/newer_ir/float_literals.h"
#include "frontend/newer_ir/rewrite.h"
#include "frontend/newer_ir/tokens.h"
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>

namespace forewarp::frontend::newer_ir {
namespace {

std::string older(const std::string& text) {
  const auto made = in_older_words(text, "k.ll");
  return made ? *made : to_string(made.error());
}

TEST(Tokens, StringsNamesAndCommentsAreWhole) {
  const auto tokens = tokens_of("@\"a b\" = c\"x;\\22y\" ; samesign\n%1 !dbg !{!\"z\"} ...");
  std::vector<std::string> texts;
  for (const Token& token : tokens)
    texts.emplace_back(token.text);
  EXPECT_EQ(texts, (std::vector<std::string>{"@\"a b\"", "=", "c\"x;\\22y\"", "%1", "!dbg", "!", "{", "!",
                                             "\"z\"", "}", "..."}));
  EXPECT_EQ(tokens[2].line, 1U);
  EXPECT_EQ(tokens[3].line, 2U);
}

TEST(Tokens, AnythingEnds) {
  for (const char* text : {"\"", "@\"", "c\"", "%", "!", "#", "captures(", "captures(none", "f0x", "+nan(",
                           "memory(x:", "target triple =", "@llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr"})
    (void)older(text);
}

TEST(NewerIr, PlainTextComesBackAsItIs) {
  const std::string text =
      "; captures(none)\n@s = constant [8 x i8] c\"samesign\"\ndefine void @captures() { ret void }\n";
  EXPECT_EQ(older(text), text);
}

TEST(NewerIr, WhatIsCapturedIsSaidOrLeftOut) {
  EXPECT_EQ(older("ptr captures(none) %0"), "ptr nocapture %0");
  EXPECT_EQ(older("ptr captures(ret: address, provenance) %0"), "ptr  %0");
}

TEST(NewerIr, HintsAreLeftOut) {
  EXPECT_EQ(older("icmp samesign ult i32 %a, 4"), "icmp  ult i32 %a, 4");
  EXPECT_EQ(older("{ nocallback nocreateundeforpoison nofree }"), "{ nocallback  nofree }");
  EXPECT_EQ(older("ptr dead_on_return(8) initializes((0, 4)) %p"), "ptr   %p");
  EXPECT_EQ(older("fptrunc contract nnan float %x to half"), "fptrunc   float %x to half");
  EXPECT_EQ(older("fadd contract float %x, %y"), "fadd contract float %x, %y");
  EXPECT_EQ(older("!DILocation(line: 3, scope: !1, atomGroup: 2, atomRank: 1)"),
            "!DILocation(line: 3, scope: !1)");
  EXPECT_EQ(older("memory(argmem: read, target_mem0: none)"), "memory(argmem: read)");
  EXPECT_EQ(older("memory(none)"), "memory(none)");
}

// 0x3FB8AA3B is 1.442695...: as a double its exponent is 0x3FF, its fraction moves up by 29 bits.
TEST(NewerIr, LiteralsByBitsTakeTheTypeBeforeThem) {
  EXPECT_EQ(older("fmul float %x, f0x3FB8AA3B"), "fmul float %x, 0x3FF7154760000000");
  EXPECT_EQ(older("phi half [ f0x3C00, %a ], [ +inf, %b ]"), "phi half [ 0xH3C00, %a ], [ 0xH7C00, %b ]");
  EXPECT_EQ(older("<2 x bfloat> splat (bfloat f0x3F80)"), "<2 x bfloat> splat (bfloat 0xR3F80)");
  // A decimal stands for the nearest value since LLVM 22; before, for an exact one only.
  EXPECT_EQ(older("fmul float %x, 2.001230e-01"), "fmul float %x, 0x3FC99DA160000000");
  EXPECT_EQ(older("fadd half 1.000000e-01, %x"), "fadd half 0xH2E66, %x");
  EXPECT_EQ(older("<2 x bfloat> <bfloat 1.5, bfloat 1.100000e+00>"),
            "<2 x bfloat> <bfloat 1.5, bfloat 0xR3F8D>");
  EXPECT_EQ(older("fadd float 2.500000e-01, -1.0"), "fadd float 2.500000e-01, -1.0");
  EXPECT_EQ(older("fadd double 2.001230e-01, %x"), "fadd double 2.001230e-01, %x");
  EXPECT_EQ(older("float -inf"), "float 0xFFF0000000000000");
  EXPECT_EQ(older("double +qnan"), "double 0x7FF8000000000000");
  EXPECT_EQ(older("float +nan(0x400001)"), "float 0x7FF8000020000000");
}

TEST(NewerIr, ALiteralThatDoesNotFitIsNamedWithItsLine) {
  const auto made = in_older_words("a\nhalf f0x3FB8AA3B", "k.ll");
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().where, "k.ll:2");
  EXPECT_NE(made.error().message.find("'f0x3FB8AA3B' is no number of the type 'half'"), std::string::npos);
}

TEST(NewerIr, SpellingsAreLlvm19s) {
  EXPECT_EQ(older("target triple = \"amdgpu9.42-amd-amdhsa\""), "target triple = \"amdgcn-amd-amdhsa\"");
  EXPECT_EQ(older("ptrtoaddr ptr %p to i64"), "ptrtoint ptr %p to i64");
  EXPECT_EQ(older("call void @llvm.lifetime.start.p5(ptr addrspace(5) %p)"),
            "call void @llvm.lifetime.start.p5(i64 -1, ptr addrspace(5) %p)");
  EXPECT_EQ(older("declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) readnone, "
                  "i16, i64, i32)"),
            "declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) readnone, i16, "
            "i32, i32)");
  EXPECT_EQ(
      older("%r = tail call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %p, i16 0, "
            "i64 "
            "%n, i32 7)"),
      "%forewarp.records.0 = trunc i64 %n to i32 %r = tail call ptr addrspace(8) "
      "@llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %p, i16 0, i32 %forewarp.records.0, i32 7)");
}

TEST(NewerIr, WordsThatNobodyKnowsAreNamedWithTheirLine) {
  auto module = test::compile_text("define ptx_kernel void @k(ptr addrspace(1) %p) #0 {\n  ret void\n}\n"
                                   "attributes #0 = { nounwind someday }\n",
                                   ir::TargetFamily::nvidia, "", ".ll");
  ASSERT_FALSE(module);
  const std::string said = to_string(module.error());
  EXPECT_NE(said.find(":4:"), std::string::npos) << said;
  EXPECT_NE(said.find("'someday'"), std::string::npos) << said;
}

constexpr const char* two_groups = R"(
define ptx_kernel void @k(ptr addrspace(1) nofree writeonly captures(none) %p) #0 {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr float, ptr addrspace(1) %p, i32 %i
  store float f0x3FB8AA3B, ptr addrspace(1) %q
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
attributes #0 = { nounwind nocreateundeforpoison "nvvm.reqntid"="64,2" "nvvm.minctasm"="3" }
)";

TEST(NewerIr, TheGroupInTheFileIsTheKernels) {
  auto module = test::compile_text(two_groups, ir::TargetFamily::nvidia, "", ".llir");
  ASSERT_TRUE(module) << to_string(module.error());
  ASSERT_EQ(module->kernels.size(), 1U);
  EXPECT_EQ(module->kernels[0].required_group_size, (facts::Dim3{64, 2, 1}));
  EXPECT_EQ(module->kernels[0].min_groups_per_sm, 3U);
}

std::optional<facts::Dim3> amd_group(const std::string& source_name, const std::string& sizes) {
  auto module = test::compile_text("source_filename = \"" + source_name +
                                       "\"\ntarget triple = \"amdgpu9.0a-amd-amdhsa\"\n"
                                       "define amdgpu_kernel void @k() #0 {\n  ret void\n}\n"
                                       "attributes #0 = { \"amdgpu-flat-work-group-size\"=\"" +
                                       sizes + "\" }\n",
                                   ir::TargetFamily::amd, "", ".ll");
  EXPECT_TRUE(module) << to_string(module.error());
  return module ? module->kernels.at(0).required_group_size : std::nullopt;
}

TEST(NewerIr, TheMostWorkItemsAreRequiredWhereTheCodeIsForThem) {
  EXPECT_EQ(amd_group("LLVMDialectModule", "1,256"), (facts::Dim3{256, 1, 1}));
  EXPECT_EQ(amd_group("k.hip", "128,128"), (facts::Dim3{128, 1, 1}));
  EXPECT_EQ(amd_group("k.hip", "1,256"), std::nullopt);
}

} // namespace
} // namespace forewarp::frontend::newer_ir
