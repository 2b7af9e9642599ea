#include "support/expression.h"

#include <gtest/gtest.h>

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

} // namespace
} // namespace forewarp
