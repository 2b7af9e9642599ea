// Predicated bodies one after the other: one straight line.
#include "ir_fixture.h"

namespace forewarp::codegen::testing {
namespace {

/// Two bodies, each `sum += p[t + k] * x`: blocks 0 (head), 1 (body), 2 (join and head), 3 (body), 4 (join).
facts::MachineProgram two_bodies(const std::string& between = "") {
  return lower_text("ptr addrspace(1) %p, i32 %n, float %x", R"(
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sext i32 %t to i64
  %q = getelementptr float, ptr addrspace(1) %p, i64 %i
  %first = icmp slt i32 %t, %n
  br i1 %first, label %one, label %middle
one:
  %a = load float, ptr addrspace(1) %q, align 4
  %m = fmul contract float %a, %x
  %s = fadd contract float %m, 1.0
  br label %middle
middle:
  %sum = phi float [ %s, %one ], [ 1.0, %0 ]
  %u = add i32 %t, 5
  %second = icmp slt i32 %u, %n
)" + between + R"(
  br i1 %second, label %two, label %end
two:
  %r = getelementptr float, ptr addrspace(1) %q, i64 8
  %b = load float, ptr addrspace(1) %r, align 4
  %k = fmul contract float %b, %x
  %l = fadd contract float %k, %sum
  br label %end
end:
  %all = phi float [ %l, %two ], [ %sum, %middle ]
  store float %all, ptr addrspace(1) %p, align 4
  ret void)",
                    "declare void @llvm.nvvm.barrier0()");
}

bool reads(const facts::MachineOp& op, std::uint32_t value) {
  return std::find(op.sources.begin(), op.sources.begin() + op.source_count, value) !=
         op.sources.begin() + op.source_count;
}

TEST(PredicatedRegions, predicates_come_first_and_what_uses_the_loads_last) {
  const auto program = two_bodies();
  EXPECT_EQ(mix(program.blocks[0])["int_minmax_cmp"], 2);
  for (const std::size_t body : {1, 3}) {
    EXPECT_EQ(mix(program.blocks[body])["load_global"], 1);
    EXPECT_EQ(mix(program.blocks[body])["fp32_fma"], 0);
  }
  EXPECT_EQ(mix(program.blocks[2])["int_minmax_cmp"], 0);
  EXPECT_EQ(mix(program.blocks[4])["fp32_fma"], 2);
}

// The sum is one register: the second multiply-add waits for the first, the store for the second.
TEST(PredicatedRegions, a_value_that_bodies_change_is_one_register) {
  const auto program = two_bodies();
  EXPECT_TRUE(program.blocks[2].phis.empty());
  EXPECT_TRUE(program.blocks[4].phis.empty());
  std::vector<facts::MachineOp> sums;
  for (const facts::MachineOp& op : program.blocks[4].ops) {
    if (op.op == facts::OpClass::fp32_fma)
      sums.push_back(op);
    if (op.op == facts::OpClass::store_global) {
      EXPECT_TRUE(!sums.empty() && reads(op, sums.back().destination));
    }
  }
  ASSERT_EQ(sums.size(), 2u);
  EXPECT_TRUE(reads(sums[1], sums[0].destination));
}

// What a warp issues without effect where it goes past a body is what is left there.
TEST(PredicatedRegions, passed_operations_are_those_left_in_the_bodies) {
  const auto program = two_bodies();
  ASSERT_EQ(program.blocks[4].passed.size(), 1u);
  EXPECT_EQ(program.blocks[4].passed[0].operations, program.blocks[3].ops.size());
  EXPECT_EQ(program.blocks[2].passed[0].operations, program.blocks[1].ops.size());
}

TEST(PredicatedRegions, a_barrier_between_bodies_keeps_them_apart) {
  const auto program = two_bodies("  call void @llvm.nvvm.barrier0()\n");
  EXPECT_EQ(mix(program.blocks[1])["fp32_fma"], 1);
  EXPECT_EQ(mix(program.blocks[3])["fp32_fma"], 1);
}

/// Two bodies that load from global memory and store to `store_space`.
facts::MachineProgram two_copies(const std::string& store_space) {
  return lower_text("ptr addrspace(1) %p, ptr addrspace(" + store_space + ") %to, i32 %n", R"(
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sext i32 %t to i64
  %q = getelementptr float, ptr addrspace(1) %p, i64 %i
  %d = getelementptr float, ptr addrspace()" + store_space + R"() %to, i64 %i
  %first = icmp slt i32 %t, %n
  br i1 %first, label %one, label %middle
one:
  %a = load float, ptr addrspace(1) %q, align 4
  store float %a, ptr addrspace()" + store_space + R"() %d, align 4
  br label %middle
middle:
  %u = add i32 %t, 5
  %second = icmp slt i32 %u, %n
  br i1 %second, label %two, label %end
two:
  %r = getelementptr float, ptr addrspace(1) %q, i64 8
  %b = load float, ptr addrspace(1) %r, align 4
  %e = getelementptr float, ptr addrspace()" + store_space + R"() %d, i64 8
  store float %b, ptr addrspace()" + store_space + R"() %e, align 4
  br label %end
end:
  store float 1.0, ptr addrspace(1) %p, align 4
  ret void)");
}

std::uint32_t loaded_in(const facts::MachineBlock& block) {
  for (const facts::MachineOp& op : block.ops)
    if (op.op == facts::OpClass::load_global)
      return op.destination;
  return facts::no_value;
}

const facts::MachineOp& last_of(const facts::MachineBlock& block) {
  return block.ops.back();
}

// `if (a) s[i] = p[i]; if (b) s[j] = p[j]` by ptxas 13.0: both loads, then both stores.
TEST(PredicatedRegions, stores_to_shared_memory_follow_the_loads_of_later_bodies) {
  const auto program = two_copies("3");
  const std::uint32_t first = loaded_in(program.blocks[1]);
  EXPECT_FALSE(reads(last_of(program.blocks[1]), first));
  EXPECT_TRUE(reads(last_of(program.blocks[3]), first));
  EXPECT_TRUE(reads(last_of(program.blocks[3]), loaded_in(program.blocks[3])));
}

// What the first body stores the second may load.
TEST(PredicatedRegions, stores_stay_before_loads_of_the_same_memory) {
  const auto program = two_copies("1");
  EXPECT_TRUE(reads(last_of(program.blocks[1]), loaded_in(program.blocks[1])));
}

} // namespace
} // namespace forewarp::codegen::testing
