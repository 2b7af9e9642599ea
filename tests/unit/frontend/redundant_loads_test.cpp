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

/// Loads of an int that a loop of float stores passes.
unsigned loads_beside_stores(ir::TargetFamily family, const std::string& integers) {
  const test::TemporaryFile file("extern \"C\" __global__ void k(float* a, " + integers +
                                     " p, int n) {\n"
                                     "#pragma unroll 1\n"
                                     "  for (int i = 0; i < 3; i++) a[i * n] = p[0] + p[1];\n}\n",
                                 ".cu");
  CompileRequest request = test::request_for(family);
  request.path = file.path();
  const auto module = compile(request);
  EXPECT_TRUE(module) << to_string(module.error());
  unsigned inside = 0; // of the loop: blocks that end in a conditional branch
  if (module)
    for (const llvm::BasicBlock& block : *module->module().getFunction("k"))
      if (block.getTerminator()->getNumSuccessors() == 2)
        for (const llvm::Instruction& instruction : block)
          inside += llvm::isa<llvm::LoadInst>(instruction);
  return inside;
}

// NVRTC 11.8 and 12.9, cicc 13.0: a float may lie where an int lay. hipcc is Clang, and goes by types.
TEST(RedundantLoads, TypesTellNothingToNvidiasCompilerOfCuda) {
  EXPECT_EQ(loads_beside_stores(ir::TargetFamily::nvidia, "const int*"), 2u);
  EXPECT_EQ(loads_beside_stores(ir::TargetFamily::nvidia, "const int* __restrict__"), 0u);
  EXPECT_EQ(loads_beside_stores(ir::TargetFamily::amd, "const int*"), 0u);
}

} // namespace
} // namespace forewarp::frontend
