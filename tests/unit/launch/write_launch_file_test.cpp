// A launch that is written is read again as it was.
#include "launch/parse.h"
#include "launch/write_launch_file.h"

#include <gtest/gtest.h>

namespace forewarp::launch {
namespace {

TEST(WriteLaunchFile, IsReadAgainAsItWas) {
  LaunchFileParts parts;
  parts.source = "a \"b\".cu";
  parts.kernel = "scale<float>";
  parts.head = {"what was assumed"};
  parts.comments["argument n"] = "int";
  parts.order = {"n", "x", "s", "v", "0"};
  facts::Launch& launch = parts.launch;
  launch.groups = facts::Dim3{8, 4, 1};
  launch.group_size = facts::Dim3{64, 1, 1};
  launch.dynamic_shared_bytes = 48;
  launch.arguments["n"] = facts::ScalarValue{"1000"};
  launch.arguments["v"] = facts::ScalarValue{"1,2,3,4"};
  launch.arguments["s"] = facts::ScalarValue{"", {0, 0xff, 0x1a, 7}};
  launch.arguments["0"] = facts::ScalarValue{"2.5"};
  launch.arguments["x"] =
      facts::BufferValue{facts::ScalarType::f64,
                         100,
                         {.kind = facts::BufferContents::Kind::random, .seed = 3, .low = 1, .high = 2}};
  launch.arguments["table"] = facts::BufferValue{
      facts::ScalarType::u8, 4, {.kind = facts::BufferContents::Kind::bytes, .bytes = {1, 2, 3, 4}}};
  launch.arguments["open"] = facts::BufferValue{facts::ScalarType::f32, 0, {}};
  const auto file = parse_launch_file(launch_file_text(parts), "l.toml", ".");
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_EQ(file->kernel, parts.kernel);
  EXPECT_EQ(file->launch.groups, launch.groups);
  EXPECT_EQ(file->launch.group_size, launch.group_size);
  EXPECT_EQ(file->launch.dynamic_shared_bytes, 48U);
  ASSERT_EQ(file->launch.arguments.size(), launch.arguments.size());
  for (const char* name : {"n", "v", "0"})
    EXPECT_EQ(std::get<facts::ScalarValue>(file->launch.arguments.at(name)).text,
              std::get<facts::ScalarValue>(launch.arguments.at(name)).text)
        << name;
  EXPECT_EQ(std::get<facts::ScalarValue>(file->launch.arguments.at("s")).bytes,
            std::get<facts::ScalarValue>(launch.arguments.at("s")).bytes);
  const auto& x = std::get<facts::BufferValue>(file->launch.arguments.at("x"));
  EXPECT_EQ(x.type, facts::ScalarType::f64);
  EXPECT_EQ(x.count, 100U);
  EXPECT_EQ(x.contents.seed, 3U);
  EXPECT_EQ(x.contents.high, 2);
  EXPECT_EQ(std::get<facts::BufferValue>(file->launch.arguments.at("table")).contents.bytes,
            (std::vector<std::uint8_t>{1, 2, 3, 4}));
  EXPECT_EQ(std::get<facts::BufferValue>(file->launch.arguments.at("open")).count, 0U);
}

TEST(SpelledTypes, AsCAndOpenClSpellThem) {
  const auto count_and_type = [](const std::string& text) {
    const auto argument = parse_argument("x=buffer:" + text);
    if (!argument)
      return std::pair<std::uint64_t, std::string>{0, to_string(argument.error())};
    const auto& buffer = std::get<facts::BufferValue>(argument->second);
    return std::pair<std::uint64_t, std::string>{buffer.count, std::string(facts::to_string(buffer.type))};
  };
  EXPECT_EQ(count_and_type("float4[8]"), (std::pair<std::uint64_t, std::string>{32, "f32"}));
  EXPECT_EQ(count_and_type("unsigned long[8]"), (std::pair<std::uint64_t, std::string>{8, "u64"}));
  EXPECT_EQ(count_and_type("size_t[8]"), (std::pair<std::uint64_t, std::string>{8, "u64"}));
  EXPECT_EQ(count_and_type("half2[8]"), (std::pair<std::uint64_t, std::string>{16, "f16"}));
  EXPECT_EQ(count_and_type("i8[8]"), (std::pair<std::uint64_t, std::string>{8, "i8"}));
  EXPECT_EQ(count_and_type("double[8]"), (std::pair<std::uint64_t, std::string>{8, "f64"}));
  EXPECT_EQ(count_and_type("float99[8]").first, 0U);
}

} // namespace
} // namespace forewarp::launch
