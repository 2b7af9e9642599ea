// Instruction sets before Volta, and functions without denormals: counts worked by hand. No assembler here
// makes code before sm_75: those sequences are recalled from listings; the registers are recorded.
#include "unit/codegen/ir_fixture.h"

namespace forewarp::codegen::testing {
namespace {

using Mix = std::map<std::string, int>;

gpu::Machine with_instructions(std::initializer_list<std::pair<facts::OpClass, unsigned>> counts,
                               unsigned beside_values) {
  gpu::Machine machine = volta_like();
  machine.limits.max_threads_per_sm = 2048;
  machine.limits.registers_beside_values = beside_values;
  for (const auto& [op, count] : counts)
    machine.ops[static_cast<std::size_t>(op)].instructions = count;
  return machine;
}

facts::MachineProgram vector_add(const gpu::Machine& machine) {
  return lower_text("ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i32 %n", R"(
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
                    "declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n",
                    machine);
}

Mix all_of(const facts::MachineProgram& program) {
  Mix all;
  for (const auto& block : program.blocks)
    for (const auto& [name, count] : mix(block))
      all[name] += count;
  return all;
}

// 100 values are read, their sum is made, and each is scaled by it: 100 are alive where 1024 threads leave 64
// registers. The assembler's frame, where it is known, bounds what is spilled.
TEST(HandWorked, frame_that_the_assembler_laid_out) {
  std::string body = "entry:\n  %s0 = fadd float 0.0, 0.0\n", stores;
  for (int i = 0; i < 100; ++i) {
    const std::string n = std::to_string(i), next = std::to_string(i + 1);
    body += "  %p" + n + " = getelementptr float, ptr addrspace(1) %a, i64 " + n + "\n  %v" + n +
            " = load volatile float, ptr addrspace(1) %p" + n + ", align 4\n  %s" + next +
            " = fadd float %s" + n + ", %v" + n + "\n";
    stores += "  %m" + n + " = fmul float %v" + n + ", %s100\n  store volatile float %m" + n +
              ", ptr addrspace(1) %p" + n + ", align 4\n";
  }
  const ir::KernelModule module = module_of("ptr addrspace(1) %a", body + stores + "  ret void");
  gpu::Machine machine = volta_like();
  machine.limits.registers_per_sm = 65536;
  const auto spilled = [&](double frame) {
    MachineStepOptions options;
    options.group_threads = 1024;
    options.registers_given = 64;
    options.frame_bytes_given = frame;
    return lower(module, module.kernels.front(), machine, options).value().resources.spill_bytes_per_thread;
  };
  EXPECT_GT(spilled(-1), 100);
  EXPECT_GT(spilled(40), 0);
  EXPECT_LE(spilled(40), 40);
  EXPECT_EQ(spilled(0), 0);
}

// Maxwell: MOV R1; S2R x2; XMAD x3; ISETP; @P EXIT; SHL, SHR (the halves of the offset, once);
// IADD, IADD.X for each of three arrays; LDG x2; FADD; STG; EXIT: 21. nvprof records 8 registers
// (gpuperfpredict, GTX 750 and GTX 980).
TEST(HandWorked, vector_add_with_short_multipliers) {
  const auto program = vector_add(with_instructions(
      {{facts::OpClass::int_mul, 3}, {facts::OpClass::int_mul_wide, 5}, {facts::OpClass::int_mul_hi, 5}}, 2));
  EXPECT_EQ(all_of(program), (Mix{{"move", 3},
                                  {"int_mul", 3},
                                  {"int_minmax_cmp", 1},
                                  {"branch", 2},
                                  {"int_shift", 2},
                                  {"int_add", 6},
                                  {"load_global", 2},
                                  {"fp32_add", 1},
                                  {"store_global", 1}}));
  EXPECT_EQ(program.resources.registers_per_thread, 8U);
}

// x * 1000 (below 2^16) has no upper half of the second factor: XMAD and XMAD.PSL. x * 100000 is three.
TEST(HandWorked, a_short_constant_saves_a_piece_of_the_product) {
  const auto machine = with_instructions({{facts::OpClass::int_mul, 3}}, 2);
  const auto times = [&](const std::string& factor) {
    return all_of(lower_text("ptr addrspace(1) %o",
                             "%v = load i32, ptr addrspace(1) %o, align 4\n"
                             "%p = mul i32 %v, " +
                                 factor +
                                 "\n"
                                 "store i32 %p, ptr addrspace(1) %o, align 4\nret void",
                             "", machine))
        .at("int_mul");
  };
  EXPECT_EQ(times("1000"), 2);
  EXPECT_EQ(times("100000"), 3);
}

// Kepler: each address is IMAD and IMAD.HI with the element size in a register: 18. nvprof records 10
// registers (GTX 680, GTX Titan, Tesla K40).
TEST(HandWorked, vector_add_without_wide_products) {
  const auto program = vector_add(with_instructions({{facts::OpClass::int_mul_wide, 2}}, 4));
  EXPECT_EQ(all_of(program), (Mix{{"move", 4},
                                  {"int_mul", 1},
                                  {"int_minmax_cmp", 1},
                                  {"branch", 2},
                                  {"int_mul_wide", 6},
                                  {"load_global", 2},
                                  {"fp32_add", 1},
                                  {"store_global", 1}}));
  EXPECT_NEAR(program.resources.registers_per_thread, 10, 1); // 10 from the CUDA source
}

// Assembler 13.0, sm_75: rsqrt.approx.f32 is FSETP, FMUL, MUFU.RSQ, FMUL; rsqrt.approx.ftz.f32 MUFU.RSQ
// alone.
TEST(HandWorked, functions_without_denormals_are_not_scaled) {
  const std::string body = R"(
  %v = load float, ptr addrspace(1) %o, align 4
  %r = call float @llvm.nvvm.rsqrt.approx.f(float %v)
  store float %r, ptr addrspace(1) %o, align 4
  ret void)";
  const std::string declaration = "declare float @llvm.nvvm.rsqrt.approx.f(float)\n";
  const auto with = all_of(lower_text("ptr addrspace(1) %o", body, declaration));
  EXPECT_EQ(with.at("sfu"), 1);
  EXPECT_EQ(with.at("fp32_mul"), 2);
  const ir::KernelModule module = module_of("ptr addrspace(1) %o", body, declaration);
  module.module().getFunction("k")->addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
  const auto program = lower(module, module.kernels.front(), volta_like());
  ASSERT_TRUE(program);
  const Mix without = all_of(*program);
  EXPECT_EQ(without.at("sfu"), 1);
  EXPECT_EQ(without.count("fp32_mul"), 0U);
  EXPECT_EQ(without.count("fp32_minmax_cmp"), 0U);
}

// ptxas 13.0 for sm_75, a table in constant memory: LDC c[3][R + offset], the byte offset in one 32-bit
// operation; nothing of 64 bits.
TEST(HandWorked, an_index_into_a_constant_bank_is_32_bits_wide) {
  const auto program = lower_text("ptr addrspace(1) %out, i32 %i", R"(
  %w = zext i32 %i to i64
  %p = getelementptr [256 x i32], ptr addrspace(4) @table, i64 0, i64 %w
  %v = load i32, ptr addrspace(4) %p, align 4
  store i32 %v, ptr addrspace(1) %out, align 4
  ret void)",
                                  "@table = addrspace(4) constant [256 x i32] zeroinitializer\n");
  const Mix all = all_of(program);
  EXPECT_EQ(all.at("load_constant"), 1);
  EXPECT_EQ(all.count("int_mul_wide"), 0U);
  EXPECT_EQ(all.at("int_add"), 1);
}

} // namespace
} // namespace forewarp::codegen::testing
