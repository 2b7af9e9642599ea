// What the vendor's tools are asked for on each generation.
#include "gpu/code_target.h"

#include <gtest/gtest.h>

namespace forewarp::gpu {
namespace {

Machine machine(const std::string& vendor, double capability, const std::string& target) {
  Machine made;
  made.vendor = vendor;
  made.compute_capability = capability;
  made.target = target;
  return made;
}

TEST(CodeTarget, NewerGpusThanTheCompilerKnowsHaveTheirOwn) {
  EXPECT_EQ(code_target(machine("nvidia", 7.5, "sm_75")), "sm_75");
  EXPECT_EQ(code_target(machine("nvidia", 8.9, "sm_89")), "sm_89");
  EXPECT_EQ(code_target(machine("nvidia", 9.0, "sm_90")), "sm_90");
  EXPECT_EQ(code_target(machine("nvidia", 10.0, "sm_90")), "sm_100");
  EXPECT_EQ(code_target(machine("nvidia", 10.3, "sm_90")), "sm_103");
  EXPECT_EQ(code_target(machine("nvidia", 12.0, "sm_90")), "sm_120");
  EXPECT_EQ(code_target(machine("amd", 0, "gfx90a")), "gfx90a");
}

TEST(CodeTarget, TheCompilerIsAskedForWhatItKnows) {
  EXPECT_EQ(compiler_target("sm_120"), "sm_90");
  EXPECT_EQ(compiler_target("sm_90"), "sm_90");
  EXPECT_EQ(compiler_target("sm_86"), "sm_86");
  EXPECT_EQ(compiler_target("gfx1100"), "gfx1100");
}

} // namespace
} // namespace forewarp::gpu
