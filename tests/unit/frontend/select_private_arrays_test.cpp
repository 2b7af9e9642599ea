// Which private arrays with a variable index NVIDIA's assembler keeps in registers: ptxas 13.0, sm_75.
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace forewarp::frontend {
namespace {

/// Whether an array of `elements` sums that `copies` statements of a loop add to stays in memory.
bool in_memory(int elements, int copies, const std::string& statement) {
  const std::string n = std::to_string(elements), step = std::to_string(copies);
  const std::string text = "kernel void k(global float* a, global const float* b, int m) {\n"
                           "  int i = get_global_id(0); float s[" +
                           n + "], y = 0;\n  for (int e = 0; e < " + n +
                           "; e++) s[e] = b[e];\n  for (int j = 0; j < m; j++) {\n    float x = b[j];\n"
                           "    _Pragma(\"unroll 1\") for (int k = 0; k < " +
                           n + "; k += " + step + ")\n      _Pragma(\"unroll\") for (int c = 0; c < " + step +
                           "; c++) { " + statement + " x += 2; }\n  }\n  for (int e = 0; e < " + n +
                           "; e++) y += s[e] * b[e + i];\n  a[i] = y;\n}\n";
  const auto module = test::compile_text(text);
  EXPECT_TRUE(module) << to_string(module.error());
  bool found = false;
  if (module)
    for (const llvm::Instruction& instruction : llvm::instructions(*module->module().getFunction("k")))
      found = found || llvm::isa<llvm::AllocaInst>(instruction);
  return found;
}

const std::string read_and_write = "s[k + c] = s[k + c] * x + 1;";
const std::string write = "s[k + c] = x;";

// Each access costs a move for every element that it may mean and its part of their comparisons: one copy of
// 4 (4 + 4 + 4) / 2 = 6, of 8 (8 + 8 + 8) / 2 = 12; four copies share the comparisons, of 8 each (64 + 8) / 8
// = 9.
TEST(SelectPrivateArrays, AsLongAsTheMovesAreFew) {
  EXPECT_FALSE(in_memory(4, 1, read_and_write));
  EXPECT_TRUE(in_memory(8, 1, read_and_write));
  EXPECT_FALSE(in_memory(16, 4, read_and_write));
  EXPECT_FALSE(in_memory(32, 4, read_and_write));
  EXPECT_TRUE(in_memory(64, 4, read_and_write));
  EXPECT_FALSE(
      in_memory(32, 8, read_and_write)); // every fourth element, as an index is known within 16 bytes
}

// Written only: 7 + 7 of one copy, 10 + 10 / 2 of two, 12 + 12.
TEST(SelectPrivateArrays, MoreWhereElementsAreOnlyWritten) {
  EXPECT_FALSE(in_memory(7, 1, write));
  EXPECT_FALSE(in_memory(20, 2, write));
  EXPECT_TRUE(in_memory(12, 1, write));
}

} // namespace
} // namespace forewarp::frontend
