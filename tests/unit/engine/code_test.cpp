// Whose machine code a request gets.
#include "engine/compile_cache.h"

#include "engine/session.h"
#include "gpu/gpu_file.h"
#include "support/temporary_file.h"
#include "test_folders.h"
#include "toolkit/tools.h"

#include <gtest/gtest.h>

namespace forewarp::engine {
namespace {

gpu::Machine machine_of(const std::string& vendor, double capability) {
  gpu::Machine machine;
  machine.vendor = vendor;
  machine.compute_capability = capability;
  return machine;
}

PredictRequest asking_for(Code code) {
  PredictRequest request;
  request.compile.code = code;
  return request;
}

TEST(Code, WordsOfTheCommandLine) {
  EXPECT_EQ(code_from_string("imitated"), Code::imitated);
  EXPECT_EQ(code_from_string("sass"), Code::vendor);
  EXPECT_EQ(code_from_string("auto"), Code::automatic);
  EXPECT_FALSE(code_from_string("ptx"));
}

// Machine code before sm_75 has another encoding, AMD's is not lifted: there `auto` imitates.
TEST(Code, AutomaticAsksTheVendorOnlyWhereItsCodeCanBeRead) {
  EXPECT_EQ(code_for(asking_for(Code::automatic), machine_of("nvidia", 7.5)), Code::automatic);
  EXPECT_EQ(code_for(asking_for(Code::automatic), machine_of("nvidia", 7.0)), Code::imitated);
  EXPECT_EQ(code_for(asking_for(Code::automatic), machine_of("amd", 0)), Code::imitated);
}

TEST(Code, WhatIsAskedForByNameIsNotReplaced) {
  EXPECT_EQ(code_for(asking_for(Code::vendor), machine_of("amd", 0)), Code::vendor);
  EXPECT_EQ(code_for(asking_for(Code::imitated), machine_of("nvidia", 9.0)), Code::imitated);
}

// The lifter does not follow a group's place in its cluster: no time rather than one as if it were alone.
TEST(Code, ClustersAreRefusedInMachineCode) {
  if (toolkit::find_tool("ptxas").path.empty())
    GTEST_SKIP() << "no ptxas on this machine";
  const auto source = TemporaryFile::write(
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() {\nret;\n}\n", ".ptx");
  ASSERT_TRUE(source);
  PredictRequest request = asking_for(Code::vendor);
  request.compile.path = source->path();
  request.kernel = "k";
  request.launch.groups = facts::Dim3{4, 1, 1};
  request.launch.group_size = facts::Dim3{32, 1, 1};
  request.launch.cluster = facts::Dim3{2, 1, 1};
  request.gpus.push_back(*gpu::Catalogue::open(test_folders::gpus)->find("h100"));
  Session session;
  const auto made = session.predict(request);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::unsupported) << made.error().message;
  EXPECT_EQ(made.error().where, "--cluster");
}

} // namespace
} // namespace forewarp::engine
