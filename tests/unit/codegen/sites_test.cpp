// Which compare-and-swaps are loops that other warps hold up.
#include "codegen/sites.h"
#include "ir_fixture.h"

namespace forewarp::codegen {
namespace {

using facts::AtomicKind;

/// Of a loop that expects `expected` and is left where `done`.
AtomicKind kind(const std::string& expected, const std::string& done) {
  const ir::KernelModule module = testing::module_of(
      "ptr addrspace(1) %p, i32 %v", "entry:\n"
                                     "  %first = load i32, ptr addrspace(1) %p\n"
                                     "  br label %try\n"
                                     "try:\n"
                                     "  %seen = phi i32 [ %first, %entry ], [ %found, %try ]\n"
                                     "  %sum = add i32 %seen, %v\n"
                                     "  %pair = cmpxchg ptr addrspace(1) %p, i32 " +
                                         expected +
                                         ", i32 %sum monotonic monotonic\n"
                                         "  %found = extractvalue { i32, i1 } %pair, 0\n"
                                         "  %swapped = extractvalue { i32, i1 } %pair, 1\n"
                                         "  %same = icmp eq i32 %seen, %found\n"
                                         "  %good = icmp sle i32 %found, %v\n"
                                         "  %either = or i1 %same, %good\n"
                                         "  br i1 " +
                                         done +
                                         ", label %end, label %try\n"
                                         "end:\n  ret void");
  const facts::AtomicKinds kinds = atomic_kinds(module, module.kernels.front());
  return kinds.at(1); // behind the load
}

TEST(Sites, ASumByCompareAndSwapIsTriedUntilItSucceeds) {
  EXPECT_EQ(kind("%seen", "%swapped"), AtomicKind::compare_swap);
  EXPECT_EQ(kind("%seen", "%same"), AtomicKind::compare_swap);
}

TEST(Sites, LocksAndMinimaAreNotTriedForThatReasonAlone) {
  EXPECT_EQ(kind("0", "%swapped"), AtomicKind::integer);      // a lock
  EXPECT_EQ(kind("%seen", "%either"), AtomicKind::integer);   // a maximum: also left where the word is good
  EXPECT_EQ(kind("%first", "%swapped"), AtomicKind::integer); // never looks again
}

} // namespace
} // namespace forewarp::codegen
