// PTX in process, and the register estimate against the vendor's assembler where one is on the PATH.
#include "codegen/markers/ptx.h"
#include "codegen/nvidia/registers/ptxas.h"
#include "ir_fixture.h"

#include <algorithm>
#include <cmath>

namespace forewarp::codegen::testing {
namespace {

struct Case {
  const char* name;
  const char* parameters;
  const char* body;
};

constexpr Case cases[] = {
    {"scale", "ptr addrspace(1) %p, float %a", R"(
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sext i32 %t to i64
  %q = getelementptr float, ptr addrspace(1) %p, i64 %i
  %v = load float, ptr addrspace(1) %q, align 4
  %r = fmul float %v, %a
  store float %r, ptr addrspace(1) %q, align 4
  ret void)"},
    {"dot4", "ptr addrspace(1) %p, ptr addrspace(1) %o", R"(
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sext i32 %t to i64
  %q = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %i
  %v = load <4 x float>, ptr addrspace(1) %q, align 16
  %s = getelementptr i8, ptr addrspace(1) %q, i64 512
  %w = load <4 x float>, ptr addrspace(1) %s, align 16
  %m = fmul contract <4 x float> %v, %w
  %a = extractelement <4 x float> %m, i32 0
  %b = extractelement <4 x float> %m, i32 1
  %c = extractelement <4 x float> %m, i32 2
  %d = extractelement <4 x float> %m, i32 3
  %e = fadd contract float %a, %b
  %f = fadd contract float %c, %d
  %g = fadd contract float %e, %f
  %z = getelementptr float, ptr addrspace(1) %o, i64 %i
  store float %g, ptr addrspace(1) %z, align 4
  ret void)"},
    {"sum_loop", "ptr addrspace(1) %p, i32 %n", R"(
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sext i32 %t to i64
  %q = getelementptr float, ptr addrspace(1) %p, i64 %i
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %s = phi float [ 0.0, %0 ], [ %sum, %loop ]
  %a = phi ptr addrspace(1) [ %q, %0 ], [ %step, %loop ]
  %v = load float, ptr addrspace(1) %a, align 4
  %sum = fadd float %s, %v
  %step = getelementptr i8, ptr addrspace(1) %a, i64 4096
  %next = add i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  store float %sum, ptr addrspace(1) %q, align 4
  ret void)"},
};

TEST(Ptx, has_an_entry_of_the_kernel_in_the_lowest_version_of_the_target) {
  const ir::KernelModule module = module_of(cases[0].parameters, cases[0].body);
  const auto ptx = emit_ptx(module, module.kernels.front(), "sm_75");
  ASSERT_TRUE(ptx) << ptx.error().message;
  EXPECT_NE(ptx->find(".version 6.3"), std::string::npos);
  EXPECT_NE(ptx->find(".entry k("), std::string::npos);
  EXPECT_NE(ptx->find("mul.rn.f32"), std::string::npos);
}

TEST(Ptx, a_function_without_an_instruction_is_named_and_not_fatal) {
  const ir::KernelModule module = module_of("ptr addrspace(1) %p, float %a", R"(
  %s = call float @llvm.sin.f32(float %a)
  store float %s, ptr addrspace(1) %p, align 4
  ret void)",
                                            "declare float @llvm.sin.f32(float)\n");
  const auto ptx = emit_ptx(module, module.kernels.front(), "sm_75");
  ASSERT_FALSE(ptx);
  EXPECT_EQ(ptx.error().code, ErrorCode::unsupported);
  EXPECT_NE(ptx.error().message.find("llvm.sin.f32"), std::string::npos);
}

TEST(Ptx, divisions_of_vectors_keep_their_accuracy) {
  const ir::KernelModule module = module_of("ptr addrspace(1) %p, <2 x float> %a, <2 x float> %b", R"(
  %d = fdiv <2 x float> %a, %b, !fpmath !0
  store <2 x float> %d, ptr addrspace(1) %p, align 8
  ret void)",
                                            "!0 = !{float 2.5}\n");
  const auto ptx = emit_ptx(module, module.kernels.front(), "sm_75");
  ASSERT_TRUE(ptx) << ptx.error().message;
  const auto first = ptx->find("div.full.f32");
  ASSERT_NE(first, std::string::npos);
  EXPECT_NE(ptx->find("div.full.f32", first + 1), std::string::npos);
  EXPECT_EQ(ptx->find("div.rn.f32"), std::string::npos);
}

TEST(Ptxas, median_difference_of_the_estimate_is_at_most_four) {
  if (!has_ptxas())
    GTEST_SKIP() << "no ptxas on the PATH";
  std::vector<double> errors;
  for (const Case& each : cases) {
    const ir::KernelModule module = module_of(each.parameters, each.body);
    const auto ptx = emit_ptx(module, module.kernels.front(), "sm_75");
    ASSERT_TRUE(ptx) << each.name << ": " << ptx.error().message;
    const auto truth = ptxas_resources(*ptx, "sm_75");
    ASSERT_TRUE(truth) << each.name << ": " << truth.error().message;
    const auto program = lower(module, module.kernels.front(), volta_like());
    ASSERT_TRUE(program);
    errors.push_back(std::abs(truth->registers_per_thread - program->resources.registers_per_thread));
  }
  std::sort(errors.begin(), errors.end());
  EXPECT_LE(errors[errors.size() / 2], 4);
}

TEST(Ptxas, option_takes_the_assemblers_count) {
  if (!has_ptxas())
    GTEST_SKIP() << "no ptxas on the PATH";
  const ir::KernelModule module = module_of(cases[0].parameters, cases[0].body);
  MachineStepOptions options;
  options.registers = MachineStepOptions::Registers::ptxas;
  const auto program = lower(module, module.kernels.front(), volta_like(), options);
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(program->resources.source, "ptxas");
  EXPECT_GE(program->resources.registers_per_thread, 4);
}

} // namespace
} // namespace forewarp::codegen::testing
