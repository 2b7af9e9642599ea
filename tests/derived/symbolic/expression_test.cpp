// Canonical forms and sums by hand.
#include "symbolic/algebra/floors.h"
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

TEST(Sum, FloorsOfAGridStrideLoop) {
  const Expression g = Expression::symbol("g"), n = Expression::symbol("n"), k = Expression::symbol("k");
  const Ranges ranges = {{"n", {Rational(1), std::nullopt}}, {"k", {Rational(1), std::nullopt}}};
  // Of 512 groups of 256 each takes every 131072nd element from its own on: all take ceil(n / 256) parts.
  const Expression taken = not_negative(n - Expression(1) - Expression(256) * g - Expression(131072) * k);
  const Expression parts = sum_over(taken, "k", 0, std::nullopt, ranges);
  EXPECT_EQ(sum_over(parts, "g", 0, 512, ranges), ceil_div(n, 256));
  // 0, 0, 0, 1, 1, 1, 2, ..: n = 8 adds up to 3 + 4
  const Expression thirds = sum_over(floor_div(g, 3), "g", 0, n, ranges);
  EXPECT_EQ(evaluate(thirds, {{"n", 8}}), std::optional(Rational(7)));
  // k groups, each from its own element on every k-th: k shares of n are n
  const Expression shares = sum_over(floor_div(n + g, k), "g", 0, k, ranges);
  EXPECT_EQ(shares, n);
}

TEST(Floors, OfEvenShiftsAreOne) {
  // The 8 warps of each group of 256: ceil(n / 32) in all.
  Expression warps, pairs;
  const Expression n = Expression::symbol("n"), m = Expression::symbol("m");
  for (int w = 0; w < 8; ++w)
    warps += (Expression(3) * m * floor_div(n + Expression(31 + 32 * w), 256));
  EXPECT_EQ(floors_together(warps), Expression(3) * m * ceil_div(n, 32));
  // Two of three thirds stay.
  pairs = floor_div(n, 3) + floor_div(n + Expression(1), 3);
  EXPECT_EQ(floors_together(pairs), pairs);
}

TEST(Truth, OfOneFloorIsOfWhatItDivides) {
  // floor((n - 1) / 8) - i >= 0: n - 1 >= 8 i
  EXPECT_EQ(not_negative(read("floor((n - 1) / 8) - i")), not_negative(read("n - 1 - 8 * i")));
  // i - floor(n / 8) >= 0: n < 8 (i + 1)
  EXPECT_EQ(not_negative(read("i - floor(n / 8)")), not_negative(read("8 * i + 7 - n")));
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
