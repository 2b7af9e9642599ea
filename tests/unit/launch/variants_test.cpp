#include "launch/launch_template.h"
#include "launch/variants.h"

#include <gtest/gtest.h>

namespace forewarp::launch {
namespace {

constexpr const char* two_launches = R"toml(
global = "{n * n}"
[arguments]
a = ["{n}", "x{n + 0.5}"]
[values]
n = 4
m = 1
[variants]
large = { n = 8 }
)toml";

toml::table filled(const std::string& text, const std::string& variant) {
  toml::table table = toml::parse(text).table();
  const auto result = fill_values(table, variant, "l.toml");
  EXPECT_TRUE(result) << to_string(result.error());
  return table;
}

TEST(Variants, FillsEveryTextOfTheFile) {
  const toml::table table = filled(two_launches, "");
  EXPECT_EQ(table["global"].value<std::string>(), "16");
  EXPECT_EQ(table["arguments"]["a"][0].value<std::string>(), "4");
  EXPECT_EQ(table["arguments"]["a"][1].value<std::string>(), "x4.5");
  EXPECT_FALSE(table.contains("values") || table.contains("variants"));
}

TEST(Variants, AVariantChangesOnlyItsValues) {
  EXPECT_EQ(filled(two_launches, "large")["global"].value<std::string>(), "64");
  EXPECT_EQ(names_of_variants(toml::parse(two_launches).table()), std::vector<std::string>{"large"});
}

TEST(Variants, WithoutValuesBracesAreText) {
  EXPECT_EQ(filled("source = \"{a}.cl\"", "")["source"].value<std::string>(), "{a}.cl");
}

TEST(Variants, WhatIsWrongIsRefused) {
  for (const char* text :
       {"values = 3", "[values]\nn = \"4\"", "[variants]\na = { n = 1 }", "global = \"{n\"\n[values]\nn = 1",
        "[values]\nn = 1\n[variants]\na = { m = 1 }", "[values]\nn = 1\n[variants]\na = 3",
        "variants = 3\n[values]\nn = 1", "global = \"{m}\"\n[values]\nn = 1"}) {
    toml::table table = toml::parse(text).table();
    const auto result = fill_values(table, "", "l.toml");
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().code, ErrorCode::bad_input) << text;
  }
}

TEST(Variants, AFileReadOnceIsFilledAsOneThatIsReadEachTime) {
  const std::string path = FOREWARP_SOURCE_DIR "/corpus/btree_find_key/default.toml:small_tree";
  const auto file = LaunchTemplate::open(path);
  ASSERT_TRUE(file) << to_string(file.error());
  for (const std::map<std::string, double>& values :
       {std::map<std::string, double>{}, {{"queries", 17}}, {{"queries", 5}, {"children", 3}}}) {
    const auto once = file->with(values), again = read_launch_file(path, values);
    ASSERT_TRUE(once && again);
    EXPECT_EQ(once->launch.global_items, again->launch.global_items);
    EXPECT_EQ(std::get<facts::BufferValue>(once->launch.arguments.at("leaf_key")).count,
              std::get<facts::BufferValue>(again->launch.arguments.at("leaf_key")).count);
    EXPECT_EQ(once->source, again->source);
  }
  const auto wrong = file->with({{"queries", 0.5}}), told = read_launch_file(path, {{"queries", 0.5}});
  ASSERT_FALSE(wrong || told);
  EXPECT_EQ(to_string(wrong.error()), to_string(told.error()));
}

TEST(Variants, AColonNamesAVariant) {
  using Pair = std::pair<std::string, std::string>;
  EXPECT_EQ(split_variant("none/l.toml:small"), Pair("none/l.toml", "small"));
  EXPECT_EQ(split_variant("none/l.toml"), Pair("none/l.toml", ""));
}

} // namespace
} // namespace forewarp::launch
