// Operation counts worked by hand, and held against real machine code where it was read (ptxas 13.0, sm_75).
#include "codegen/markers/expansions.h"
#include "unit/codegen/ir_fixture.h"

#include <algorithm>
#include <string>
#include <vector>

namespace forewarp::codegen::testing {
namespace {

using Mix = std::map<std::string, int>;

// c[i] = a[i] + b[i] under "if (i < n)". Real code for sm_75, 15 instructions: MOV R1; S2R x2; IMAD; ISETP;
// @P EXIT; MOV 4; IMAD.WIDE x3; LDG x2; FADD; STG; EXIT.
TEST(HandWorked, vector_add_is_fifteen_operations) {
  const auto program = lower_text("ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i32 %n", R"(
entry:
  %g = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %s = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %g, %s
  %i = add i32 %m, %t
  %in = icmp slt i32 %i, %n
  br i1 %in, label %body, label %end
body:
  %w = sext i32 %i to i64
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %w
  %va = load float, ptr addrspace(1) %pa, align 4
  %pb = getelementptr float, ptr addrspace(1) %b, i64 %w
  %vb = load float, ptr addrspace(1) %pb, align 4
  %sum = fadd float %va, %vb
  %pc = getelementptr float, ptr addrspace(1) %c, i64 %w
  store float %sum, ptr addrspace(1) %pc, align 4
  br label %end
end:
  ret void)",
                                  "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
                                  "declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n");
  Mix all;
  for (const auto& block : program.blocks)
    for (const auto& [name, count] : mix(block))
      all[name] += count;
  EXPECT_EQ(all, (Mix{{"move", 4},
                      {"int_mul", 1},
                      {"int_minmax_cmp", 1},
                      {"branch", 2},
                      {"int_mul_wide", 3},
                      {"load_global", 2},
                      {"fp32_add", 1},
                      {"store_global", 1}}));
  EXPECT_NEAR(program.resources.registers_per_thread, 12, 2); // ptxas: 12 on sm_75 to sm_90
}

// A row of four adjacent floats of a 16-byte aligned shared array is one 16-byte load (LDS.128).
TEST(HandWorked, adjacent_shared_loads_are_joined) {
  const auto program =
      lower_text("ptr addrspace(1) %o", R"(
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r = getelementptr [16 x [16 x float]], ptr addrspace(3) @tile, i32 0, i32 %t
  %p1 = getelementptr i8, ptr addrspace(3) %r, i32 4
  %p2 = getelementptr i8, ptr addrspace(3) %r, i32 8
  %p3 = getelementptr i8, ptr addrspace(3) %r, i32 12
  %a = load float, ptr addrspace(3) %r, align 4
  %b = load float, ptr addrspace(3) %p1, align 4
  %c = load float, ptr addrspace(3) %p2, align 4
  %d = load float, ptr addrspace(3) %p3, align 4
  %x = fadd float %a, %b
  %y = fadd float %c, %d
  %z = fadd float %x, %y
  store float %z, ptr addrspace(1) %o, align 4
  ret void)",
                 "@tile = internal addrspace(3) global [16 x [16 x float]] undef, align 4\n");
  Mix counts = mix(program.blocks[0]);
  EXPECT_EQ(counts["load_shared"], 1);
  for (const auto& each : program.blocks[0].ops)
    if (each.op == facts::OpClass::load_shared) {
      EXPECT_EQ(each.width_bytes, 16);
      EXPECT_EQ(each.site, 0U);
    }
}

// 32-bit unsigned division by 7: multiply high, shift, add (ptxas: IMAD.HI, shift, IADD).
TEST(HandWorked, division_by_a_constant_is_a_multiplication) {
  const auto program = lower_text("ptr addrspace(1) %o, i32 %n", R"(
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = udiv i32 %t, 7
  store i32 %q, ptr addrspace(1) %o, align 4
  ret void)");
  Mix counts = mix(program.blocks[0]);
  EXPECT_EQ(counts["int_mul_hi"], 1);
  EXPECT_EQ(counts["sfu"], 0);
}

// x = (x + 12345) / n in a loop, n an argument: of the 18 operations of ptxas 13.0 for sm_86 nine stay in the
// loop (IMAD.HI, a move, IMAD, two comparisons, three additions, SEL), the divisor's reciprocal goes in front
// (I2F, MUFU.RCP, F2I). A second division by n takes the same reciprocal.
TEST(HandWorked, a_divisor_is_prepared_once_in_front_of_the_loop) {
  const auto program = lower_text("ptr addrspace(1) %o, i32 %n, i32 %end", R"(
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %x = phi i32 [ %t, %entry ], [ %r, %loop ]
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = udiv i32 %x, %n
  %y = add i32 %q, 12345
  %r = urem i32 %y, %n
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %end
  br i1 %again, label %loop, label %out
out:
  store i32 %r, ptr addrspace(1) %o, align 4
  ret void)");
  Mix before = mix(program.blocks[0]), inside = mix(program.blocks[1]);
  EXPECT_EQ(before["sfu"], 1);
  EXPECT_EQ(before["cvt_32"], 2);
  EXPECT_EQ(inside["sfu"], 0);
  EXPECT_EQ(inside["int_mul_hi"], 2);
}

// IEEE single division, ordinary path (ptxas 13.0, sm_86): MUFU.RCP, 5 FFMA, FCHK, constant, BSSY, BRA and
// BSYNC = 11. The 2.5-ulp division of OpenCL: scale test, MUFU.RCP, multiplications, no branch.
TEST(HandWorked, accuracy_chooses_the_division) {
  const auto ieee = expansion("div", "f32");
  EXPECT_EQ(ieee.size(), 11U);
  EXPECT_EQ(std::count(ieee.begin(), ieee.end(), facts::OpClass::fp32_fma), 5);
  const std::string parameters = "ptr addrspace(1) %o, float %a, float %b";
  const auto strict = lower_text(parameters, R"(
  %q = fdiv float %a, %b
  store float %q, ptr addrspace(1) %o, align 4
  ret void)");
  const auto loose = lower_text(parameters, R"(
  %q = fdiv float %a, %b, !fpmath !0
  store float %q, ptr addrspace(1) %o, align 4
  ret void)",
                                "!0 = !{float 2.5}\n");
  EXPECT_EQ(mix(strict.blocks[0])["fp32_fma"], 5);
  EXPECT_EQ(mix(loose.blocks[0])["fp32_fma"], 0);
  EXPECT_EQ(mix(loose.blocks[0])["sfu"], 1);
}

// The sine of a double, ordinary path of ptxas 13.0: two tests of the argument (DSETP), its multiple of pi /
// 2 (DMUL, F2I, I2F), three DFMA that take it off; the square (DMUL), seven DFMA of the polynomial, and under
// predicates one more for a cosine and one that turns the sign. sincos takes five DFMA more than that,
// separate calls everything twice.
TEST(HandWorked, a_sine_of_doubles_is_reduced_and_sincos_reduces_once) {
  const auto count = [](const std::vector<facts::OpClass>& ops, facts::OpClass op) {
    return std::count(ops.begin(), ops.end(), op);
  };
  const auto sine = expansion("sin", "f64");
  EXPECT_EQ(count(sine, facts::OpClass::fp64_fma), 3 + 7 + 2);
  EXPECT_EQ(count(sine, facts::OpClass::fp64_mul), 2);
  EXPECT_EQ(count(sine, facts::OpClass::fp64_minmax_cmp), 2);
  EXPECT_EQ(count(sine, facts::OpClass::cvt_64), 2);
  const std::string body = R"(
  %s = call double @llvm.sin.f64(double %a)MARK
  %c = call double @llvm.cos.f64(double %a)MARK
  %q = fmul double %s, %c
  store double %q, ptr addrspace(1) %o, align 8
  ret void)";
  const auto marked = [&](const std::string& mark) {
    std::string text = body;
    for (std::size_t at = 0; (at = text.find("MARK")) != std::string::npos;)
      text.replace(at, 4, mark);
    return mix(
        lower_text("ptr addrspace(1) %o, double %a", text,
                   "declare double @llvm.sin.f64(double)\ndeclare double @llvm.cos.f64(double)\n!0 = !{}\n")
            .blocks[0]);
  };
  EXPECT_EQ(marked("")["fp64_fma"], 24);
  EXPECT_EQ(marked(", !forewarp.sincos !0")["fp64_fma"], 17);
}

// ex2.approx with denormals, as ptxas 13.0 has it for sm_86: FSETP; @!P FMUL by a half; MUFU.EX2; @!P FMUL by
// itself. The two products wait for the predicate, the special function for the first product alone; a
// selection by a comparison's result does not wait for a guard.
TEST(HandWorked, a_power_of_two_is_scaled_under_a_predicate) {
  EXPECT_EQ(guard("exp2_approx", "f32"), 0U);
  EXPECT_EQ(guard("exp_approx", "f32"), 1U);
  EXPECT_FALSE(guard("exp2_approx", "f32z") || guard("sin_approx", "f32"));
  const auto program = lower_text("ptr addrspace(1) %o, ptr addrspace(1) %i", R"(
  %a = load float, ptr addrspace(1) %i, align 4
  %p = call float @llvm.nvvm.ex2.approx.f(float %a)
  %c = fcmp ogt float %p, 2.0
  %q = select i1 %c, float %p, float %a
  store float %q, ptr addrspace(1) %o, align 4
  ret void)",
                                  "declare float @llvm.nvvm.ex2.approx.f(float)\n");
  const facts::MachineOp *guard_op = nullptr, *comparison = nullptr, *special = nullptr;
  std::vector<const facts::MachineOp*> products;
  for (const facts::MachineOp& op : program.blocks[0].ops) {
    if (op.op == facts::OpClass::fp32_mul)
      products.push_back(&op);
    if (op.op == facts::OpClass::sfu)
      special = &op;
    if (op.op == facts::OpClass::fp32_minmax_cmp && op.to_predicate)
      guard_op = &op;
    else if (op.op == facts::OpClass::fp32_minmax_cmp)
      comparison = comparison ? comparison : &op;
  }
  ASSERT_TRUE(guard_op && comparison && special && products.size() == 2);
  EXPECT_EQ(products[0]->sources[1], guard_op->destination);
  EXPECT_EQ(special->source_count, 1);
  EXPECT_EQ(products[1]->sources[0], special->destination);
  EXPECT_EQ(products[1]->sources[1], guard_op->destination);
  EXPECT_EQ(comparison->sources[0], products[1]->destination);
}

TEST(MathTable, every_row_parses_and_opencl_and_cuda_names_meet) {
  for (const Expansion& row : expansion_table())
    EXPECT_FALSE(expansion(row.function, row.type).empty()) << row.function << " " << row.type;
  EXPECT_EQ(math_function("llvm.sin.f32"), "sin");
  EXPECT_EQ(math_function("forewarp.math.erf.f32"), "erf");
  EXPECT_EQ(math_function("llvm.nvvm.ex2.approx.ftz.f"), "exp2_approx");
  EXPECT_EQ(math_function("llvm.nvvm.barrier0"), "");
}

} // namespace
} // namespace forewarp::codegen::testing
