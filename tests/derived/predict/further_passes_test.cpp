// AMD instructions of several passes: one issue slot, the unit's time of all of them.
#include "predict/traced/streams/streams.h"

#include <gtest/gtest.h>

namespace forewarp::predict::hybrid {
namespace {

using facts::OpClass;

// A load of two LDS addresses (2 and 3 bank passes of a cycle each) and an addition of its result. The second
// access starts when the first has left the pipe: 2 cycles and the latency of 3 passes after the issue.
TEST(FurtherPasses, TwoAccessesAreOneInstruction) {
  facts::MachineProgram program;
  program.value_count = 3;
  facts::MachineOp first{.op = OpClass::load_shared, .source_count = 1, .sources = {0}, .site = 0};
  facts::MachineOp second = first;
  second.continues = true;
  second.destination = 1;
  second.site = 1;
  const facts::MachineOp sum{.op = OpClass::fp32_add, .source_count = 1, .sources = {1}, .destination = 2};
  program.sites.resize(2);
  for (std::uint32_t s = 0; s < 2; ++s) {
    program.sites[s].index_in_block = s;
    program.sites[s].space = facts::MemorySpace::shared;
  }
  program.blocks.push_back({.ops = {first, second, sum}, .memory_sites = 2});
  facts::WarpTrace warp;
  warp.steps.push_back({.block = 0});
  warp.events.resize(2);
  for (facts::MemoryEvent& event : warp.events)
    event.space = facts::MemorySpace::shared;
  const std::vector<facts::AccessOutcome> outcomes{{.transactions = 2}, {.transactions = 3}};
  gpu::Machine machine;
  machine.memory.lsu_cycles_per_transaction = 1;
  const StreamTemplates templates(program, machine, {}, {}, 32);
  const auto alone = [&](std::size_t s) {
    pipeline::Instruction out = templates.block(0)[s].instruction;
    templates.apply(templates.block(0)[s], warp.events[s], outcomes[s], out);
    return out;
  };

  TraceStream stream(templates, warp, outcomes, 0);
  pipeline::Instruction load, addition, none;
  ASSERT_TRUE(stream.next(load));
  EXPECT_EQ(stream.first_op_in_block(), 0U);
  EXPECT_EQ(stream.op_in_block(), 1U);
  ASSERT_TRUE(stream.next(addition));
  EXPECT_FALSE(stream.next(none));
  EXPECT_EQ(count_instructions(templates, warp), 2U);
  EXPECT_FLOAT_EQ(load.lambda_cycles, alone(0).lambda_cycles + alone(1).lambda_cycles);
  EXPECT_FLOAT_EQ(load.latency_cycles, alone(0).lambda_cycles + alone(1).latency_cycles);
  EXPECT_GT(load.lambda_cycles, alone(1).lambda_cycles);
  EXPECT_EQ(addition.sources[0], load.destination);
}

} // namespace
} // namespace forewarp::predict::hybrid
