// Which compare-and-swaps are loops that other warps hold up.
#include "codegen/sites.h"
#include "ir_fixture.h"

#include <fmt/format.h>

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

/// Whether a warp's lanes go to memory as one, of this atomic on a pointer of the warp or of each lane.
bool is_joined(ir::TargetFamily family, const std::string& operation, const std::string& type,
               const std::string& pointer, int space = 1) {
  ir::KernelModule module = testing::module_of(
      fmt::format("ptr addrspace({}) %p, {} %v", space, type),
      fmt::format("%lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                  "%own = getelementptr {1}, ptr addrspace({3}) %p, i32 %lane\n"
                  "%old = atomicrmw {0} ptr addrspace({3}) {2}, {1} %v monotonic\n  ret void",
                  operation, type, pointer, space));
  module.family = family;
  return memory_sites(module, *module.module().getFunction("k")).at(0).one_per_warp;
}

// NVIDIA: read off assembled kernels; AMD: read off llc 19's code for gfx700 to gfx1100 (sites.cpp).
TEST(Sites, LanesOnOneAddressAreJoinedByTheVendorsRule) {
  const auto nvidia = [](auto... what) { return is_joined(ir::TargetFamily::nvidia, what...); };
  const auto amd = [](auto... what) { return is_joined(ir::TargetFamily::amd, what...); };
  EXPECT_TRUE(nvidia("add", "i32", "%p"));
  EXPECT_FALSE(nvidia("add", "i64", "%p"));
  EXPECT_FALSE(nvidia("fadd", "float", "%p"));
  for (const char* type : {"i32", "i64"})
    for (const char* operation : {"add", "sub", "and", "or", "xor", "max", "min", "umax", "umin"}) {
      EXPECT_TRUE(amd(operation, type, "%p")) << operation << type;
      EXPECT_FALSE(amd(operation, type, "%own")) << operation << type;
    }
  for (const char* type : {"float", "double"})
    for (const char* operation : {"fadd", "fsub", "fmax", "fmin"})
      EXPECT_TRUE(amd(operation, type, "%p", 3)) << operation << type;
  EXPECT_FALSE(amd("xchg", "i32", "%p"));
  EXPECT_FALSE(amd("uinc_wrap", "i32", "%p"));
  EXPECT_FALSE(amd("nand", "i32", "%p"));
  EXPECT_FALSE(amd("add", "i16", "%p"));
  EXPECT_FALSE(amd("add", "i32", "%p", 0)); // not known to be global memory or LDS
}

// ptxas for sm_80 to sm_120: ATOMS.POPC.INC for these alone.
TEST(Sites, AtomicsThatAddOneAndGiveNothingBackCount) {
  const auto counts = [](const std::string& operation, const std::string& after = "") {
    const ir::KernelModule module =
        testing::module_of("ptr addrspace(3) %p, i32 %v, ptr addrspace(1) %out",
                           "%old = atomicrmw " + operation + " monotonic\n" + after + "ret void");
    return memory_sites(module, *module.module().getFunction("k")).at(0).counts;
  };
  EXPECT_TRUE(counts("add ptr addrspace(3) %p, i32 1"));
  EXPECT_TRUE(counts("uinc_wrap ptr addrspace(3) %p, i32 -1"));
  EXPECT_FALSE(counts("add ptr addrspace(3) %p, i32 1", "store i32 %old, ptr addrspace(1) %out\n"));
  EXPECT_FALSE(counts("add ptr addrspace(3) %p, i32 3"));
  EXPECT_FALSE(counts("add ptr addrspace(3) %p, i32 %v"));
  EXPECT_FALSE(counts("add ptr addrspace(3) %p, i64 1"));
}

} // namespace
} // namespace forewarp::codegen
