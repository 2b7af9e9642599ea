// Loops unrolled whole: straight lines of hundreds of loads, which are compiled by cheaper passes.
#include "frontend/passes/long_lines.h"
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/SourceMgr.h>

namespace forewarp::frontend {
namespace {

std::size_t longest_line(const std::string& body) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  const auto module =
      llvm::parseAssemblyString("define void @k(ptr %p, i1 %c) {\n" + body + "}\n", diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str();
  return module ? loads_of_longest_line(*module->getFunction("k")) : 0;
}

TEST(LongLines, BlocksThatOnlyFollowEachOtherAreOneLine) {
  EXPECT_EQ(longest_line("  %a = load float, ptr %p\n  br label %next\n"
                         "next:\n  %b = load float, ptr %p\n  %d = load float, ptr %p\n  br label %last\n"
                         "last:\n  ret void\n"),
            3u);
}

TEST(LongLines, ABranchEndsALine) {
  EXPECT_EQ(longest_line("  %a = load float, ptr %p\n  %e = load float, ptr %p\n"
                         "  br i1 %c, label %then, label %last\n"
                         "then:\n  %b = load float, ptr %p\n  br label %last\n"
                         "last:\n  %d = load float, ptr %p\n  ret void\n"),
            2u);
}

TEST(LongLines, ALoopEndsALine) {
  EXPECT_EQ(longest_line("  br label %loop\n"
                         "loop:\n  %a = load float, ptr %p\n  br i1 %c, label %more, label %last\n"
                         "more:\n  %b = load float, ptr %p\n  br label %loop\n"
                         "last:\n  ret void\n"),
            1u);
}

/// Sums of `taps` products for two outputs of a thread, unrolled whole; the second loads the first's values.
std::string twice_the_same(int taps) {
  return "kernel void k(global float* restrict a, global const float* restrict b, int pitch) {\n"
         "  int i = get_global_id(0); float s[2] = {0, 0};\n"
         "  __attribute__((opencl_unroll_hint)) for (int k = 0; k < " +
         std::to_string(taps) +
         "; k++)\n"
         "    __attribute__((opencl_unroll_hint)) for (int o = 0; o < 2; o++)\n"
         "      s[o] += b[(i ^ k) * pitch + k] * (o + 2);\n"
         "  a[i] = s[0] + s[1]; }";
}

std::size_t operations(const ir::KernelModule& module, unsigned opcode) {
  std::size_t found = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(*module.module().getFunction("k")))
    found += instruction.getOpcode() == opcode;
  return found;
}

TEST(LongLines, WhatIsTheSameIsStillMadeOnce) {
  for (const int taps : {60, 400}) { // 120 and 800 loads before equal ones are joined
    const auto module = test::compile_text(twice_the_same(taps));
    ASSERT_TRUE(module) << to_string(module.error());
    EXPECT_EQ(operations(*module, llvm::Instruction::Load), static_cast<std::size_t>(taps));
    EXPECT_LE(operations(*module, llvm::Instruction::Xor), static_cast<std::size_t>(taps));
  }
}

std::size_t vector_loads(const std::string& alignment) {
  const auto module =
      test::compile_text("typedef struct { float x, y; } __attribute__((aligned(" + alignment +
                         "))) Pair;\n"
                         "kernel void k(global float* restrict a, global const Pair* restrict b) {\n"
                         "  int i = get_global_id(0); a[i] = b[i].x * b[i].y; }");
  EXPECT_TRUE(module) << to_string(module.error());
  std::size_t found = 0;
  if (module)
    for (const llvm::Instruction& instruction : llvm::instructions(*module->module().getFunction("k")))
      found += llvm::isa<llvm::LoadInst>(instruction) && instruction.getType()->isVectorTy();
  return found;
}

TEST(LongLines, AlignedNeighboursAreOneLoad) {
  EXPECT_EQ(vector_loads("8"), 1u);
  EXPECT_EQ(vector_loads("4"), 0u);
}

} // namespace
} // namespace forewarp::frontend
