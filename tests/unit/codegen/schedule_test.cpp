// Order inside a block, live registers, and the register rule.
#include "codegen/nvidia/registers/registers.h"
#include "codegen/nvidia/registers/schedule.h"
#include "ir_fixture.h"

#include <fmt/format.h>

namespace forewarp::codegen::testing {
namespace {

using facts::MachineOp;
using facts::no_value;
using facts::OpClass;

MachineOp op(OpClass what, const std::vector<std::uint32_t>& sources, std::uint32_t destination = no_value) {
  MachineOp made;
  made.op = what;
  for (std::uint32_t source : sources)
    made.sources[made.source_count++] = source;
  made.destination = destination;
  return made;
}

/// load r0; use r0 -> r1; load r2; use r2, r1 -> r3; store r3.
facts::MachineProgram two_loads() {
  facts::MachineProgram program;
  program.blocks.resize(1);
  program.blocks[0].ops = {op(OpClass::load_global, {}, 0), op(OpClass::fp32_mul, {0}, 1),
                           op(OpClass::load_global, {}, 2), op(OpClass::fp32_add, {2, 1}, 3),
                           op(OpClass::store_global, {3})};
  program.value_count = 4;
  return program;
}

std::vector<OpClass> order_of(const facts::MachineProgram& program) {
  std::vector<OpClass> order;
  for (const MachineOp& each : program.blocks[0].ops)
    order.push_back(each.op);
  return order;
}

TEST(Schedule, loads_come_first_within_the_budget) {
  auto program = two_loads();
  const std::vector<std::uint8_t> sizes(4, 1);
  schedule(program, liveness(program, {{{}}}), sizes, {8});
  EXPECT_EQ(order_of(program), (std::vector{OpClass::load_global, OpClass::load_global, OpClass::fp32_mul,
                                            OpClass::fp32_add, OpClass::store_global}));
}

// Two chains of two loads each: the second loads' addresses wait for the first loads, both of which go first.
TEST(Schedule, what_waits_for_a_load_comes_after_loads_that_do_not) {
  facts::MachineProgram program;
  program.blocks.resize(1);
  program.blocks[0].ops = {op(OpClass::load_global, {}, 0),  op(OpClass::int_add, {0}, 1),
                           op(OpClass::load_global, {1}, 2), op(OpClass::load_global, {}, 3),
                           op(OpClass::int_add, {3}, 4),     op(OpClass::load_global, {4}, 5),
                           op(OpClass::fp32_add, {2, 5}, 6), op(OpClass::store_global, {6})};
  program.value_count = 7;
  schedule(program, liveness(program, {{{}}}), std::vector<std::uint8_t>(7, 1), {8});
  EXPECT_EQ(order_of(program), (std::vector{OpClass::load_global, OpClass::load_global, OpClass::int_add,
                                            OpClass::int_add, OpClass::load_global, OpClass::load_global,
                                            OpClass::fp32_add, OpClass::store_global}));
}

/// Two chains of three multiply-adds, one behind the other: 0 -> 1 -> 2 and 3 -> 4 -> 5.
facts::MachineProgram two_chains() {
  facts::MachineProgram program;
  program.blocks.resize(1);
  for (const std::uint32_t first : {0U, 3U}) {
    program.blocks[0].ops.push_back(op(OpClass::fp32_fma, {}, first));
    program.blocks[0].ops.push_back(op(OpClass::fp32_fma, {first}, first + 1));
    program.blocks[0].ops.push_back(op(OpClass::fp32_fma, {first + 1}, first + 2));
  }
  program.value_count = 6;
  return program;
}

std::vector<std::uint32_t> chains_scheduled(unsigned budget, const gpu::Machine* machine) {
  auto program = two_chains();
  schedule(program, liveness(program, {{{}}}), std::vector<std::uint8_t>(6, 1), {budget}, machine);
  std::vector<std::uint32_t> order;
  for (const MachineOp& each : program.blocks[0].ops)
    order.push_back(each.destination);
  return order;
}

// Four cycles a multiply-add: behind the first, the second of its chain waits three cycles, the other chain
// none; from then on the one whose operand came first goes first.
TEST(Schedule, independent_arithmetic_goes_between_dependent) {
  const gpu::Machine machine = volta_like();
  ASSERT_EQ(machine.timing(OpClass::fp32_fma).latency_cycles, 4);
  EXPECT_EQ(chains_scheduled(8, &machine), (std::vector{0U, 3U, 1U, 4U, 2U, 5U}));
}

// Two sines and two sums, all independent: while the first sine keeps its unit busy, the sums go.
TEST(Schedule, what_waits_for_its_unit_lets_others_go_first) {
  gpu::Machine machine = volta_like();
  machine.units.resize(2);
  machine.ops[static_cast<std::size_t>(OpClass::sfu)] = {.unit = 1, .issue_cycles = 4};
  facts::MachineProgram program;
  program.blocks.resize(1);
  program.blocks[0].ops = {op(OpClass::sfu, {}, 0), op(OpClass::sfu, {}, 1), op(OpClass::fp32_add, {}, 2),
                           op(OpClass::fp32_add, {}, 3)};
  program.value_count = 4;
  schedule(program, liveness(program, {{{}}}), std::vector<std::uint8_t>(4, 1), {8}, &machine);
  EXPECT_EQ(order_of(program),
            (std::vector{OpClass::sfu, OpClass::fp32_add, OpClass::fp32_add, OpClass::sfu}));
}

/// Two powers of two, comparison (predicates 0 and 4), scaling, special function, scaling back; then a sum,
/// which reads `masks` predicates from before the block, too.
std::vector<std::uint32_t> powers_scheduled(std::uint32_t masks) {
  const gpu::Machine machine = volta_like();
  facts::MachineProgram program;
  program.blocks.resize(1);
  std::vector<MachineOp>& ops = program.blocks[0].ops;
  for (const std::uint32_t guard : {0U, 4U}) {
    ops.push_back(op(OpClass::fp32_minmax_cmp, {}, guard));
    ops.push_back(op(OpClass::fp32_mul, {guard}, guard + 1));
    ops.push_back(op(OpClass::sfu, {guard + 1}, guard + 2));
    ops.push_back(op(OpClass::fp32_mul, {guard + 2, guard}, guard + 3));
  }
  std::vector<std::uint8_t> sizes = {0, 1, 1, 1, 0, 1, 1, 1, 1};
  ops.push_back(op(OpClass::fp32_add, {3, 7}, 8));
  for (std::uint32_t mask = 9; mask < 9 + masks; ++mask) {
    ops.push_back(op(OpClass::fp32_add, {8, mask}));
    sizes.push_back(0);
  }
  program.value_count = 9 + masks;
  schedule(program, liveness(program, {{{}}}), sizes, {16}, &machine);
  std::vector<std::uint32_t> order;
  for (const MachineOp& each : program.blocks[0].ops)
    if (each.destination < 8)
      order.push_back(each.destination);
  return order;
}

// Seven predicate registers. Beside five that are live there are two: the second comparison goes right behind
// the first. Beside six and more there is one, which the first power's last operation frees.
TEST(Schedule, what_needs_a_predicate_register_waits_for_one) {
  const std::vector<std::uint32_t> in_turn = {0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(powers_scheduled(0)[1], 4U);
  EXPECT_EQ(powers_scheduled(5)[1], 4U);
  EXPECT_EQ(powers_scheduled(6), in_turn);
  EXPECT_EQ(powers_scheduled(9), in_turn);
}

TEST(Schedule, arithmetic_keeps_its_order_where_no_register_is_left_or_latencies_are_unknown) {
  const gpu::Machine machine = volta_like();
  EXPECT_EQ(chains_scheduled(1, &machine), (std::vector{0U, 1U, 2U, 3U, 4U, 5U}));
  EXPECT_EQ(chains_scheduled(8, nullptr), (std::vector{0U, 1U, 2U, 3U, 4U, 5U}));
}

/// Three loads, each address made from the one before, or from nothing.
facts::MachineProgram three_addressed_loads(bool chained) {
  facts::MachineProgram program;
  program.blocks.resize(1);
  const auto address = [&](std::uint32_t before) {
    return chained ? std::vector<std::uint32_t>{before} : std::vector<std::uint32_t>{};
  };
  program.blocks[0].ops = {op(OpClass::int_add, {}, 0),         op(OpClass::load_global, {0}, 1),
                           op(OpClass::int_add, address(0), 2), op(OpClass::load_global, {2}, 3),
                           op(OpClass::int_add, address(2), 4), op(OpClass::load_global, {4}, 5)};
  program.value_count = 6;
  return program;
}

// By hand: additions at 0, 5 and 10, what reads them 5 cycles later; a load holds the issue for 2. The first
// load goes at 6, after the second addition, the second at 11, the third at 15.
TEST(Schedule, loads_go_along_a_chain_of_addresses) {
  auto program = three_addressed_loads(true);
  schedule(program, liveness(program, {{{}}}), std::vector<std::uint8_t>(6, 1), {8});
  EXPECT_EQ(order_of(program), (std::vector{OpClass::int_add, OpClass::int_add, OpClass::load_global,
                                            OpClass::int_add, OpClass::load_global, OpClass::load_global}));
}

TEST(Schedule, independent_addresses_come_before_the_loads) {
  auto program = three_addressed_loads(false);
  schedule(program, liveness(program, {{{}}}), std::vector<std::uint8_t>(6, 1), {8});
  EXPECT_EQ(order_of(program),
            (std::vector{OpClass::int_add, OpClass::int_add, OpClass::int_add, OpClass::load_global,
                         OpClass::load_global, OpClass::load_global}));
}

// Twelve loads whose addresses are made independently, each added to a sum. Addresses first would hold twelve
// registers beside the sum, nine more than the budget of four: each is made before its load instead, and the
// loads that fit go ahead of the additions.
TEST(Schedule, addresses_that_do_not_fit_are_made_before_their_loads) {
  facts::MachineProgram program;
  program.blocks.resize(1);
  std::uint32_t value = 1;
  for (int load = 0; load < 12; ++load, value += 3)
    for (const facts::MachineOp& each :
         {op(OpClass::int_add, {}, value), op(OpClass::load_global, {value}, value + 1),
          op(OpClass::fp32_add, {value - 1, value + 1}, value + 2)})
      program.blocks[0].ops.push_back(each);
  program.value_count = value;
  const std::vector<std::uint8_t> sizes(value, 1);
  schedule(program, liveness(program, {{{}}}), sizes, {4});
  const std::vector<OpClass> order = order_of(program);
  EXPECT_EQ((std::vector(order.begin(), order.begin() + 7)),
            (std::vector{OpClass::int_add, OpClass::load_global, OpClass::int_add, OpClass::load_global,
                         OpClass::int_add, OpClass::load_global, OpClass::fp32_add}));
  EXPECT_LE(peak_pressure(program, liveness(program, {{{}}}), 0, sizes), 5U);
}

// The shared load stands first in the program.
TEST(Schedule, global_loads_go_before_shared_ones) {
  facts::MachineProgram program;
  program.blocks.resize(1);
  program.blocks[0].ops = {op(OpClass::load_shared, {}, 0), op(OpClass::int_add, {}, 1),
                           op(OpClass::load_global, {1}, 2), op(OpClass::fp32_add, {0, 2}, 3),
                           op(OpClass::store_global, {3})};
  program.value_count = 4;
  schedule(program, liveness(program, {{{}}}), std::vector<std::uint8_t>(4, 1), {8});
  EXPECT_EQ(order_of(program), (std::vector{OpClass::int_add, OpClass::load_global, OpClass::load_shared,
                                            OpClass::fp32_add, OpClass::store_global}));
}

// The address of the global load comes from shared memory: that load goes first.
TEST(Schedule, shared_loads_that_global_ones_wait_for_go_first) {
  facts::MachineProgram program;
  program.blocks.resize(1);
  program.blocks[0].ops = {op(OpClass::load_shared, {}, 0), op(OpClass::load_shared, {}, 1),
                           op(OpClass::load_global, {1}, 2), op(OpClass::fp32_add, {0, 2}, 3),
                           op(OpClass::store_global, {3})};
  program.value_count = 4;
  schedule(program, liveness(program, {{{}}}), std::vector<std::uint8_t>(4, 1), {8});
  EXPECT_EQ(program.blocks[0].ops[0].destination, 1U);
}

TEST(Schedule, a_budget_of_one_register_keeps_the_program_order) {
  auto program = two_loads();
  const std::vector<std::uint8_t> sizes(4, 1);
  schedule(program, liveness(program, {{{}}}), sizes, {1});
  EXPECT_EQ(order_of(program), order_of(two_loads()));
}

TEST(Schedule, loads_do_not_pass_barriers_or_stores_of_the_same_memory) {
  facts::MachineProgram program;
  program.blocks.resize(1);
  program.blocks[0].ops = {op(OpClass::int_add, {}, 0), op(OpClass::store_shared, {0}),
                           op(OpClass::load_shared, {}, 1), op(OpClass::barrier, {}),
                           op(OpClass::load_global, {}, 2)};
  program.value_count = 3;
  const auto before = order_of(program);
  schedule(program, liveness(program, {{{}}}), {1, 1, 1}, {64});
  EXPECT_EQ(order_of(program), before);
}

// 90 loads, the last of which is wanted first. In this order all 90 would be live before the first addition;
// the free registers are 64.
TEST(Schedule, starts_from_the_order_of_least_pressure_where_the_given_one_does_not_fit) {
  std::string body = "entry:\n";
  for (int load = 0; load < 90; ++load)
    body += fmt::format("  %p{0} = getelementptr float, ptr addrspace(1) %a, i64 {1}\n"
                        "  %v{0} = load float, ptr addrspace(1) %p{0}\n",
                        load, 64 * load);
  body += "  %s90 = fadd float %v89, 1.0\n";
  for (int load = 89; load >= 0; --load)
    body += fmt::format("  %s{} = fadd float %s{}, %v{}\n", load, load + 1, load);
  const auto program =
      lower_text("ptr addrspace(1) %a", body + "  store float %s0, ptr addrspace(1) %a\n  ret void\n");
  int loads = 0;
  for (const MachineOp& each : program.blocks[0].ops) {
    if (each.op == OpClass::fp32_add)
      break;
    loads += each.op == OpClass::load_global ? 1 : 0;
  }
  EXPECT_GT(loads, 32);
  EXPECT_LE(loads, 64);
}

// r0 and r1 live together before the add; then r2 alone: the peak is 2 + 2 (a 64-bit value counts twice) = 3.
TEST(Pressure, counts_live_registers_with_their_sizes) {
  facts::MachineProgram program;
  program.blocks.resize(1);
  program.blocks[0].ops = {op(OpClass::load_global, {}, 0), op(OpClass::load_global, {}, 1),
                           op(OpClass::int_add, {0, 1}, 2), op(OpClass::store_global, {2})};
  program.value_count = 3;
  const Liveness live = liveness(program, {{{}}});
  EXPECT_EQ(peak_pressure(program, live, {1, 2, 1}), 3U);
}

/// The least peak of `count` loads and as many additions behind them, all in one block.
unsigned least_peak_of_sum(std::uint32_t count) {
  facts::MachineProgram program;
  program.blocks.resize(1);
  std::vector<MachineOp>& ops = program.blocks[0].ops;
  for (std::uint32_t i = 0; i < count; ++i)
    ops.push_back(op(OpClass::load_shared, {}, i));
  for (std::uint32_t i = 1; i < count; ++i)
    ops.push_back(op(OpClass::fp32_add, {i == 1 ? 0 : count + i - 1, i}, count + i));
  ops.push_back(op(OpClass::store_global, {2 * count - 1}));
  program.value_count = 2 * count;
  const std::vector<std::uint8_t> sizes(program.value_count, 1);
  const Liveness live = liveness(program, {{{}}});
  return peak_pressure(order_of_least_pressure(program, live, sizes), live, sizes);
}

// 2000 loads and 1999 additions lie in one window: a value is added as soon as it is there. Of 2100 loads
// 1996 additions do; those of the other 103 or 104 values are in the next window, and the sum is live, too.
TEST(Registers, straight_line_code_is_ordered_in_windows) {
  EXPECT_LE(least_peak_of_sum(2000), 3U);
  EXPECT_NEAR(least_peak_of_sum(2100), 104, 2);
}

// 65536 / 1024 threads = 64; 65536 / 1536 = 42.67 -> 40 in units of 8; 65536 / 2048 = 32.
TEST(Registers, free_registers_follow_from_the_register_file) {
  gpu::Machine machine = volta_like();
  EXPECT_EQ(free_registers(machine), 64U);
  machine.limits.max_threads_per_sm = 1536;
  EXPECT_EQ(free_registers(machine), 40U);
  machine.limits.max_threads_per_sm = 2048;
  EXPECT_EQ(free_registers(machine), 32U);
}

// __launch_bounds__(256, 4): 65536 / (256 * 4) = 64 registers.
TEST(Registers, launch_bounds_cap_them) {
  ir::KernelSignature kernel;
  EXPECT_EQ(register_cap(volta_like(), kernel, 0), 255U);
  kernel.max_group_threads = 256;
  kernel.min_groups_per_sm = 4;
  EXPECT_EQ(register_cap(volta_like(), kernel, 0), 64U);
}

} // namespace
} // namespace forewarp::codegen::testing
