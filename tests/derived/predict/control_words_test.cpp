// Control words of machine code in the streams of the default predictor.
#include "predict/traced/streams/streams.h"

#include <gtest/gtest.h>

namespace forewarp::predict::hybrid {
namespace {

/// Two operations; a body of one that no lane has; the block behind it.
struct Code {
  facts::MachineProgram program;
  gpu::Machine machine;
  facts::WarpTrace warp;
  std::vector<facts::AccessOutcome> outcomes;

  Code() {
    machine.units = {{"alu"}, {"branch"}};
    machine.ops[static_cast<std::size_t>(facts::OpClass::branch)] = {.unit = 1, .issue_cycles = 2};
    machine.ops[static_cast<std::size_t>(facts::OpClass::sfu)].latency_cycles = 18;
    program.value_count = 4;
    facts::MachineBlock head;
    head.ops = {{.op = facts::OpClass::move, .destination = 0},
                {.op = facts::OpClass::fp32_fma, .source_count = 1, .sources = {0}, .destination = 1}};
    head.controls = {
        {.stall_cycles = 2, .written_counter = 3, .special_register = true},
        {.stall_cycles = 5, .wait_mask = 0b1010, .bank_reads = {2, 1}, .code_offset_bytes = 300}};
    facts::MachineBlock body;
    body.ops = {{.op = facts::OpClass::int_add, .destination = 2}};
    body.controls = {{.stall_cycles = 7, .read_counter = 4, .read_cycles = 9, .bank_reads = {3, 0}}};
    facts::MachineBlock behind;
    behind.ops = {{.op = facts::OpClass::int_logic, .destination = 3}};
    behind.controls = {{.stall_cycles = 1, .uniform = true}};
    behind.passed = {{.previous_block = 0, .operations = 1, .body_block = 1}};
    program.blocks = {head, body, behind};
    warp.steps = {{.block = 0}, {.block = 2, .previous_block = 0}};
  }

  std::vector<pipeline::Instruction> instructions(StreamTemplates::Issue issue) {
    const StreamTemplates templates(program, machine, {}, {}, 32, true, issue);
    TraceStream stream(templates, warp, outcomes, 0);
    registers = stream.register_count();
    std::vector<pipeline::Instruction> all;
    for (pipeline::Instruction one; stream.next(one);)
      all.push_back(one);
    return all;
  }
  std::uint32_t registers = 0;
};

TEST(ControlWords, CountersStandForRegisters) {
  Code code;
  const auto all = code.instructions(StreamTemplates::Issue::by_control_words);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(code.registers, facts::counter_count);
  EXPECT_EQ(all[0].destination, 3U);
  EXPECT_EQ(all[0].hold_cycles, 2);
  EXPECT_EQ(all[0].latency_cycles, 18); // S2R
  EXPECT_EQ(all[1].source_count, 2);
  EXPECT_EQ(all[1].sources[0], 1U);
  EXPECT_EQ(all[1].sources[1], 3U);
  EXPECT_EQ(all[1].destination, pipeline::no_register);
  EXPECT_EQ(all[1].hold_cycles, 5);
  EXPECT_EQ(all[1].bank_reads, (std::array<std::uint8_t, 2>{2, 1}));
  EXPECT_EQ(all[1].code_line, 2); // byte 300 in lines of 128
}

// It issues with its stall count and counter; its lanes are off, so that no register is read.
TEST(ControlWords, PassedBodyKeepsItsOwnWord) {
  Code code;
  const auto all = code.instructions(StreamTemplates::Issue::by_control_words);
  EXPECT_EQ(all[2].hold_cycles, 7);
  EXPECT_EQ(all[2].read_counter, 4);
  EXPECT_EQ(all[2].bank_reads, (std::array<std::uint8_t, 2>{0, 0}));
}

// A load that no lane takes part in: its unit takes it all the same, as machine code and as imitated code.
TEST(PassedBodies, AccessesTakeTheirTurn) {
  Code code;
  code.machine.units.emplace_back("lsu");
  code.machine.ops[static_cast<std::size_t>(facts::OpClass::load_shared)] = {.unit = 2, .issue_cycles = 2};
  code.program.blocks[1].ops[0].op = facts::OpClass::load_shared;
  code.program.blocks[2].passed[0].accesses = 1;
  for (const auto issue :
       {StreamTemplates::Issue::by_control_words, StreamTemplates::Issue::by_dependences}) {
    const auto all = code.instructions(issue);
    ASSERT_EQ(all.size(), 4U);
    EXPECT_EQ(all[2].subsystem, 2);
    EXPECT_EQ(all[2].lambda_cycles, 2);
    EXPECT_FALSE(all[2].memory); // nothing comes back, and no server is asked
  }
}

TEST(ControlWords, UniformDatapathIsBesideTheBranches) {
  Code code;
  const auto all = code.instructions(StreamTemplates::Issue::by_control_words);
  EXPECT_EQ(all[3].subsystem, 1);
  EXPECT_EQ(all[3].lambda_cycles, 2);
}

TEST(ControlWords, OtherReadersSeeRegisters) {
  Code code;
  const auto all = code.instructions(StreamTemplates::Issue::by_dependences);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(code.registers, 8U);
  EXPECT_FALSE(all[1].counted);
  EXPECT_EQ(all[1].source_count, 1);
  EXPECT_EQ(all[1].sources[0], all[0].destination);
}

} // namespace
} // namespace forewarp::predict::hybrid
