// Random expressions: canonical form, simplification, ranges and sums against plain evaluation.
#include "symbolic/algebra/sum.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

using namespace forewarp::symbolic;

namespace {

using Numbers = std::map<std::string, std::int64_t>;

/// An expression and the same computation without canonical forms.
struct Twin {
  Expression expression;
  std::function<std::int64_t(const Numbers&)> plain;
};

std::int64_t floor_of(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

Twin random_twin(std::mt19937& random, unsigned depth) {
  const auto draw = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  if (depth == 0 || draw(6) == 0) {
    if (draw(3) == 0) {
      const std::int64_t c = draw(15) - 7;
      return {Expression(c), [c](const Numbers&) { return c; }};
    }
    const std::string name(1, "abn"[draw(3)]);
    return {Expression::symbol(name), [name](const Numbers& v) { return v.at(name); }};
  }
  const Twin x = random_twin(random, depth - 1), y = random_twin(random, depth - 1);
  switch (draw(8)) {
  case 0:
  case 1:
    return {x.expression + y.expression, [=](const Numbers& v) { return x.plain(v) + y.plain(v); }};
  case 2:
    return {x.expression - y.expression, [=](const Numbers& v) { return x.plain(v) - y.plain(v); }};
  case 3:
    return {x.expression * y.expression, [=](const Numbers& v) { return x.plain(v) * y.plain(v); }};
  case 4: {
    const std::int64_t c = 1 + draw(12);
    return {floor_div(x.expression, c), [=](const Numbers& v) { return floor_of(x.plain(v), c); }};
  }
  case 5:
    return {minimum(x.expression, y.expression),
            [=](const Numbers& v) { return std::min(x.plain(v), y.plain(v)); }};
  case 6:
    return {maximum(x.expression, y.expression),
            [=](const Numbers& v) { return std::max(x.plain(v), y.plain(v)); }};
  default:
    return {not_negative(x.expression) + is_zero(y.expression),
            [=](const Numbers& v) { return std::int64_t{x.plain(v) >= 0} + std::int64_t{y.plain(v) == 0}; }};
  }
}

TEST(RandomExpressions, CanonicalFormKeepsTheValue) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    const Twin twin = random_twin(random, 4);
    const Ranges ranges = {{"a", {Rational(-5), Rational(9)}},
                           {"b", {Rational(0), Rational(7)}},
                           {"n", {Rational(1), std::nullopt}}};
    const Expression simple = simplify(twin.expression, ranges);
    const Interval range = bounds(twin.expression, ranges);
    for (int point = 0; point < 8; ++point) {
      const Numbers at = {
          {"a", static_cast<int>(random() % 15) - 5}, {"b", random() % 8}, {"n", 1 + random() % 40}};
      const auto value = evaluate(twin.expression, at);
      ASSERT_TRUE(value) << twin.expression.text();
      ASSERT_EQ(*value, Rational(twin.plain(at))) << twin.expression.text();
      ASSERT_EQ(evaluate(simple, at), value) << twin.expression.text() << " -> " << simple.text();
      ASSERT_FALSE(range.low && *value < *range.low) << twin.expression.text();
      ASSERT_FALSE(range.high && *range.high < *value) << twin.expression.text();
    }
  }
}

TEST(RandomExpressions, SumsAreWhatAddingGives) {
  std::mt19937 random(2);
  unsigned closed = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    const Twin twin = random_twin(random, 3);
    const Ranges ranges = {{"b", {Rational(0), Rational(7)}}, {"n", {Rational(0), std::nullopt}}};
    const Expression low = static_cast<int>(random() % 5) - 2;
    const Expression sum = sum_over(twin.expression, "a", low, Expression::symbol("n"), ranges);
    if (!sum.known())
      continue;
    ++closed;
    for (const std::int64_t n : {0, 1, 2, 7, 20, 33}) {
      const Numbers at = {{"b", random() % 8}, {"n", n}};
      Rational added;
      for (std::int64_t a = *low.whole_constant(); a < n; ++a) {
        Numbers with = at;
        with["a"] = a;
        added = added + Rational(twin.plain(with));
      }
      ASSERT_EQ(evaluate(sum, at), std::optional(added)) << twin.expression.text() << "\n" << sum.text();
    }
  }
  EXPECT_GT(closed, 800U);
}

TEST(RandomFloors, SumsOverRunsLongerThanAnyPeriod) {
  std::mt19937 random(5);
  const Expression v = Expression::symbol("v"), n = Expression::symbol("n"), m = Expression::symbol("m");
  const Ranges ranges = {{"n", {Rational(-40), std::nullopt}}, {"m", {Rational(1), std::nullopt}}};
  for (int trial = 0; trial < 120; ++trial) {
    const auto draw = [&](int low, int high) {
      return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
    };
    const std::int64_t factor = draw(1, 6), sign = draw(0, 1) == 0 ? -1 : 1, times = draw(1, 200);
    const bool open = draw(0, 1) == 0;
    const Expression divisor = open ? Expression(factor) * m : Expression(factor * times);
    const Expression above = Expression(sign * factor) * v + Expression(draw(-9, 9)) * n + draw(-50, 50);
    const Expression low = draw(-20, 20);
    const Expression sum = sum_over(floor_div(above, divisor), "v", low, low + n, ranges);
    ASSERT_TRUE(sum.known()) << sum.why();
    for (const std::int64_t at_n : {-3, 0, 1, 5, 64, 201}) {
      const Numbers at = {{"n", at_n}, {"m", draw(1, 90)}};
      Rational added;
      for (std::int64_t i = 0; i < at_n; ++i) {
        const Expression term = substitute(floor_div(above, divisor), {{"v", low + Expression(i)}});
        added = added + *evaluate(term, at);
      }
      ASSERT_EQ(evaluate(sum, at), std::optional(added)) << above.text() << " / " << divisor.text();
    }
  }
}

TEST(Solutions, AreWhereTheExpressionIsNotNegative) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 2000; ++trial) {
    const auto draw = [&](int low, int high) {
      return Expression(low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1)));
    };
    const Expression v = Expression::symbol("v"), n = Expression::symbol("n");
    const Expression power = power_of_two(draw(1, 3) * v + draw(0, 2));
    const Expression body[] = {draw(-9, 9) * v + n - draw(0, 30), draw(1, 4) * power - n - draw(0, 9),
                               n + draw(0, 9) - draw(1, 4) * power,
                               floor_div(n + draw(0, 50), power) - draw(1, 6),
                               draw(1, 6) - floor_div(n + draw(0, 50), power)};
    const Expression& a = body[random() % 5];
    const Ranges ranges = {{"v", {Rational(0), std::nullopt}}, {"n", {Rational(1), std::nullopt}}};
    const auto range = where_not_negative(a, "v", ranges);
    if (!range)
      continue;
    for (const std::int64_t at_n : {1, 2, 3, 8, 31, 32, 33, 1000})
      for (std::int64_t at = 0; at < 14; ++at) {
        const Numbers point = {{"v", at}, {"n", at_n}};
        bool inside = true;
        if (range->low)
          inside = inside && !(Rational(at) < *evaluate(*range->low, point));
        if (range->high)
          inside = inside && !(*evaluate(*range->high, point) < Rational(at));
        ASSERT_EQ(inside, evaluate(a, point)->sign() >= 0)
            << a.text() << " at v = " << at << ", n = " << at_n;
      }
  }
}

} // namespace
