// Whose machine code a request gets.
#include "engine/compile_cache.h"

#include "gpu/gpu_file.h"

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

} // namespace
} // namespace forewarp::engine
