#include "ir/kernel_module.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

namespace {

using namespace forewarp;

ir::KernelModule parse(const char* text) {
  auto context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(text, diagnostic, *context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str();
  return ir::KernelModule(std::move(context), std::move(module));
}

const char* const three_blocks = R"(
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
declare <4 x float> @forewarp.image.read.2d.f32.i32(ptr addrspace(1), i32, <2 x i32>, float)
declare i32 @forewarp.image.width(ptr addrspace(1))
declare i32 @llvm.nvvm.ldg.global.i.i32.p1(ptr addrspace(1), i32)
define void @k(ptr addrspace(1) %p, ptr addrspace(101) %parameter) {
entry:
  %n = load i32, ptr addrspace(101) %parameter
  %x = load i32, ptr addrspace(1) %p
  store i32 %x, ptr addrspace(1) %p
  %c = icmp eq i32 %x, %n
  br i1 %c, label %empty, label %rest
empty:
  br label %rest
rest:
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  %pair = cmpxchg ptr addrspace(1) %p, i32 1, i32 2 monotonic monotonic
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) %p, ptr addrspace(1) %p, i64 8, i1 false)
  %w = call i32 @forewarp.image.width(ptr addrspace(1) %p)
  %t = call <4 x float> @forewarp.image.read.2d.f32.i32(ptr addrspace(1) %p, i32 -1, <2 x i32> zeroinitializer, float 0.0)
  %g = call i32 @llvm.nvvm.ldg.global.i.i32.p1(ptr addrspace(1) %p, i32 4)
  ret void
})";

TEST(Numbering, CountsMemoryInstructionsPerBlock) {
  ir::KernelModule module = parse(three_blocks);
  ir::Numbering numbering = ir::number(*module.module().getFunction("k"));
  // The load from the parameter space and the image query touch no modelled memory.
  EXPECT_EQ(numbering.sites_of_block, (std::vector<std::uint32_t>{2, 0, 5}));
  ASSERT_EQ(numbering.sites.size(), 7u);
  EXPECT_EQ(numbering.sites[1].block, 0u);
  EXPECT_EQ(numbering.sites[1].index_in_block, 1u);
  EXPECT_EQ(numbering.sites[2].block, 2u);
  EXPECT_EQ(numbering.sites[2].index_in_block, 0u);
  EXPECT_EQ(numbering.sites[6].index_in_block, 4u);
}

TEST(Numbering, DispatchDataOfAmdIsNoSite) {
  ir::KernelModule module = parse(R"(
target triple = "amdgcn-amd-amdhsa"
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
define amdgpu_kernel void @k(ptr addrspace(4) %table, ptr addrspace(1) %out) {
  %implicit = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %at = getelementptr inbounds i8, ptr addrspace(4) %implicit, i64 12
  %size = load i16, ptr addrspace(4) %at
  %value = load i16, ptr addrspace(4) %table
  store i16 %value, ptr addrspace(1) %out
  ret void
})");
  EXPECT_EQ(ir::number(*module.module().getFunction("k")).sites_of_block, std::vector<std::uint32_t>{2});
}

const char* const inlined = R"(
target triple = "nvptx64-nvidia-cuda"
define void @k(ptr addrspace(1) %p) !dbg !5 {
  store i32 1, ptr addrspace(1) %p, !dbg !10
  store i32 2, ptr addrspace(1) %p, !dbg !11
  store i32 3, ptr addrspace(1) %p
  ret void, !dbg !12
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "user.cl", directory: ".")
!2 = !DIFile(filename: "header.h", directory: "/opt/own")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DISubroutineType(types: !{null})
!5 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!6 = distinct !DISubprogram(name: "helper", file: !1, line: 20, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!7 = distinct !DISubprogram(name: "own", file: !2, line: 90, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!8 = distinct !DILocation(line: 5, column: 3, scope: !5)
!9 = distinct !DILocation(line: 21, column: 7, scope: !6, inlinedAt: !8)
!10 = !DILocation(line: 22, column: 9, scope: !6, inlinedAt: !8)
!11 = !DILocation(line: 91, column: 1, scope: !7, inlinedAt: !9)
!12 = !DILocation(line: 0, scope: !5)
)";

TEST(Location, IsTheInnermostFrameInTheUsersFiles) {
  ir::KernelModule module = parse(inlined);
  facts::SourceFiles files = {"user.cl"};
  std::vector<facts::SourceLocation> found;
  for (const llvm::Instruction& instruction : module.module().getFunction("k")->getEntryBlock())
    found.push_back(ir::location_of(instruction, files));
  EXPECT_EQ(found[0], (facts::SourceLocation{0, 22, 9}));
  EXPECT_EQ(found[1], (facts::SourceLocation{0, 21, 7})) << "the own header's line 91 is not the user's";
  EXPECT_EQ(found[2], facts::SourceLocation{});
  EXPECT_EQ(found[3], facts::SourceLocation{}) << "line 0 says that the compiler kept none";
}

} // namespace
