// Asynchronous copies to shared memory, and who waits for those of earlier iterations.
#include "predict/traced/streams/streams.h"

#include <gtest/gtest.h>

namespace forewarp::predict::hybrid {
namespace {

using facts::OpClass;

// 16 bytes a lane are 512 bytes: 4 passes of 32 banks of 4 bytes, at 128 bytes a cycle 4 cycles. The
// request's own cycle is within them.
TEST(AsyncCopies, TheDataPassTheBanksOnce) {
  facts::MachineProgram program;
  program.value_count = 1;
  program.sites.resize(2, {.width_bytes = 16});
  program.sites[0].returns_value = false;
  program.sites[1].index_in_block = 1;
  program.sites[1].kind = facts::AccessKind::store;
  program.sites[1].space = facts::MemorySpace::shared;
  program.blocks.push_back(
      {.ops = {{.op = OpClass::load_global, .destination = 0, .site = 0, .stores_site = 1}},
       .memory_sites = 2});
  facts::WarpTrace warp;
  warp.steps.push_back({.block = 0});
  warp.events = {{.site = 0, .space = facts::MemorySpace::global},
                 {.site = 1, .space = facts::MemorySpace::shared}};
  gpu::Machine machine;
  machine.memory.shared_banks = 32;
  machine.memory.shared_bank_bytes = 4;
  machine.memory.shared_bytes_per_cycle_per_sm = 128;
  const StreamTemplates templates(program, machine, {}, {}, 32);
  const std::vector<facts::AccessOutcome> outcomes = {{.transactions = 16, .sectors = 16, .l2_sectors = 16},
                                                      {.transactions = 4}};
  TraceStream stream(templates, warp, outcomes, 0);
  pipeline::Instruction copy, none;
  ASSERT_TRUE(stream.next(copy));
  EXPECT_FALSE(stream.next(none));
  EXPECT_FLOAT_EQ(copy.lambda_cycles, 4);
}

// A loop makes value 0 and hands it on twice: 1 is what it was an iteration ago, 2 two ago. In its fourth run
// the loop reads what the second made, which the two runs since must not have written over.
TEST(AsyncCopies, AValueOfTwoIterationsAgoIsStillThere) {
  facts::MachineProgram program;
  program.value_count = 4;
  program.blocks.push_back(
      {.ops = {{.op = OpClass::int_add, .destination = 0},
               {.op = OpClass::fence, .source_count = 1, .sources = {2}, .destination = 3}},
       .phis = {{.previous_block = 0, .destination = 1, .source = 0},
                {.previous_block = 0, .destination = 2, .source = 1}}});
  facts::WarpTrace warp;
  for (int run = 0; run < 5; ++run)
    warp.steps.push_back({.block = 0, .previous_block = 0});
  const gpu::Machine machine;
  const StreamTemplates templates(program, machine, {}, {}, 32);
  TraceStream stream(templates, warp, {}, 0);
  std::vector<std::uint32_t> made, awaited;
  for (pipeline::Instruction made_now, wait; stream.next(made_now) && stream.next(wait);) {
    made.push_back(made_now.destination);
    awaited.push_back(wait.sources[0]);
  }
  ASSERT_EQ(made.size(), 5U);
  for (std::size_t run = 2; run < made.size(); ++run) {
    EXPECT_EQ(awaited[run], made[run - 2]);
    EXPECT_NE(made[run], made[run - 2]);
    EXPECT_NE(made[run - 1], made[run - 2]);
  }
}

} // namespace
} // namespace forewarp::predict::hybrid
