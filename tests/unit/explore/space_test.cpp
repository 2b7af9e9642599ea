#include "explore/space/space.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace forewarp::explore {
namespace {

Space must(const SpaceSpec& spec) {
  auto space = Space::make(spec);
  EXPECT_TRUE(space) << (space ? "" : to_string(space.error()));
  return *std::move(space);
}

std::string error_of(const SpaceSpec& spec) {
  const auto space = Space::make(spec);
  EXPECT_FALSE(space);
  return space ? "" : to_string(space.error());
}

std::string texts(const Space& space, std::uint64_t id) {
  const auto configuration = space.at(id);
  EXPECT_TRUE(configuration) << (configuration ? "" : to_string(configuration.error()));
  std::string text;
  for (const Value& value : *configuration)
    text += (text.empty() ? "" : " ") + value.text;
  return text;
}

std::vector<std::uint64_t> allowed(const Space& space) {
  std::vector<std::uint64_t> ids;
  for (auto id = space.next(0); *id; id = space.next(**id + 1))
    ids.push_back(**id);
  return ids;
}

TEST(Space, ListsAndRangesMultiply) {
  const Space space = must({{"A=1,2,5", "B=0:10:+5", "local=32:256:x2"}, {}, {}});
  EXPECT_EQ(space.points(), 3U * 3 * 4);
  EXPECT_EQ(texts(space, 0), "1 0 32");
  EXPECT_EQ(texts(space, 1), "1 0 64");
  EXPECT_EQ(texts(space, 35), "5 10 256");
}

TEST(Space, DefinesAreTheSlowestWhateverTheOrderWritten) {
  const Space space = must({{"local=1,2", "D=7,8", "n=1:3:+1"}, {}, {}, {}, {"n"}});
  EXPECT_EQ(texts(space, 0), "1 7 1");
  EXPECT_EQ(texts(space, 1), "2 7 1");
  EXPECT_EQ(texts(space, 2), "1 7 2");
  EXPECT_EQ(texts(space, 6), "1 8 1");
  EXPECT_EQ(space.points_per_variant(), 6U);
}

TEST(Space, ExpressionsFollowOtherParametersWhereverTheyStand) {
  const Space space = must({{"grid.x=ceildiv(n, local.x)", "local.x=T*2", "T=8,16", "a=buffer:f32[{n*n}]"},
                            {},
                            {},
                            {{"n", 100}},
                            {"a", "n"}});
  EXPECT_EQ(space.points(), 2U);
  EXPECT_EQ(texts(space, 0), "7 16 8 buffer:f32[10000]");
  EXPECT_EQ(texts(space, 1), "4 32 16 buffer:f32[10000]");
  EXPECT_TRUE(space.is_derived(0));
  EXPECT_FALSE(space.is_derived(2));
}

TEST(Space, WordsAreValuesOfDefines) {
  const Space space = must({{"TYPE=float,double", "OP='a+b'"}, {}, {}});
  EXPECT_EQ(texts(space, 1), "double a+b");
}

TEST(Space, SizesHaveComponentsInExpressions) {
  const Space space =
      must({{"local=8x8,16x16,32x4"}, {"local_x*local_y*local_z == 128", "local == 128"}, {}});
  EXPECT_EQ(allowed(space), std::vector<std::uint64_t>{2});
}

TEST(Space, ConditionsSkipWithoutLosingAny) {
  const Space space = must({{"A=1:20:+1", "B=1:20:+1", "C=1:20:+1"}, {"mod(A, 3) == 0", "A + B == C"}, {}});
  std::vector<std::uint64_t> expected;
  for (std::uint64_t id = 0; id < 8000; ++id) {
    const std::uint64_t a = id / 400 + 1, b = id / 20 % 20 + 1, c = id % 20 + 1;
    if (a % 3 == 0 && a + b == c)
      expected.push_back(id);
  }
  EXPECT_EQ(allowed(space), expected);
}

TEST(Space, ABillionPointsTakeNoMemoryAndAreReachedAtOnce) {
  const Space space = must({{"A=1:1000000:+1", "B=1:1000000:+1"}, {"A == 999999"}, {}});
  EXPECT_EQ(space.points(), 1'000'000'000'000U);
  EXPECT_EQ(texts(space, 999'999'999'999U), "1000000 1000000");
  EXPECT_EQ(**space.next(999'998'000'000U - 3), 999'998'000'000U);
}

TEST(Space, TableRowsAreOneDimension) {
  const auto table = std::make_shared<Table>(
      Table{{"X", "Y"}, {{number_value(1), number_value(2)}, {number_value(3), number_value(4)}}});
  const Space space = must({{"local.x=X*Y", "n=5,6"}, {}, table, {}, {"n"}});
  EXPECT_EQ(space.points(), 4U);
  EXPECT_EQ(texts(space, 0), "1 2 2 5");
  EXPECT_EQ(texts(space, 3), "3 4 12 6");
}

TEST(Space, ErrorsNameParameterAndColumn) {
  EXPECT_NE(error_of({{"A=1,,2"}, {}, {}}).find("--space A: column 5: an empty value"), std::string::npos);
  EXPECT_NE(error_of({{"A=1:x:+1"}, {}, {}}).find("--space A: column 5: 'x' is not a number"),
            std::string::npos);
  EXPECT_NE(error_of({{"A=9:1:+1"}, {}, {}}).find("column 3: the range 9:1:+1 is empty"), std::string::npos);
  EXPECT_NE(error_of({{"A=1:9:x1"}, {}, {}}).find("column 7: a factor has to be above 1"), std::string::npos);
  EXPECT_NE(error_of({{"A=1", "B=A*Q"}, {}, {}}).find("--space B: column 5: 'A*Q' uses 'Q'"),
            std::string::npos);
  EXPECT_NE(error_of({{"A=1", "B=2,(A+"}, {}, {}}).find("--space B: column "), std::string::npos);
  EXPECT_NE(error_of({{"A=B+1", "B=A+1"}, {}, {}}).find("depends on itself"), std::string::npos);
  EXPECT_NE(error_of({{"A=1"}, {"A > Q"}, {}}).find("--where: column 5: 'A > Q' uses 'Q'"),
            std::string::npos);
  EXPECT_NE(error_of({{"A=1", "A=2"}, {}, {}}).find("'A' and 'A' set the same thing"), std::string::npos);
  EXPECT_NE(error_of({{"local=1", "block.x=2"}, {}, {}}).find("set the same thing"), std::string::npos);
  EXPECT_NE(error_of({{"global=64", "grid=2"}, {}, {}}).find("set the same thing"), std::string::npos);
  EXPECT_NE(error_of({{"A"}, {}, {}}).find("'A' is not NAME=VALUES"), std::string::npos);
}

TEST(Shuffle, EveryPointComesOnce) {
  for (const std::uint64_t points : {1U, 2U, 3U, 100U, 1000U, 1025U}) {
    std::vector<std::uint64_t> seen;
    for (std::uint64_t i = 0; i < points; ++i)
      seen.push_back(shuffled(i, points, 7));
    std::sort(seen.begin(), seen.end());
    std::vector<std::uint64_t> all(points);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(seen, all) << points;
  }
  EXPECT_NE(shuffled(0, 1000, 1), shuffled(0, 1000, 2));
}

} // namespace
} // namespace forewarp::explore
