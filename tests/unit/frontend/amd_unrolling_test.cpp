// Loops under `#pragma unroll` whose copies would be too many, for AMD's targets.
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace forewarp::frontend {
namespace {

/// Multiply-adds of a kernel with `#pragma unroll` on a loop of `trips` iterations of `steps` of them, each
/// with two loads.
unsigned copies(int trips, int steps, ir::TargetFamily family) {
  std::string text = "kernel void k(global float* restrict a, global const float* restrict b, int w) {\n"
                     "  int i = get_global_id(0); float s[2] = {0, 0};\n"
                     "  _Pragma(\"unroll\") for (int k = 0; k < " +
                     std::to_string(trips) + "; k++) {\n";
  for (int step = 0; step < steps; ++step)
    text += "    s[" + std::to_string(step % 2) + "] = fma(b[k * w + " + std::to_string(7 * step) +
            "], b[(k + " + std::to_string(step) + ") * w + i], s[" + std::to_string(step % 2) + "]);\n";
  text += "  }\n  a[i] = s[0] + s[1];\n}\n";
  const auto module = test::compile_text(text, family);
  EXPECT_TRUE(module) << to_string(module.error());
  unsigned count = 0;
  if (module)
    for (const llvm::Instruction& instruction : llvm::instructions(*module->module().getFunction("k")))
      if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
        count += call->getIntrinsicID() == llvm::Intrinsic::fma;
  return count / static_cast<unsigned>(steps);
}

TEST(AmdUnrolling, LoopsWithinTheLimitAreUnrolledInFull) {
  EXPECT_EQ(copies(15, 20, ir::TargetFamily::amd), 15u);
}

// 120 steps are some 1100 operations an iteration before the array is in registers: all 15 exceed 16384, 5 do
// not, and 5 divides 15. 13 would fit of 17, which is prime.
TEST(AmdUnrolling, LongerOnesGetTheLargestDivisorWithinTheLimit) {
  EXPECT_EQ(copies(15, 120, ir::TargetFamily::amd), 5u);
  EXPECT_EQ(copies(17, 120, ir::TargetFamily::amd), 1u);
}

// The same loop: LLVM's own limit is looked at when the array is in registers.
TEST(AmdUnrolling, OtherTargetsAreLeftAlone) {
  EXPECT_EQ(copies(15, 120, ir::TargetFamily::nvidia), 15u);
}

} // namespace
} // namespace forewarp::frontend
