// Float constants that appear when a loop is unrolled, as NVIDIA's compiler (cicc 13.0) makes them of the
// same code: `t % (int)exp2f(i)` of a loop of four is four remainders by converted constants, no call of
// exp2.
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace forewarp::frontend {
namespace {

struct Counts {
  unsigned remainders = 0, conversions_of_constants = 0, calls = 0;
};

Counts count(const std::string& code, ir::TargetFamily family = ir::TargetFamily::nvidia) {
  const auto module = test::compile_text(
      "kernel void k(global int* a) {\n  int t = get_local_id(0);\n" + code + "\n}\n", family);
  EXPECT_TRUE(module) << to_string(module.error());
  Counts counts;
  if (module)
    for (const llvm::Instruction& instruction : llvm::instructions(*module->module().getFunction("k"))) {
      counts.remainders += instruction.getOpcode() == llvm::Instruction::SRem;
      counts.conversions_of_constants += instruction.getOpcode() == llvm::Instruction::FPToSI &&
                                         llvm::isa<llvm::Constant>(instruction.getOperand(0));
      const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      counts.calls += call && call->getCalledFunction()->getName().contains("approx");
    }
  return counts;
}

const std::string powers_source =
    "for (int i = 1; i <= native_log2(16.0f); ++i) a[t + 64 * i] = t % (int)native_exp2((float)i);";

TEST(FloatConstants, ApproximationsBecomeConstantsAndConversionsStay) {
  const Counts counts = count(powers_source);
  EXPECT_EQ(counts.calls, 0u);
  EXPECT_EQ(counts.conversions_of_constants, 4u);
  EXPECT_EQ(counts.remainders, 4u);
}

TEST(FloatConstants, OtherCompilersComputeTheConversions) {
  EXPECT_EQ(count(powers_source, ir::TargetFamily::amd).conversions_of_constants, 0u);
}

TEST(FloatConstants, ConversionsOfVariablesAreAsWritten) {
  const Counts counts = count("a[t] = t % (int)native_exp2((float)a[t]);");
  EXPECT_EQ(counts.calls, 1u);
  EXPECT_EQ(counts.conversions_of_constants, 0u);
}

unsigned calls_of_functions(const std::string& code) {
  const auto module = test::compile_text(
      "kernel void k(global float* f, global double* d, float x) { int t = get_local_id(0); " + code +
      " }\n");
  EXPECT_TRUE(module) << to_string(module.error());
  unsigned calls = 0;
  if (module)
    for (const llvm::Instruction& instruction : llvm::instructions(*module->module().getFunction("k")))
      if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        calls += call->getType()->isFloatingPointTy();
  return calls;
}

TEST(FloatConstants, FunctionsOfConstantsAreConstants) {
  EXPECT_EQ(
      calls_of_functions(
          "d[t] = acos(-1.0); d[t + 64] = 4 * atan(1.0); f[t] = atan2(1.0f, 2.0f) + erf(0.5f) * tanh(0.5f);"),
      0u);
  EXPECT_EQ(calls_of_functions("f[t] = acos(x); f[t + 64] = atan2(1.0f, x);"), 2u);
  EXPECT_EQ(calls_of_functions("f[t] = atanh(1.0f);"), 1u); // no finite number: as written
}

} // namespace
} // namespace forewarp::frontend
