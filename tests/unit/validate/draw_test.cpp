#include "validate/draw.h"

#include <gtest/gtest.h>

#include <set>

namespace forewarp::validate {
namespace {

Template text(const std::string& words) {
  return *Template::parse(words, "test");
}

Expression number(const std::string& words) {
  return *Expression::parse(words, "test");
}

/// Defines by `tile`, arguments by `n`; `time` is no part of a configuration.
struct Draw : testing::Test {
  SuiteKernel kernel;
  Draw() {
    kernel.name = "k";
    kernel.defines.emplace("TILE", text("{tile}"));
    kernel.grid.push_back(number("ceildiv(n, tile)"));
    kernel.arguments.emplace("n", text("{n}"));
  }
  Row row(std::size_t index, const std::string& gpu, double tile, double n) const {
    return {index, &kernel, gpu, {{"tile", tile}, {"n", n}, {"time", 7.0 * static_cast<double>(index)}}};
  }
  /// Every tile with every n; on GPU "b" in the other order.
  Spaces spaces() const {
    Spaces spaces;
    for (std::size_t i = 0; i < 60; ++i) {
      spaces[{"k", "a"}].push_back(row(i, "a", static_cast<double>(i % 10), static_cast<double>(i / 10)));
      const std::size_t j = 59 - i;
      spaces[{"k", "b"}].push_back(row(i, "b", static_cast<double>(j % 10), static_cast<double>(j / 10)));
    }
    return spaces;
  }
};

TEST_F(Draw, TakesSoManyOfEachSpaceInPlacesByTheDatasOrder) {
  std::map<std::size_t, const DrawnRow*> by_place;
  const std::vector<Part> parts = draw(spaces(), 12, 1);
  for (const Part& part : parts)
    for (const DrawnRow& one : part)
      EXPECT_TRUE(by_place.emplace(one.place, &one).second);
  ASSERT_EQ(by_place.size(), 24U);
  EXPECT_EQ(by_place.rbegin()->first, 23U);
  for (std::size_t place = 1; place < 24; ++place) {
    const Row &before = by_place[place - 1]->row, &here = by_place[place]->row;
    EXPECT_EQ(here.data_gpu, place < 12 ? "a" : "b");
    if (before.data_gpu == here.data_gpu) {
      EXPECT_LT(before.index, here.index);
    }
  }
}

TEST_F(Draw, RowsOfEqualDefinesStandTogether) {
  std::vector<std::uint64_t> codes;
  for (const Part& part : draw(spaces(), 0, 1))
    for (const DrawnRow& one : part)
      if (codes.empty() || codes.back() != one.code)
        codes.push_back(one.code);
  EXPECT_EQ(codes.size(), 10U); // one stretch a tile, of both GPUs
}

TEST_F(Draw, ConfigurationsAreTheSameOnEveryGpuWhateverWasMeasured) {
  std::map<std::string, std::map<std::pair<double, double>, std::uint64_t>> found;
  for (const Part& part : draw(spaces(), 0, 1))
    for (const DrawnRow& one : part)
      found[one.row.data_gpu][{one.row.values.at("tile"), one.row.values.at("n")}] = one.configuration;
  EXPECT_EQ(found["a"].size(), 60U);
  EXPECT_EQ(found["a"], found["b"]);
  std::set<std::uint64_t> distinct;
  for (const auto& [values, configuration] : found["a"])
    distinct.insert(configuration);
  EXPECT_EQ(distinct.size(), 60U);
}

/// What is drawn of a GPU's space.
std::multiset<std::pair<double, double>> drawn_of(const std::vector<Part>& parts, const std::string& gpu) {
  std::multiset<std::pair<double, double>> values;
  for (const Part& part : parts)
    for (const DrawnRow& one : part)
      if (one.row.data_gpu == gpu)
        values.insert({one.row.values.at("tile"), one.row.values.at("n")});
  return values;
}

TEST_F(Draw, EveryGpuGetsTheSameConfigurations) {
  const std::vector<Part> parts = draw(spaces(), 12, 33);
  EXPECT_EQ(drawn_of(parts, "a").size(), 12U);
  EXPECT_EQ(drawn_of(parts, "a"), drawn_of(parts, "b"));
  EXPECT_NE(drawn_of(parts, "a"), drawn_of(draw(spaces(), 12, 34), "a"));
}

TEST_F(Draw, AGpuThatLacksSomeGetsTheOthers) {
  Spaces fewer = spaces();
  std::vector<Row>& rows = fewer[{"k", "b"}];
  rows.erase(rows.begin(), rows.begin() + 20);
  const std::vector<Part> parts = draw(std::move(fewer), 12, 33);
  const auto a = drawn_of(parts, "a"), b = drawn_of(parts, "b");
  EXPECT_EQ(b.size(), 12U);
  for (const auto& configuration : a) // n of 4 and 5 lie in the first 20 rows of b
    EXPECT_EQ(b.contains(configuration), configuration.second < 4);
}

TEST_F(Draw, WhatWasMeasuredOftenIsNotDrawnAsOne) {
  Spaces repeated;
  for (std::size_t i = 0; i < 80; ++i)
    repeated[{"k", "a"}].push_back(row(i, "a", static_cast<double>(i % 4), 1));
  const auto drawn = drawn_of(draw(std::move(repeated), 40, 1), "a");
  for (double tile = 0; tile < 4; ++tile)
    EXPECT_GT(drawn.count({tile, 1}), 3U) << tile;
}

} // namespace
} // namespace forewarp::validate
