// What a global access of Kepler takes of the pipe of load/store units, worked by hand: a cycle for the
// request, two for each line that it asks of L2.
#include "derived/predict/one_access.h"

#include <gtest/gtest.h>

namespace forewarp::predict::hybrid {
namespace {

struct Load {
  float lines = 1;
  bool read_only = false;
  float l2_sectors = 1;
};

double pipe_cycles(const Load& load, bool caches_read_only, double line_request_cycles = 2) {
  gpu::Machine machine;
  machine.memory.texture_units_read = true;
  machine.memory.l1.present = true;
  machine.memory.l1_caches_global = false;
  machine.memory.l1_caches_read_only = caches_read_only;
  machine.memory.l1_bytes_per_cycle_per_sm = 128;
  machine.memory.l2_line_request_cycles = line_request_cycles;
  machine.ops[static_cast<std::size_t>(facts::OpClass::load_global)].issue_cycles = 1;
  machine.ops[static_cast<std::size_t>(facts::OpClass::load_texture)].issue_cycles = 2;
  return testing::instruction_of(
             {.site = {.kind = facts::AccessKind::load, .width_bytes = 4, .read_only_path = load.read_only},
              .event = {.active = testing::all_lanes},
              .outcome = {.transactions = load.lines,
                          .sectors = load.l2_sectors,
                          .l2_sectors = load.l2_sectors}},
             machine)
      .lambda_cycles;
}

TEST(LineRequests, FollowTheirRequestThroughThePipe) {
  EXPECT_FLOAT_EQ(pipe_cycles({.lines = 1}, true), 1 + 2);
  EXPECT_FLOAT_EQ(pipe_cycles({.lines = 4}, true), 1 + 4 * 2);
  EXPECT_FLOAT_EQ(pipe_cycles({.lines = 32}, true), 1 + 32 * 2);
}

// A hit asks L2 for nothing; other generations ask by bytes.
TEST(LineRequests, OnlyWhereL2IsAskedForLines) {
  EXPECT_FLOAT_EQ(pipe_cycles({.lines = 1, .l2_sectors = 0}, true), 1);
  EXPECT_FLOAT_EQ(pipe_cycles({.lines = 1}, true, 0), 1);
}

// Compute capability 3.5 has a cache for `const __restrict__` and its own way in: 32 words, 16 a cycle. 3.0
// has none: such loads are like all others.
TEST(LineRequests, ReadOnlyLoadsPassByWhereTheyHaveACache) {
  EXPECT_FLOAT_EQ(pipe_cycles({.lines = 4, .read_only = true, .l2_sectors = 4}, true), 2);
  EXPECT_FLOAT_EQ(pipe_cycles({.lines = 4, .read_only = true, .l2_sectors = 4}, false), 1 + 4 * 2);
}

} // namespace
} // namespace forewarp::predict::hybrid
