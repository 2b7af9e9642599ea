#include "launch/run_index.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace forewarp::launch {
namespace {

class RunIndex : public testing::Test {
protected:
  RunIndex() { std::filesystem::create_directories(folder_); }
  ~RunIndex() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& text) const { std::ofstream(folder_ / run_index_name) << text; }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() /
      (std::string("forewarp-") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(RunIndex, CountsTheLaunchesOfAKernel) {
  write(run_index_line("scale<float>(float*, int)", "1.toml", "") +
        run_index_line("sum(float*)", "2.toml", "") +
        run_index_line("scale<float>(float*, int)", "3.toml", ""));
  for (const char* name : {"scale<float>(float*, int)", "scale<float>", "scale"})
    EXPECT_EQ(launch_of_run(folder_, name, 2), (folder_ / "3.toml").string()) << name;
  EXPECT_EQ(launch_of_run(folder_, "", 2), (folder_ / "2.toml").string());
  EXPECT_EQ(launch_of_run(folder_ / run_index_name, "sum", 1), (folder_ / "2.toml").string());
}

TEST_F(RunIndex, WhatIsNotThereIsSaid) {
  write(run_index_line("scale<float>(float*)", "1.toml", "") +
        run_index_line("scale<double>(double*)", "2.toml", "") +
        run_index_line("sum(float*)", "", "the compiler refused it"));
  EXPECT_NE(launch_of_run(folder_, "scale<float>", 2).error().message.find("1 launches"), std::string::npos);
  EXPECT_EQ(launch_of_run(folder_, "scale", 1).error().code, ErrorCode::usage);
  EXPECT_EQ(launch_of_run(folder_, "scal", 1).error().code, ErrorCode::not_found);
  EXPECT_EQ(launch_of_run(folder_, "sum", 1).error().code, ErrorCode::unsupported);
  EXPECT_NE(to_string(launch_of_run(folder_, "sum", 1).error()).find("the compiler refused it"),
            std::string::npos);
}

TEST_F(RunIndex, AFileThatIsNoIndexIsRefusedWithItsLine) {
  write(run_index_line("sum(float*)", "1.toml", "") + "3,4\n");
  EXPECT_NE(to_string(launch_of_run(folder_, "sum", 1).error()).find("launches.jsonl:2"), std::string::npos);
}

} // namespace
} // namespace forewarp::launch
