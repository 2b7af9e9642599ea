// Folding rules: what an address, a multiply-add or a compare takes in costs nothing by itself.
#include "ir_fixture.h"

#include <set>

namespace forewarp::codegen::testing {
namespace {

using Mix = std::map<std::string, int>;

TEST(Folding, constant_offsets_go_into_the_memory_operation) {
  const auto program = lower_text("ptr addrspace(1) %p", R"(
  %q = getelementptr float, ptr addrspace(1) %p, i64 4
  %v = load float, ptr addrspace(1) %q, align 4
  %r = getelementptr float, ptr addrspace(1) %p, i64 5
  store float %v, ptr addrspace(1) %r, align 4
  ret void)");
  EXPECT_EQ(mix(program.blocks[0]),
            (Mix{{"move", 1}, {"load_global", 1}, {"store_global", 1}, {"branch", 1}}));
}

TEST(Folding, an_address_from_a_32_bit_index_is_one_wide_multiply_add) {
  const auto program = lower_text("ptr addrspace(1) %p", R"(
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sext i32 %t to i64
  %q = getelementptr float, ptr addrspace(1) %p, i64 %i
  store float 1.0, ptr addrspace(1) %q, align 4
  ret void)");
  EXPECT_EQ(mix(program.blocks[0]),
            (Mix{{"move", 3}, {"int_mul_wide", 1}, {"store_global", 1}, {"branch", 1}}));
}

// Addresses of 32 bits wrap as their indices do: `t + 1` and `t` are one register and an immediate.
TEST(Folding, constants_added_to_an_index_of_shared_memory_share_its_address) {
  auto ops = mix(lower_text("ptr addrspace(3) %p", R"(
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %q = getelementptr float, ptr addrspace(3) %p, i64 %i
  %v = load float, ptr addrspace(3) %q, align 4
  %u = add i32 %t, 7
  %j = zext i32 %u to i64
  %r = getelementptr float, ptr addrspace(3) %p, i64 %j
  store float %v, ptr addrspace(3) %r, align 4
  ret void)")
                     .blocks[0]);
  EXPECT_EQ(ops["int_add"], 1);
  EXPECT_EQ(ops["load_shared"], 1);
  EXPECT_EQ(ops["store_shared"], 1);
}

// Not where the sum is read by something else, and not in 64 bits.
TEST(Folding, other_sums_with_constants_are_additions) {
  const char* read_twice = R"(
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %u = add i32 %t, 7
  %j = zext i32 %u to i64
  %r = getelementptr i32, ptr addrspace(3) %p, i64 %j
  store i32 %u, ptr addrspace(3) %r, align 4
  ret void)";
  EXPECT_EQ(mix(lower_text("ptr addrspace(3) %p", read_twice).blocks[0])["int_add"], 2);
  const char* global = R"(
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %u = add i32 %t, 7
  %j = zext i32 %u to i64
  %r = getelementptr i32, ptr addrspace(1) %p, i64 %j
  store i32 0, ptr addrspace(1) %r, align 4
  ret void)";
  EXPECT_EQ(mix(lower_text("ptr addrspace(1) %p", global).blocks[0])["int_add"], 1);
}

TEST(Folding, contracted_multiply_and_add_are_one_fma_and_strict_ones_are_not) {
  const char* fused = R"(
  %m = fmul contract float %a, %b
  %s = fadd contract float %m, %c
  store float %s, ptr addrspace(1) %p, align 4
  ret void)";
  const char* strict = R"(
  %m = fmul float %a, %b
  %s = fadd float %m, %c
  store float %s, ptr addrspace(1) %p, align 4
  ret void)";
  const std::string parameters = "ptr addrspace(1) %p, float %a, float %b, float %c";
  EXPECT_EQ(mix(lower_text(parameters, fused).blocks[0])["fp32_fma"], 1);
  EXPECT_EQ(mix(lower_text(parameters, fused).blocks[0])["fp32_mul"], 0);
  EXPECT_EQ(mix(lower_text(parameters, strict).blocks[0])["fp32_fma"], 0);
  EXPECT_EQ(mix(lower_text(parameters, strict).blocks[0])["fp32_add"], 1);
}

TEST(Folding, integer_multiply_add_is_one_and_three_adds_are_two) {
  const std::string parameters = "ptr addrspace(1) %p, i32 %a, i32 %b, i32 %c, i32 %d";
  auto mad = mix(lower_text(parameters, R"(
  %m = mul i32 %a, %b
  %s = add i32 %m, %c
  store i32 %s, ptr addrspace(1) %p, align 4
  ret void)")
                     .blocks[0]);
  EXPECT_EQ(mad["int_mul"], 1);
  EXPECT_EQ(mad["int_add"], 0);
  auto sum = mix(lower_text(parameters, R"(
  %s = add i32 %a, %b
  %t = add i32 %s, %c
  %u = add i32 %t, %d
  store i32 %u, ptr addrspace(1) %p, align 4
  ret void)")
                     .blocks[0]);
  EXPECT_EQ(sum["int_add"], 2);
}

// As ptxas 13 has it for sm_75 to sm_90: IMAD.HI; IMAD.WIDE and nothing for the halves; PRMT.
TEST(Folding, halves_of_a_product_and_a_byte_with_its_sign_cost_no_shift) {
  const std::string parameters = "ptr addrspace(1) %p, i32 %a, i32 %b";
  const std::string product = R"(
  %x = zext i32 %a to i64
  %y = zext i32 %b to i64
  %m = mul i64 %x, %y
  %s = lshr i64 %m, 32
  %h = trunc i64 %s to i32)";
  auto high =
      mix(lower_text(parameters, product + "\n  store i32 %h, ptr addrspace(1) %p\n  ret void").blocks[0]);
  EXPECT_EQ(high["int_mul_hi"], 1);
  EXPECT_EQ(high["int_mul_wide"] + high["int_shift"], 0);
  auto both = mix(lower_text(parameters, product + R"(
  %l = trunc i64 %m to i32
  %r = xor i32 %h, %l
  store i32 %r, ptr addrspace(1) %p
  ret void)")
                      .blocks[0]);
  EXPECT_EQ(both["int_mul_wide"], 1);
  EXPECT_EQ(both["int_mul_hi"] + both["int_shift"], 0);
  auto byte = mix(lower_text(parameters, R"(
  %l = shl i32 %a, 24
  %r = ashr i32 %l, 24
  store i32 %r, ptr addrspace(1) %p
  ret void)")
                      .blocks[0]);
  EXPECT_EQ(byte["int_bitfield"], 1);
  EXPECT_EQ(byte["int_shift"], 0);
}

TEST(Folding, conjunction_of_compares_costs_no_logic_operation) {
  const auto program = lower_text("ptr addrspace(1) %p, i32 %a, i32 %b", R"(
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = icmp slt i32 %t, %a
  %y = icmp slt i32 %t, %b
  %z = and i1 %x, %y
  %s = select i1 %z, i32 %a, i32 %b
  store i32 %s, ptr addrspace(1) %p, align 4
  ret void)");
  EXPECT_EQ(mix(program.blocks[0])["int_minmax_cmp"], 3); // two compares, one select
  EXPECT_EQ(mix(program.blocks[0])["int_logic"], 0);
}

/// Registers that operations read and none writes (there are no phis in the kernels below).
std::set<std::uint32_t> never_written(const facts::MachineProgram& program) {
  std::set<std::uint32_t> read;
  for (const facts::MachineBlock& block : program.blocks)
    for (const facts::MachineOp& op : block.ops)
      read.insert(op.sources.begin(), op.sources.begin() + op.source_count);
  for (const facts::MachineBlock& block : program.blocks)
    for (const facts::MachineOp& op : block.ops)
      read.erase(op.destination);
  return read;
}

// 16 bytes at once and 16 bytes in two halves: whoever reads a component waits for the load that brings it.
TEST(Folding, each_component_of_a_loaded_vector_comes_from_a_load) {
  const facts::MachineProgram program = lower_text("ptr addrspace(1) %p, ptr addrspace(1) %q", R"(
  %a = load <4 x float>, ptr addrspace(1) %p, align 16
  %b = load <4 x float>, ptr addrspace(1) %q, align 8
  %s = fadd <4 x float> %a, %b
  store <4 x float> %s, ptr addrspace(1) %p, align 16
  ret void)");
  EXPECT_EQ(mix(program.blocks[0])["load_global"], 3);
  EXPECT_EQ(mix(program.blocks[0])["fp32_add"], 4);
  EXPECT_TRUE(never_written(program).empty());
}

TEST(Folding, sites_keep_the_numbering_of_the_ir) {
  const auto program = lower_text("ptr addrspace(1) %p, ptr addrspace(1) %q", R"(
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sext i32 %t to i64
  %a = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %i
  %v = load <4 x float>, ptr addrspace(1) %a, align 16
  %w = load float, ptr addrspace(1) %q, align 4
  %e = extractelement <4 x float> %v, i32 2
  %s = fadd float %e, %w
  store float %s, ptr addrspace(1) %q, align 4
  ret void)");
  ASSERT_EQ(program.sites.size(), 3U);
  EXPECT_EQ(program.sites[0].width_bytes, 16U);
  EXPECT_EQ(program.sites[0].buffer, "p");
  EXPECT_EQ(program.sites[2].kind, facts::AccessKind::store);
  std::vector<std::uint32_t> seen;
  for (const auto& op : program.blocks[0].ops)
    if (op.site != facts::no_value)
      seen.push_back(op.site);
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(seen, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(program.blocks[0].memory_sites, 3U);
}

TEST(Folding, sites_know_their_buffer_behind_loops_selections_and_split_arrays) {
  const auto program = lower_text("ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c", R"(
  %own.sroa.4 = alloca i32, align 4
  %own.sroa.8 = alloca i32, align 4
  br label %loop
loop:
  %walk = phi ptr addrspace(1) [ %p, %0 ], [ %next, %loop ]
  %v = load i32, ptr addrspace(1) %walk, align 4
  %next = getelementptr i8, ptr addrspace(1) %walk, i64 128
  %either = select i1 %c, ptr addrspace(1) %p, ptr addrspace(1) %q
  %w = load i32, ptr addrspace(1) %either, align 4
  %piece = select i1 %c, ptr %own.sroa.4, ptr %own.sroa.8
  store i32 %w, ptr %piece, align 4
  %done = icmp eq i32 %v, 0
  br i1 %done, label %end, label %loop
end:
  ret void)");
  ASSERT_EQ(program.sites.size(), 3U);
  EXPECT_EQ(program.sites[0].buffer, "p");
  EXPECT_EQ(program.sites[1].buffer, "q|p");
  EXPECT_EQ(program.sites[2].buffer, "own");
  EXPECT_EQ(program.sites[2].space, facts::MemorySpace::local);
}

} // namespace
} // namespace forewarp::codegen::testing
