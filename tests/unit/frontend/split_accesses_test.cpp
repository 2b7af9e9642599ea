// Vectors that the machine cannot load or store at once.
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <vector>

namespace forewarp::frontend {
namespace {

struct Accesses {
  std::vector<std::uint64_t> loads, stores; ///< bytes of each, in the program's order
};

Accesses accesses(const std::string& body, ir::TargetFamily family = ir::TargetFamily::nvidia) {
  const auto module =
      test::compile_text("kernel void k(global float* restrict a, global const float* restrict b) {\n"
                         "  int i = get_global_id(0);\n" +
                             body + "\n}\n",
                         family);
  EXPECT_TRUE(module) << to_string(module.error());
  Accesses found;
  if (!module)
    return found;
  const llvm::DataLayout& layout = module->module().getDataLayout();
  for (const llvm::Instruction& instruction : llvm::instructions(*module->module().getFunction("k")))
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      found.loads.push_back(layout.getTypeStoreSize(load->getType()));
    else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      found.stores.push_back(layout.getTypeStoreSize(store->getValueOperand()->getType()));
  return found;
}

using Bytes = std::vector<std::uint64_t>;

TEST(SplitAccesses, SixteenBytesAreOne) {
  const Accesses four = accesses("((global float4*)a)[i] = 2 * ((global const float4*)b)[i];");
  EXPECT_EQ(four.loads, Bytes{16});
  EXPECT_EQ(four.stores, Bytes{16});
}

TEST(SplitAccesses, ThirtyTwoAreTwo) {
  const Accesses eight = accesses("((global float8*)a)[i] = 2 * ((global const float8*)b)[i];");
  EXPECT_EQ(eight.loads, (Bytes{16, 16}));
  EXPECT_EQ(eight.stores, (Bytes{16, 16}));
}

// vload4 and vstore4 ask for no more than the element's alignment.
TEST(SplitAccesses, UnalignedOnesGoByElements) {
  const Accesses four = accesses("vstore4(2 * vload4(i, b), i, a);");
  EXPECT_EQ(four.loads, (Bytes{4, 4, 4, 4}));
  EXPECT_EQ(four.stores, (Bytes{4, 4, 4, 4}));
}

TEST(SplitAccesses, AmdsBackEndSplitsItself) {
  const Accesses eight =
      accesses("((global float8*)a)[i] = 2 * ((global const float8*)b)[i];", ir::TargetFamily::amd);
  EXPECT_EQ(eight.loads, Bytes{32});
  EXPECT_EQ(eight.stores, Bytes{32});
}

} // namespace
} // namespace forewarp::frontend
