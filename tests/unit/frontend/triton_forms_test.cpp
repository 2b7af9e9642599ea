// Forms that Triton's compiler writes: copies into pointers of shared memory, ldmatrix as an intrinsic,
// products of a warp group.
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>

namespace {

using namespace forewarp;

std::string ir_of(const std::string& body, const std::string& behind = "") {
  test::TemporaryFile file(
      "@smem = external addrspace(3) global [0 x i8], align 16\n"
      "define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n) #0 {\n" +
          body + "\n  ret void\n}\n" + behind + "attributes #0 = { nounwind \"nvvm.reqntid\"=\"128\" }\n",
      ".ll");
  frontend::CompileRequest request = test::request_for(ir::TargetFamily::nvidia);
  request.path = file.path();
  request.target = "sm_80";
  auto module = frontend::compile(request);
  return module ? test::ir_text(*module) : to_string(module.error());
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST(TritonForms, CopyIntoAPointerOfSharedMemory) {
  const std::string ir = ir_of(R"(
  %bytes = select i1 true, i32 16, i32 0
  call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) @smem, ptr addrspace(1) %a, i32 %bytes))");
  EXPECT_EQ(count(ir, "load volatile <4 x i32>, ptr addrspace(1) %a"), 1U) << ir;
  EXPECT_EQ(count(ir, "store volatile <4 x i32>"), 1U) << ir;
  EXPECT_EQ(count(ir, "inttoptr"), 0U) << ir;
}

TEST(TritonForms, RowsOfMatricesByIntrinsic) {
  const std::string ir = ir_of(R"(
  %m = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3(ptr addrspace(3) @smem)
  %w = extractvalue { i32, i32, i32, i32 } %m, 3
  store i32 %w, ptr addrspace(1) %b)",
                               "declare { i32, i32, i32, i32 } "
                               "@llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3(ptr addrspace(3))\n");
  EXPECT_EQ(count(ir, "load volatile <4 x i32>, ptr addrspace(3)"), 1U) << ir;
  EXPECT_EQ(count(ir, "call { i32, i32, i32, i32 } @forewarp.matrix.take.x4.trans(<4 x i32>"), 1U) << ir;
  EXPECT_EQ(count(ir, "ldmatrix"), 0U) << ir;
}

/// LLVM makes this of bytes of a mask: bits 0 and 8 of a half-word, not bytes 0 and 8 of sixteen.
TEST(TritonForms, BitsOfAMaskInMemory) {
  const std::string ir = ir_of(R"(
  %bits = load <16 x i1>, ptr addrspace(1) %a, align 2
  %low = extractelement <16 x i1> %bits, i64 0
  %high = extractelement <16 x i1> %bits, i64 8
  %both = and i1 %low, %high
  %word = zext i1 %both to i32
  store i32 %word, ptr addrspace(1) %b
  store <16 x i1> %bits, ptr addrspace(1) %a, align 2)");
  EXPECT_EQ(count(ir, "load i16, ptr addrspace(1) %a"), 1U) << ir;
  EXPECT_EQ(count(ir, "bitcast i16"), 1U) << ir;
  EXPECT_EQ(count(ir, "store i16"), 1U) << ir;
}

/// Bits 64 to 191 of eight floats are the third to the sixth; bits 40 to 47 lie in the second.
TEST(TritonForms, PartsOfAVectorByWayOfAWideInteger) {
  const std::string ir = ir_of(R"(
  %eight = load <8 x float>, ptr addrspace(1) %a, align 32
  %wide = bitcast <8 x float> %eight to i256
  %above = lshr i256 %wide, 64
  %four = trunc i256 %above to i128
  store i128 %four, ptr addrspace(1) %b, align 16
  %behind = lshr i256 %wide, 40
  %byte = trunc i256 %behind to i8
  %at = getelementptr i8, ptr addrspace(1) %b, i64 16
  store i8 %byte, ptr addrspace(1) %at)");
  EXPECT_EQ(count(ir, "i256"), 0U) << ir;
  EXPECT_EQ(count(ir, "store"), 2U) << ir;
}

/// Two 8-bit floats are a vector of bytes on Triton's side and a word's half in PTX.
TEST(TritonForms, PairsOfSmallFloats) {
  const std::string ir = ir_of(R"(
  %x = load i32, ptr addrspace(1) %b
  %p = call <2 x i8> asm "cvt.rn.satfinite.e5m2x2.f32 $0, $2, $1;", "=h,r,r"(i32 %x, i32 %n)
  store <2 x i8> %p, ptr addrspace(1) %a)");
  EXPECT_EQ(count(ir, "call i32 @forewarp.fp8.pack.e5m2(float"), 1U) << ir;
  EXPECT_EQ(count(ir, "asm"), 0U) << ir;
}

TEST(TritonForms, ProductsOfAWarpGroupAndTheirWait) {
  const std::string ir = ir_of(R"(
  %d = call { float, float, float, float } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0,$1,$2,$3}, $8, $9, 0, 1, 1, 0, 0;", "=f,=f,=f,=f,0,1,2,3,l,l"(float 0.0, float 0.0, float 0.0, float 0.0, i64 4, i64 8)
  %d0 = extractvalue { float, float, float, float } %d, 0
  %d1 = extractvalue { float, float, float, float } %d, 1
  %w = call { float, float } asm sideeffect "// wait for regs: $0,$1\0A\09wgmma.wait_group.sync.aligned 0;", "=f,=f,0,1"(float %d0, float %d1)
  %w0 = extractvalue { float, float } %w, 0
  store float %w0, ptr addrspace(1) %b)");
  EXPECT_EQ(count(ir, "@forewarp.wgmma.m64n8k16.f16.memory2.f16.f32.anew.f32x4(i64 4, i64 8, float"), 1U)
      << ir;
  EXPECT_EQ(count(ir, "call { float, float } @forewarp.wgmma.wait.0.f32x2(float"), 1U) << ir;
}

} // namespace
