// Canonical forms and sums by hand.
#include "symbolic/algebra/parse.h"
#include "symbolic/algebra/sum.h"

#include <gtest/gtest.h>

using namespace forewarp;
using namespace forewarp::symbolic;

namespace {

Expression read(const std::string& text) {
  const auto value = parse(
      text, "test", [](const std::string& name) -> Result<Expression> { return Expression::symbol(name); });
  EXPECT_TRUE(value) << text;
  return value ? *value : Expression::beyond("no text");
}

TEST(Expression, EqualValuesHaveOneForm) {
  EXPECT_EQ(read("(n + 1) * (n - 1)").text(), "n^2 - 1");
  // floor((4 a + 6) / 4) = a + 1 + floor(2 / 4)
  EXPECT_EQ(read("floor((4 * a + 6) / 4)").text(), "a + 1");
  EXPECT_EQ(read("floor((6 * a + 4) / 4)").text(), "a + floor((a) / 2) + 1");
  EXPECT_EQ(read("4 * floor(x / 4) + mod(x, 4)").text(), "x");
  EXPECT_EQ(read("min(ceildiv(n, 8), floor(n / 8))").text(), "floor((n) / 8)");
  // 2^j 2^(j + 1) = 2 2^(2 j)
  EXPECT_EQ(read("2^j * 2^(j + 1)").text(), "2 * 2^(2 * j)");
}

TEST(Expression, BeyondStaysBeyond) {
  const Expression data = Expression::beyond("a loaded value at line 3");
  EXPECT_FALSE((data + 1).known());
  EXPECT_EQ((Expression(2) * data).why(), "a loaded value at line 3");
}

TEST(Sum, TriangleAndGuard) {
  const Ranges ranges = {{"n", {Rational(1), std::nullopt}}};
  const Expression i = Expression::symbol("i"), n = Expression::symbol("n");
  // 0 + 1 + ... + n - 1
  EXPECT_EQ(sum_over(i, "i", 0, n, ranges), read("(n * n - n) / 2"));
  // sum of n - i over i < n: n^2 - n (n - 1) / 2
  EXPECT_EQ(sum_over(n - i, "i", 0, n, ranges), read("(n * n + n) / 2"));
  // groups of 256 with a work-item below n: ceil(n / 256), whatever the grid that holds them all
  const Expression guard = not_negative(n - Expression(1) - Expression(256) * i);
  EXPECT_EQ(sum_over(guard, "i", 0, ceil_div(n, 256), ranges), ceil_div(n, 256));
}

TEST(Sum, ConditionsOnPowersOfTwo) {
  // s = 128 >> i > 0 holds for i = 0 .. 7: eight iterations
  const Expression i = Expression::symbol("i"), n = Expression::symbol("n");
  const Expression s = floor_div(128, power_of_two(i));
  const Expression runs = sum_over(not_negative(s - Expression(1)), "i", 0, std::nullopt, {});
  EXPECT_EQ(runs, Expression(8));
  // 2^i < n, n >= 1: ceil(log2(n)) = bits(n - 1) iterations
  const Ranges ranges = {{"n", {Rational(1), std::nullopt}}};
  EXPECT_EQ(sum_over(not_negative(n - Expression(1) - power_of_two(i)), "i", 0, std::nullopt, ranges),
            bit_length(n - Expression(1)));
}

TEST(Largest, FollowsWhatRisesAndFalls) {
  const Expression item = Expression::symbol("item.x"), n = Expression::symbol("n");
  const Ranges ranges = {{"n", {Rational(1), std::nullopt}}};
  // ceil((n - item) / 64) falls with the item: its largest is the first one's
  EXPECT_EQ(largest(ceil_div(n - item, 64), "item.x", 0, 63, ranges), ceil_div(n, 64));
  EXPECT_EQ(largest(n + item.scaled(2), "item.x", 0, 31, ranges), n + 62);
  EXPECT_EQ(largest(maximum(n - item, item), "item.x", 0, 31, ranges), maximum(n, 31));
  // 5 item - item n, term by term: a bound
  EXPECT_EQ(largest(item * (Expression(5) - n), "item.x", 0, 31, ranges), Expression(155));
  EXPECT_FALSE(largest(item * item, "item.x", 0, 31, ranges).known());
}

} // namespace
