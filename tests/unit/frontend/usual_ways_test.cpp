// Libraries' sines and cosines in IR and PTX: the short way is the usual one.
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>

namespace {

using namespace forewarp;

std::string ir_of(const std::string& text, const std::string& ending, ir::TargetFamily family,
                  const std::string& target) {
  test::TemporaryFile file(text, ending);
  frontend::CompileRequest request = test::request_for(family);
  request.path = file.path();
  request.target = target;
  auto module = frontend::compile(request);
  return module ? test::ir_text(*module) : to_string(module.error());
}

/// A store on the long way, behind `compare`.
std::string kernel(const std::string& calling, const std::string& compare) {
  return "declare float @llvm.fabs.f32(float)\n"
         "define " +
         calling +
         " void @k(ptr addrspace(1) %a, float %x) {\n"
         "  %m = call float @llvm.fabs.f32(float %x)\n  %c = fcmp " +
         compare +
         "\n"
         "  br i1 %c, label %yes, label %no\nyes:\n  store float %x, ptr addrspace(1) %a\n  br label "
         "%no\nno:\n  ret void\n}\n";
}

bool has_weights(const std::string& ir, const std::string& first, const std::string& second) {
  return ir.find("!\"branch_weights\", i32 " + first + ", i32 " + second) != std::string::npos;
}

TEST(UsualWays, LargeAnglesAreRare) {
  const auto nvidia = [](const std::string& compare) {
    return ir_of(kernel("ptx_kernel", compare), ".ll", ir::TargetFamily::nvidia, "sm_80");
  };
  // LLVM turns the comparison round and the ways with it.
  EXPECT_TRUE(has_weights(nvidia("oge float %m, 1.056150e+05"), "2000", "1"));
  EXPECT_TRUE(has_weights(nvidia("ult float %m, 1.056150e+05"), "2000", "1"));
  EXPECT_TRUE(
      has_weights(nvidia("ult float %x, 1.056150e+05"), "2000", "1")); // a number that nothing else has
  EXPECT_EQ(nvidia("ult float %x, 1.310720e+05").find("branch_weights"),
            std::string::npos); // any power of two
  EXPECT_EQ(nvidia("oeq float %m, 1.056150e+05").find("branch_weights"), std::string::npos);
  const std::string amd =
      ir_of(kernel("amdgpu_kernel", "olt float %m, 1.310720e+05"), ".ll", ir::TargetFamily::amd, "gfx90a");
  EXPECT_TRUE(has_weights(amd, "2000", "1")) << amd;
}

TEST(UsualWays, InPtx) {
  const std::string ir = ir_of(R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 a, .param .f32 x)
{
  .reg .pred %p<2>; .reg .b64 %rd<3>; .reg .f32 %f<3>;
  ld.param.u64 %rd1, [a];
  cvta.to.global.u64 %rd2, %rd1;
  ld.param.f32 %f1, [x];
  abs.f32 %f2, %f1;
  setp.ltu.f32 %p1, %f2, 0f47CE4780;
  @%p1 bra done;
  st.global.f32 [%rd2], %f1;
done:
  ret;
}
)",
                               ".ptx", ir::TargetFamily::nvidia, "sm_80");
  EXPECT_TRUE(has_weights(ir, "2000", "1") || has_weights(ir, "1", "2000")) << ir;
}

} // namespace
