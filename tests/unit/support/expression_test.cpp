#include "support/expression.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace forewarp {
namespace {

double value_of(const std::string& text, const std::map<std::string, double>& values) {
  auto expression = Expression::parse(text, "test");
  EXPECT_TRUE(expression) << text;
  auto value = expression->evaluate(values);
  EXPECT_TRUE(value) << text << (value ? "" : to_string(value.error()));
  return value.value_or(-1);
}

TEST(Expression, ComputesWithNamesAndFunctions) {
  EXPECT_EQ(value_of("4096 / (block_x * tile_x)", {{"block_x", 16}, {"tile_x", 2}}), 128);
  EXPECT_EQ(value_of("ceildiv(n, 256)", {{"n", 257}}), 2);
  EXPECT_EQ(value_of("n > 3 && n < 5 ? mod(n, 3) : 0", {{"n", 4}}), 1);
}

TEST(Expression, SyntaxErrorNamesTheColumn) {
  const auto expression = Expression::parse("4096 / (block", "suite.toml: grid");
  ASSERT_FALSE(expression);
  EXPECT_EQ(expression.error().where, "suite.toml: grid: column 14"); // right behind the text
}

TEST(Expression, MissingNameAndInfinityAreErrors) {
  const auto expression = Expression::parse("1 / blok_x", "test");
  ASSERT_TRUE(expression);
  const auto missing = expression->evaluate({{"block_x", 1}});
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().hint.find("block_x"), std::string::npos);
  EXPECT_FALSE(expression->evaluate({{"blok_x", 0}}));
}

TEST(Expression, ServesSeveralThreads) {
  const auto expression = Expression::parse("a * 2 + ceildiv(b, 3)", "test");
  ASSERT_TRUE(expression);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 500; ++i)
        wrong += expression->evaluate({{"a", t}, {"b", 3.0 * i}}).value_or(-1) != 2 * t + i;
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

} // namespace
} // namespace forewarp
