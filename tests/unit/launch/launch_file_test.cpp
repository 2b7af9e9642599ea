#include "launch/parse.h"

#include <gtest/gtest.h>

namespace forewarp::launch {
namespace {

Result<LaunchFile> parse(const std::string& text) {
  return parse_launch_file(text, "k.toml", "/data");
}

Error refused(const std::string& text) {
  const auto file = parse(text);
  EXPECT_FALSE(file) << text;
  return file ? Error{} : file.error();
}

TEST(LaunchFile, EveryKey) {
  const auto file = parse(R"toml(
source = "k.cl"
kernel = "k"
std = "CL2.0"
defines = ["T=16", "FAST"]
include_directories = ["inc"]
options = "-cl-mad-enable"
global = [1024, 512]
local = "16x16"
dynamic_shared = 2048
[arguments]
n = 1024
alpha = 1.5
yes = true
v = [1, 2, 3, 4]
a = "buffer:f32[64]:random(3)"
b = { type = "i32", count = 32, contents = "iota" }
c = { type = "i32", count = "8x8" }
d = { value = "7" }
)toml");
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_EQ(file->source, "/data/k.cl");
  EXPECT_EQ(file->kernel, "k");
  EXPECT_EQ(file->standard, "CL2.0");
  EXPECT_EQ(file->defines, (std::vector<std::string>{"T=16", "FAST"}));
  EXPECT_EQ(file->include_directories, std::vector<std::string>{"/data/inc"});
  EXPECT_EQ(file->options, std::vector<std::string>{"-cl-mad-enable"});
  EXPECT_EQ(*file->launch.global_items, (facts::Dim3{1024, 512, 1}));
  EXPECT_EQ(*file->launch.group_size, (facts::Dim3{16, 16, 1}));
  EXPECT_FALSE(file->launch.groups);
  EXPECT_EQ(file->launch.dynamic_shared_bytes, 2048U);
  const auto& arguments = file->launch.arguments;
  EXPECT_EQ(arguments.size(), 8U);
  EXPECT_EQ(std::get<facts::ScalarValue>(arguments.at("v")).text, "1,2,3,4");
  EXPECT_EQ(std::get<facts::ScalarValue>(arguments.at("yes")).text, "1");
  EXPECT_EQ(std::get<facts::ScalarValue>(arguments.at("alpha")).text, "1.5");
  EXPECT_EQ(std::get<facts::BufferValue>(arguments.at("a")).contents.seed, 3U);
  EXPECT_EQ(std::get<facts::BufferValue>(arguments.at("c")).count, 64U);
}

TEST(LaunchFile, ListOfArguments) {
  const auto file = parse(R"(
grid = 8
block = 128
arguments = [ "n=5", { name = "a", type = "f64", count = 2 }, { name = "1", value = 3 } ]
)");
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_EQ(file->launch.arguments.size(), 3U);
  EXPECT_EQ(file->launch.groups->x, 8U);
}

TEST(LaunchFile, UnknownKeyHasPlaceAndSuggestion) {
  const Error error = refused("global = 4\n  glbal = 8\n");
  EXPECT_EQ(error.code, ErrorCode::bad_input);
  EXPECT_EQ(error.where, "k.toml:2:3");
  EXPECT_EQ(error.hint, "did you mean 'global'?");
  EXPECT_EQ(refused("[arguments]\na = { typ = \"f32\", count = 4 }").hint, "did you mean 'type'?");
}

TEST(LaunchFile, SyntaxErrorHasPlace) {
  EXPECT_EQ(refused("global = \n").where.substr(0, 9), "k.toml:1:");
}

TEST(LaunchFile, NotUtf8) {
  EXPECT_EQ(refused("kernel = \"\xff\"").where, "k.toml:1:11");
  EXPECT_EQ(refused(std::string("kernel\0", 7)).code, ErrorCode::bad_input);
}

TEST(LaunchFile, LettersBeyondAsciiOutsideOfTexts) {
  // U+0274 (found by fuzzing: undefined behaviour in toml++), U+FEBF, U+4E2D.
  for (const char* text : {"\xC9\xB4x = 1", "\xEF\xBA\xBF = 1", "global = \xE4\xB8\xAD"})
    EXPECT_EQ(refused(text).code, ErrorCode::bad_input) << text;
  EXPECT_TRUE(parse("kernel = \"\xC9\xB4\" # \xC9\xB4"));
}

TEST(LaunchFile, WrongValuesAreBadInput) {
  for (const char* text :
       {"global = 0",
        "global = -4",
        "global = [1, 2, 3, 4]",
        "global = 1.5",
        "global = []",
        "kernel = 3",
        "defines = 3",
        "defines = [3]",
        "dynamic_shared = -1",
        "dynamic_shared = \"x\"",
        "global = 4\ngrid = 4",
        "local = 4\nblock = 4",
        "arguments = 3",
        "arguments = [3]",
        "arguments = [\"n\"]",
        "arguments = [\"n=1\", \"n=2\"]",
        "arguments = [{ value = 3 }]",
        "[arguments]\na = { count = 4 }",
        "[arguments]\na = { type = \"f32\" }",
        "[arguments]\na = { type = \"f32\", count = 4, contents = \"zeros\", file = \"a.bin\" }",
        "[arguments]\na = { value = 3, count = 4 }",
        "[arguments]\na = [1, \"x\"]",
        "[arguments]\na = 1979-05-27",
        "[arguments]\n\"a b\" = 3",
        "[arguments]\na = { type = \"f32\", count = 9223372036854775807 }",
        "global = 1\nglobal = 2"})
    EXPECT_EQ(refused(text).code, ErrorCode::bad_input) << text;
}

TEST(LaunchFile, MissingContentsFileIsNotFound) {
  EXPECT_EQ(refused("[arguments]\na = \"buffer:f32[4]:@none.npy\"").code, ErrorCode::not_found);
}

} // namespace
} // namespace forewarp::launch
