// Remainders by a doubled number, as NVIDIA's compiler (cicc 13.0) makes them of the same code.
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace forewarp::frontend {
namespace {

/// Remainders in `kernel void k(global int* a, int n)` with this code.
unsigned remainders(const std::string& code, ir::TargetFamily family = ir::TargetFamily::nvidia) {
  const auto module = test::compile_text(
      "kernel void k(global int* a, int n) {\n  uint i = get_local_id(0);\n" + code + "\n}\n", family);
  EXPECT_TRUE(module) << to_string(module.error());
  unsigned count = 0;
  if (module)
    for (const llvm::Instruction& instruction : llvm::instructions(*module->module().getFunction("k")))
      count += instruction.getOpcode() == llvm::Instruction::URem ||
               instruction.getOpcode() == llvm::Instruction::SRem;
  return count;
}

const std::string doubled = "for (uint d = 1; d < get_local_size(0); d *= 2) {"
                            " if (i % (2 * d) == 0) a[i] += a[i + d]; barrier(CLK_GLOBAL_MEM_FENCE); }";

TEST(KeepRemainders, ByANumberThatALoopDoubles) {
  EXPECT_GE(remainders(doubled), 1u);
}

TEST(KeepRemainders, SignedOnesToo) {
  EXPECT_GE(remainders("int j = i; for (int d = 1; d < n; d *= 2)"
                       " { if (j % (2 * d) == 0) a[j] += a[j + d]; barrier(CLK_GLOBAL_MEM_FENCE); }"),
            1u);
}

TEST(KeepRemainders, OtherCompilersSeeThePowerOfTwo) {
  EXPECT_EQ(remainders(doubled, ir::TargetFamily::amd), 0u);
}

TEST(KeepRemainders, NotByAPowerOfTwoOnItsFace) {
  EXPECT_EQ(remainders("a[i] = i % (1u << n);"), 0u);
  EXPECT_EQ(remainders("a[i] = i % 64;"), 0u);
}

TEST(KeepRemainders, NotInALoopThatIsUnrolledInFull) {
  EXPECT_EQ(remainders("for (uint d = 1; d < 16; d *= 2) if (i % (2 * d) == 0) a[i] += a[i + d];"), 0u);
}

/// Signed halvings of a counter that starts with half of the group, as shifts that round towards zero.
unsigned arithmetic_shifts(const std::string& start, ir::TargetFamily family = ir::TargetFamily::nvidia) {
  const auto module = test::compile_text(
      "kernel void k(global int* a, int n) {\n  int t = get_local_id(0);\n  for (int i = " + start +
          "; i != 0; i /= 2) { if (t < i) a[t] += a[t + i];"
          " barrier(CLK_GLOBAL_MEM_FENCE); }\n}\n",
      family);
  EXPECT_TRUE(module) << to_string(module.error());
  unsigned count = 0;
  if (module)
    for (const llvm::Instruction& instruction : llvm::instructions(*module->module().getFunction("k")))
      count += instruction.getOpcode() == llvm::Instruction::AShr ||
               instruction.getOpcode() == llvm::Instruction::SDiv;
  return count;
}

TEST(KeepRemainders, HalvedCountersStaySigned) {
  EXPECT_GE(arithmetic_shifts("get_local_size(0) / 2"), 1U);
  EXPECT_EQ(arithmetic_shifts("get_local_size(0) / 2", ir::TargetFamily::amd), 0U);
}

TEST(KeepRemainders, OtherDivisorsAreDividedBy) {
  EXPECT_GE(remainders("for (int d = 1; d < n; d += 3) a[i + d] = i % d;"), 1u);
}

} // namespace
} // namespace forewarp::frontend
