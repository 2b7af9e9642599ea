// A region's code through predict's machine step.
#include "derived/port/jetson.h"
#include "port/advice/unroll.h"
#include "port/estimate/lowered.h"
#include "port/trace_program.h"
#include "support/temporary_file.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace forewarp::port {
namespace {

using facts::OpClass;

Result<TracedProgram> product() {
  auto file = TemporaryFile::write("#include <math.h>\n"
                                   "float a[64][64], b[64][64], c[64][64];\n"
                                   "int main(void) {\n"
                                   "#pragma forewarp parallel block(32, 8)\n"
                                   "  for (int i = 0; i < 64; ++i)\n"
                                   "    for (int j = 0; j < 64; ++j) {\n"
                                   "      float s = 0;\n"
                                   "      for (int k = 0; k < 64; ++k)\n"
                                   "        s += a[i][k] * b[k][j];\n"
                                   "      c[i][j] = tanhf(s);\n"
                                   "    }\n"
                                   "  return (int)c[3][4];\n"
                                   "}\n",
                                   ".c");
  FOREWARP_TRY(file);
  ProgramRequest request;
  request.files = {file->path()};
  request.repetitions = 0;
  return trace_program(request);
}

unsigned count(const facts::MachineBlock& block, OpClass op) {
  return static_cast<unsigned>(std::count_if(block.ops.begin(), block.ops.end(),
                                             [op](const facts::MachineOp& made) { return made.op == op; }));
}

TEST(Lowered, InnerLoopLoadsTwiceAndMovesItsPointers) {
  const auto program = product();
  ASSERT_TRUE(program.has_value()) << to_string(program.error());
  const TracedRegion& region = program->regions[0];
  const auto lowered = lowered_program(region.code, region.trace, testing::jetson().machine);
  ASSERT_TRUE(lowered.has_value()) << to_string(lowered.error());
  ASSERT_EQ(lowered->blocks.size(), region.trace.blocks.size());
  const std::uint32_t inner = region.trace.sites[0].block;
  const facts::MachineBlock& block = lowered->blocks[inner];
  EXPECT_EQ(count(block, OpClass::load_global), 2U);
  EXPECT_EQ(count(block, OpClass::fp32_fma), 1U);
  EXPECT_EQ(count(block, OpClass::int_mul_wide), 0U); // addresses move
  EXPECT_GE(lowered->resources.registers_per_thread, 8);
  unsigned special = 0;
  for (const facts::MachineBlock& any : lowered->blocks) {
    special += count(any, OpClass::sfu);
    for (const facts::MachineOp& op : any.ops)
      if (op.site != facts::no_value) {
        EXPECT_EQ(region.trace.sites[op.site].block,
                  static_cast<std::uint32_t>(&any - lowered->blocks.data()));
      }
  }
  EXPECT_GE(special, 1U); // tanhf
}

TEST(Lowered, AnUnrolledLoopKeepsItsLoadsAndItsArithmetic) {
  const auto program = product();
  ASSERT_TRUE(program.has_value()) << to_string(program.error());
  const TracedRegion& region = program->regions[0];
  auto lowered = lowered_program(region.code, region.trace, testing::jetson().machine);
  ASSERT_TRUE(lowered.has_value()) << to_string(lowered.error());
  const std::uint32_t inner = region.trace.sites[0].block;
  unroll(*lowered, inner, std::vector<bool>(region.trace.sites.size(), true));
  EXPECT_EQ(lowered->blocks[inner].ops.size(), 3U); // two loads and the multiply-add
}

TEST(Lowered, CodeOfAnotherRegionIsRefused) {
  const auto program = product();
  ASSERT_TRUE(program.has_value()) << to_string(program.error());
  RegionCode code = program->regions[0].code;
  code.blocks.pop_back();
  EXPECT_FALSE(lowered_program(code, program->regions[0].trace, testing::jetson().machine).has_value());
}

} // namespace
} // namespace forewarp::port
