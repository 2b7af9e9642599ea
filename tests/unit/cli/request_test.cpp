#include "cli/commands/predict_options.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace forewarp::cli {
namespace {

class Request : public ::testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "forewarp-cli-XXXXXX").string();
    directory_ = ::mkdtemp(pattern.data());
    words.launch_file = (directory_ / "l.toml").string();
    std::ofstream(words.launch_file)
        << "source = \"k.cl\"\nkernel = \"k\"\ndefines = [\"A=1\"]\nglobal = 1024\n"
           "local = 64\ndynamic_shared = 16\n[arguments]\nn = 1\nm = 2\n";
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  PredictWords words;

private:
  std::filesystem::path directory_;
};

TEST_F(Request, TheFileAlone) {
  const auto request = make_request(words);
  ASSERT_TRUE(request) << to_string(request.error());
  EXPECT_EQ(request->kernel, "k");
  EXPECT_EQ(request->launch.global_items->x, 1024U);
  EXPECT_EQ(request->launch.dynamic_shared_bytes, 16U);
  EXPECT_EQ(std::filesystem::path(request->compile.path).filename(), "k.cl");
}

TEST_F(Request, TheCommandLineGoesBefore) {
  words.source = "other.cl";
  words.kernel = "j";
  words.grid = "4,2";
  words.arguments = {"n=7"};
  words.defines = {"A=2"};
  words.dynamic_shared_given = true;
  const auto request = make_request(words);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->compile.path, "other.cl");
  EXPECT_EQ(request->kernel, "j");
  EXPECT_FALSE(request->launch.global_items);
  EXPECT_EQ(*request->launch.groups, (facts::Dim3{4, 2, 1}));
  EXPECT_EQ(request->launch.group_size->x, 64U);
  EXPECT_EQ(request->launch.dynamic_shared_bytes, 0U);
  EXPECT_EQ(std::get<facts::ScalarValue>(request->launch.arguments.at("n")).text, "7");
  EXPECT_EQ(std::get<facts::ScalarValue>(request->launch.arguments.at("m")).text, "2");
  EXPECT_EQ(request->compile.defines,
            (std::vector<std::string>{"A=1", "A=2"})); // the compiler takes the last
}

TEST_F(Request, Policies) {
  words.trip_counts = {"14=100", "20=0"};
  words.branches = {"16=0.25"};
  words.registers = "40";
  words.cache = "warm";
  const auto request = make_request(words);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->run.unknown.trip_counts.at(14), 100U);
  EXPECT_EQ(request->run.unknown.trip_counts.at(20), 0U);
  EXPECT_EQ(request->run.unknown.branch_probabilities.at(16), 0.25);
  EXPECT_EQ(request->registers_given, 40);
  EXPECT_EQ(request->cache, engine::CacheState::warm);
}

} // namespace
} // namespace forewarp::cli
