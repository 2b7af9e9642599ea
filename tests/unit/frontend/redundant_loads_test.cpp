// Loads of what was loaded before, in kernels that are unrolled whole: NVIDIA's compiler keeps the value,
// however far away (nvcc 13.0, sm_86: 17 loads of weights in a separable convolution of eight outputs a
// thread).
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace forewarp::frontend {
namespace {

/// Loads by argument number of `void k(a, b, c)`: float pointers, the first of them written, all `restrict`.
std::vector<unsigned> loads_by_argument(const std::string& body) {
  const auto module =
      test::compile_text("kernel void k(global float* restrict a, global const float* restrict b,\n"
                         "              global const float* restrict c) {\n"
                         "  int i = get_global_id(0);\n" +
                             body + "\n}\n",
                         ir::TargetFamily::nvidia);
  EXPECT_TRUE(module) << to_string(module.error());
  std::vector<unsigned> counts(3);
  if (module)
    for (const llvm::Instruction& instruction : llvm::instructions(*module->module().getFunction("k")))
      if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
        if (const auto* argument =
                llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(load->getPointerOperand())))
          ++counts[argument->getArgNo()];
  return counts;
}

TEST(RedundantLoads, WeightsOfManyOutputsAreLoadedOnce) {
  const auto loads =
      loads_by_argument("  __attribute__((opencl_unroll_hint)) for (int o = 0; o < 8; o++) {\n"
                        "    float s = 0;\n"
                        "    __attribute__((opencl_unroll_hint)) for (int k = 0; k < 17; k++)\n"
                        "      s += c[k] * b[(o * 40 + k) * 64 + i];\n"
                        "    a[o * 512 + i] = s; }");
  EXPECT_EQ(loads[1], 8u * 17);
  EXPECT_EQ(loads[2], 17u);
}

TEST(RedundantLoads, WhatMayHaveChangedIsLoadedAgain) {
  const auto loads = loads_by_argument("  float s = a[i]; a[2 * i] = s + 1; a[3 * i + 1] = a[i] + b[i];");
  EXPECT_EQ(loads[0], 2u);
}

} // namespace
} // namespace forewarp::frontend
