// `if (a && b)` as two branches to one join.
#include "ir_fixture.h"

namespace forewarp::codegen::testing {
namespace {

constexpr const char* predicated_parameters = "ptr addrspace(1) %p, i32 %n, float %x";

std::map<std::string, int> whole_mix(const std::string& second_condition) {
  const auto program = lower_text(predicated_parameters, R"(
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp slt i32 %t, %n
  br i1 %first, label %further, label %join
further:
)" + second_condition + R"(
  br i1 %second, label %body, label %join
body:
  %i = sext i32 %t to i64
  %q = getelementptr float, ptr addrspace(1) %p, i64 %i
  store float %x, ptr addrspace(1) %q, align 4
  br label %join
join:
  store float 0.0, ptr addrspace(1) %p, align 4
  ret void)");
  std::map<std::string, int> sum;
  for (const facts::MachineBlock& block : program.blocks)
    for (const auto& [name, count] : mix(block))
      sum[name] += count;
  return sum;
}

TEST(Predication, a_second_condition_on_integers_needs_no_branch) {
  auto ops = whole_mix("  %s = add i32 %t, 5\n  %second = icmp sgt i32 %s, 9");
  EXPECT_EQ(ops["int_minmax_cmp"], 2);
  EXPECT_EQ(ops["branch"], 1); // the kernel's end
  EXPECT_EQ(ops["nop"], 0);
}

TEST(Predication, a_second_condition_on_floats_needs_none_either) {
  auto ops = whole_mix("  %s = fmul float %x, %x\n  %second = fcmp ogt float %s, 1.0");
  EXPECT_EQ(ops["branch"], 1);
  EXPECT_EQ(ops["nop"], 0);
}

TEST(Predication, a_second_condition_that_loads_is_branched_around) {
  auto ops = whole_mix("  %s = load float, ptr addrspace(1) %p\n  %second = fcmp ogt float %s, 1.0");
  EXPECT_EQ(ops["branch"], 3); // around it, the point where lanes meet, the kernel's end
  EXPECT_EQ(ops["nop"], 1);
}

// A division by what turned out to be zero: the call of the slow path and its 28 operations beside the
// others.
TEST(Division, of_zero_takes_the_slow_path) {
  const ir::KernelModule module = module_of(predicated_parameters, R"(
  %q = fdiv float %x, %x
  store float %q, ptr addrspace(1) %p, align 4
  ret void)");
  const auto operations = [&](facts::SlowDivisions slow) {
    MachineStepOptions options;
    options.slow_divisions = std::move(slow);
    return lower(module, module.kernels.front(), volta_like(), options)->blocks[0].ops.size();
  };
  EXPECT_EQ(operations({{0, 0}}), operations({}) + 28);
  EXPECT_EQ(operations({{0, 1}}), operations({}));
}

facts::WarpTrace through(std::initializer_list<std::uint32_t> blocks) {
  facts::WarpTrace warp;
  for (const std::uint32_t block : blocks)
    warp.steps.push_back({.block = block});
  return warp;
}

// Operations of the bodies that a warp passed before its last step, which entered `program`'s block 3.
std::size_t passed(const facts::MachineProgram& program, const facts::WarpTrace& warp) {
  const facts::PassedBody* body = facts::bodies_passed(program.blocks[3], warp, warp.steps.size() - 1);
  return body == nullptr ? 0 : body->operations;
}

// Blocks 0 (head), 1 (further condition), 2 (body), 3 (join).
TEST(Predication, a_warp_issues_the_predicated_bodies_that_it_passes) {
  const auto program = lower_text(predicated_parameters, R"(
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp slt i32 %t, %n
  br i1 %first, label %further, label %join
further:
  %s = add i32 %t, 5
  %second = icmp sgt i32 %s, 9
  br i1 %second, label %body, label %join
body:
  store float %x, ptr addrspace(1) %p, align 4
  br label %join
join:
  store float 0.0, ptr addrspace(1) %p, align 4
  ret void)");
  const auto size = [&](std::size_t block) { return program.blocks[block].ops.size(); };
  EXPECT_EQ(passed(program, through({0, 3})), size(1) + size(2));
  EXPECT_EQ(passed(program, through({0, 1, 3})), size(2));
  EXPECT_EQ(passed(program, through({0, 1, 2, 3})), 0);
  EXPECT_EQ(facts::bodies_passed(program.blocks[3], through({0, 3}), 1)->accesses, 1); // the store
}

// Blocks 0 (head), 1 (then), 2 (else), 3 (join): lanes that part run both bodies.
TEST(Predication, of_two_bodies_the_other_is_passed) {
  const auto program = lower_text(predicated_parameters, R"(
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp slt i32 %t, %n
  br i1 %first, label %then, label %else
then:
  store float %x, ptr addrspace(1) %p, align 4
  br label %join
else:
  %twice = fadd float %x, %x
  store float %twice, ptr addrspace(1) %p, align 4
  br label %join
join:
  store float 0.0, ptr addrspace(1) %p, align 4
  ret void)");
  EXPECT_EQ(passed(program, through({0, 1, 3})), program.blocks[2].ops.size());
  EXPECT_EQ(passed(program, through({0, 2, 3})), program.blocks[1].ops.size());
  EXPECT_EQ(passed(program, through({0, 1, 2, 3})), 0);
}

bool reads(const facts::MachineOp& op, std::uint32_t value) {
  return std::find(op.sources.begin(), op.sources.begin() + op.source_count, value) !=
         op.sources.begin() + op.source_count;
}

// Block 0 compares (1: the body, 2: the join).
TEST(Predication, a_predicated_body_waits_for_its_predicate) {
  const auto program = lower_text(predicated_parameters, R"(
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp slt i32 %t, %n
  br i1 %some, label %body, label %join
body:
  store float %x, ptr addrspace(1) %p, align 4
  br label %join
join:
  ret void)");
  const auto& head = program.blocks[0].ops;
  const auto comparison = std::find_if(head.begin(), head.end(), [](const facts::MachineOp& op) {
    return op.op == facts::OpClass::int_minmax_cmp;
  });
  ASSERT_NE(comparison, head.end());
  EXPECT_TRUE(comparison->to_predicate);
  for (const facts::MachineOp& op : program.blocks[1].ops)
    EXPECT_TRUE(reads(op, comparison->destination));
  ASSERT_EQ(program.blocks[2].passed.size(), 1);
  EXPECT_EQ(program.blocks[2].passed[0].condition, comparison->destination);
}

/// Whether the predicates of block 0 are waited for as guards; `end` reads %odd, which two comparisons make.
std::vector<bool> guards_with(const std::string& end) {
  const auto program = lower_text(predicated_parameters, R"(
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp slt i32 %t, %n
  %second = icmp sgt i32 %n, 9
  %odd = xor i1 %first, %second
)" + end);
  std::vector<bool> to_predicate;
  for (const facts::MachineOp& op : program.blocks[0].ops)
    if (op.op == facts::OpClass::int_minmax_cmp || op.op == facts::OpClass::int_logic)
      to_predicate.push_back(op.to_predicate);
  return to_predicate;
}

// The second comparison takes the first's result in: what follows reads the second's.
TEST(Predication, a_predicate_that_another_or_a_selection_reads_is_an_operand) {
  EXPECT_EQ(guards_with(R"(
  br i1 %odd, label %body, label %join
body:
  store float %x, ptr addrspace(1) %p, align 4
  br label %join
join:
  ret void)"),
            (std::vector<bool>{false, true}));
  EXPECT_EQ(guards_with(R"(
  %chosen = select i1 %odd, float %x, float 0.0
  store float %chosen, ptr addrspace(1) %p, align 4
  ret void)"),
            (std::vector<bool>{false, false}));
}

} // namespace
} // namespace forewarp::codegen::testing
