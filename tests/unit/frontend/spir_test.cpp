// SPIR modules and the halves of doubles in LLVM IR.
#include "frontend/newer_ir/spir.h"
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>

namespace {

using namespace forewarp;
using frontend::newer_ir::spir_in_nvidia_words;

TEST(Spir, SpacesConventionsAndCasts) {
  EXPECT_EQ(spir_in_nvidia_words("target triple = \"spir64-unknown-unknown\"\n"
                                 "define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(2) %c) {\n"
                                 "%g = addrspacecast ptr addrspace(1) %a to ptr addrspace(4)\n"
                                 "%h = addrspacecast ptr %p to ptr addrspace(4)\n"
                                 "call spir_func void @f(ptr addrspace(4) %g)\n"),
            "\n"
            "define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(4) %c) {\n"
            "%g = addrspacecast ptr addrspace(1) %a to ptr\n"
            "%h = bitcast ptr %p to ptr\n"
            "call void @f(ptr %g)\n");
}

constexpr const char* module_text = R"(
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spir64-unknown-unknown"
define spir_kernel void @scale(ptr addrspace(1) %out, ptr addrspace(1) %in, ptr addrspace(2) %factor) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %from = getelementptr float, ptr addrspace(1) %in, i64 %i
  %generic = addrspacecast ptr addrspace(1) %from to ptr addrspace(4)
  %x = load float, ptr addrspace(4) %generic
  %f = load float, ptr addrspace(2) %factor
  %y = fmul float %x, %f
  %to = getelementptr float, ptr addrspace(1) %out, i64 %i
  store float %y, ptr addrspace(1) %to
  ret void
}
declare spir_func i64 @_Z13get_global_idj(i32)
)";

TEST(Spir, AModuleIsOneForNvidia) {
  const auto module = test::compile_text(module_text, ir::TargetFamily::nvidia, "", ".ll");
  ASSERT_TRUE(module) << to_string(module.error());
  ASSERT_EQ(module->kernels.size(), 1U);
  EXPECT_EQ(module->kernels[0].parameters[0].space, ir::AddressSpace::global);
  EXPECT_EQ(module->kernels[0].parameters[2].space, ir::AddressSpace::constant);
  const auto amd = test::compile_text(module_text, ir::TargetFamily::amd, "", ".ll");
  ASSERT_FALSE(amd);
  EXPECT_EQ(amd.error().code, ErrorCode::unsupported);
}

TEST(LlvmIr, HalvesOfADoubleArePlainInstructions) {
  const auto module = test::compile_text(R"(
target triple = "nvptx64-nvidia-cuda"
define void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %d = load double, ptr addrspace(1) %p
  %low = call i32 @llvm.nvvm.d2i.lo(double %d)
  %high = call i32 @llvm.nvvm.d2i.hi(double %d)
  %e = call double @llvm.nvvm.lohi.i2d(i32 %high, i32 %low)
  store double %e, ptr addrspace(1) %q
  ret void
}
declare i32 @llvm.nvvm.d2i.lo(double)
declare i32 @llvm.nvvm.d2i.hi(double)
declare double @llvm.nvvm.lohi.i2d(i32, i32)
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
)",
                                         ir::TargetFamily::nvidia, "", ".ll");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(test::ir_text(*module).find("= call"), std::string::npos);
}

} // namespace
