// Copies of loop bodies, as NVIDIA's compiler (cicc 13.0) makes them of the same loops.
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace forewarp::frontend {
namespace {

/// Loads from `b` in the kernel `void k(global float* a, global const float* b, int n, int w)` with this
/// loop.
unsigned loads(const std::string& loop, ir::TargetFamily family = ir::TargetFamily::nvidia) {
  const std::string text =
      "kernel void k(global float* restrict a, global const float* restrict b, int n, int w) {\n"
      "  int i = get_global_id(0); float s = 0;\n" +
      loop + "\n  a[i] = s;\n}\n";
  const auto module = test::compile_text(text, family);
  EXPECT_TRUE(module) << to_string(module.error());
  unsigned count = 0;
  if (module)
    for (const llvm::Instruction& instruction : llvm::instructions(*module->module().getFunction("k")))
      count += llvm::isa<llvm::LoadInst>(instruction);
  return count;
}

TEST(UnrollLoops, FourCopiesAndALoopForTheRest) {
  EXPECT_EQ(loads("for (int k = 0; k < n; k++) s += b[k * w + i];"), 4u + 1);
  EXPECT_EQ(loads("for (int k = i; k < n; k++) s += b[k * w];"), 4u + 1);
  EXPECT_EQ(loads("for (int k = 0; k < n; k++) if (b[k] > s) s += b[k + w];"), 2u * (4 + 1));
}

TEST(UnrollLoops, TheRestOfAnInnerLoopIsUnrolledToo) {
  EXPECT_EQ(loads("for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) s += b[(k + j) * w + i];"),
            4u + 3);
}

TEST(UnrollLoops, LargestPowerOfTwoThatDividesAConstantCount) {
  const auto constant = [](const std::string& trips) {
    return loads("for (int k = 0; k < " + trips + "; k++) s += b[k * w + i];");
  };
  EXPECT_EQ(constant("16"), 16u); // in full
  EXPECT_EQ(constant("602"), 2u);
  EXPECT_EQ(constant("604"), 4u);
  EXPECT_EQ(constant("600"), 8u);
  EXPECT_EQ(constant("1024"), 16u);
}

TEST(UnrollLoops, LongBodiesFewerTimes) {
  const auto body = [](int steps) {
    std::string text = "for (int k = 0; k < n; k++) { s += b[k];";
    for (int step = 0; step < steps; ++step)
      text += " s *= s; s -= 3;";
    return loads(text + " }");
  };
  EXPECT_EQ(body(20), 4u + 1);
  EXPECT_EQ(body(24), 2u + 1);
  EXPECT_EQ(body(32), 2u + 1);
  EXPECT_EQ(body(48), 1u);
}

TEST(UnrollLoops, LeftAlone) {
  EXPECT_EQ(loads("for (int k = i; k < n; k += get_global_size(0)) s += b[k];"), 1u);
  EXPECT_EQ(loads("for (int k = n; k > 1; k /= 3) s += b[k];"), 1u);
  EXPECT_EQ(loads("#pragma unroll 1\nfor (int k = 0; k < n; k++) s += b[k * w + i];"), 1u);
  EXPECT_EQ(loads("#pragma unroll 2\nfor (int k = 0; k < n; k++) s += b[k * w + i];"), 2u + 1);
}

TEST(UnrollLoops, BarriersDoNotHinder) {
  EXPECT_EQ(
      loads("local float t[256]; int l = get_local_id(0);\n"
            "for (int k = 0; k < n; k++) { t[l] = b[k * w + i]; barrier(1); s += t[l ^ 1]; barrier(1); }"),
      2u * (4 + 1));
}

} // namespace
} // namespace forewarp::frontend
