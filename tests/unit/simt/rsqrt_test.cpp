// Reciprocal square roots on AMD targets: the hardware's, with denormals scaled.
#include "unit/simt/kernel_runner.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include <cmath>
#include <limits>

namespace {

using namespace forewarp;
using namespace forewarp::simt;
using namespace forewarp::simt::test;

TEST(ReciprocalRoot, OfAllSizesOnAmd) {
  const std::vector<float> in = {1,      4,      0.25f, 2e30f,
                                 1e-38f, 1e-42f, 3,     std::numeric_limits<float>::infinity()};
  const auto module = compile_cu("__global__ void k(float* x) { x[threadIdx.x] = rsqrtf(x[threadIdx.x]); }",
                                 ir::TargetFamily::amd);
  const RunResult run = must(run_whole(module, launch_of({8}, {8}, {{"x", floats(in)}})));
  const auto out = result_of<float>(run, "x");
  for (std::size_t i = 0; i < in.size(); ++i)
    EXPECT_NEAR(out[i], 1 / std::sqrt(in[i]), 1e-6 / std::sqrt(in[i])) << in[i];
  for (const llvm::Instruction& instruction :
       llvm::instructions(*module.module().getFunction(module.kernels[0].symbol)))
    EXPECT_NE(instruction.getOpcode(), llvm::Instruction::FDiv);
}

} // namespace
