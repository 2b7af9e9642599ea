// Conditions against brute force, residues against enumeration.
#include "symbolic/conditions/implication.h"
#include "symbolic/conditions/lanes.h"
#include "symbolic/conditions/residues.h"
#include "symbolic/conditions/structural_condition.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

using namespace forewarp::symbolic;

namespace {

using Operator = StructuralCondition::Operator;

TEST(StructuralConditions, EqualBruteForce) {
  std::mt19937 random(5);
  const auto draw = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  };
  for (int trial = 0; trial < 150; ++trial) {
    StructuralCondition c{.op = trial % 2 == 0 ? Operator::at_most : Operator::divisible,
                          .a = draw(0, 5),
                          .b = draw(0, 40),
                          .alpha = draw(1, 4),
                          .beta = draw(1, 9),
                          .geometric = draw(0, 1) == 1,
                          .threads = draw(1, 130)};
    if (c.geometric)
      c.beta = draw(0, 2), c.alpha = draw(1, 2);
    const ConditionWeight w = weigh(c, 1e9);
    ASSERT_TRUE(w.evaluated);
    const std::int64_t warps = (c.threads + 31) / 32;
    const auto active = [&](std::int64_t i) {
      std::set<std::int64_t> some;
      for (std::int64_t t = 0; t < c.threads; ++t)
        if (c.holds(t, i))
          some.insert(t / 32);
      return some.size();
    };
    double sum = 0;
    for (std::int64_t i = 0; i < w.iterations_with_divergence; ++i) {
      ASSERT_EQ(w.active_warps[static_cast<std::size_t>(i)], active(i));
      sum += static_cast<double>(active(i));
    }
    for (std::int64_t i = w.iterations_with_divergence; i < w.iterations_with_divergence + 3; ++i) {
      ASSERT_DOUBLE_EQ(w.weight_after, static_cast<double>(active(i)) / static_cast<double>(warps));
      sum += static_cast<double>(active(i));
    }
    const std::int64_t all = w.iterations_with_divergence + 3;
    EXPECT_NEAR(w.overall(all), sum / static_cast<double>(all * warps), 1e-12);
  }
}

bool holds(const Condition& condition, const std::map<std::string, std::int64_t>& at) {
  for (const Conjunction& all : condition.any_of) {
    bool every = true;
    for (const Comparison& c : all) {
      const int sign = evaluate(c.value, at)->sign();
      every = every && (c.kind == Comparison::Kind::not_negative ? sign >= 0
                        : c.kind == Comparison::Kind::zero       ? sign == 0
                                                                 : sign != 0);
    }
    if (every)
      return true;
  }
  return false;
}

TEST(RandomConditions, ReductionKeepsTheTruthAndAnyLaneIsAnyLane) {
  std::mt19937 random(9);
  const auto draw = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  };
  const Expression t = Expression::symbol("item.x"), g = Expression::symbol("g"), i = Expression::symbol("i");
  const Ranges ranges = {{"g", {Rational(0), Rational(6)}}, {"i", {Rational(0), std::nullopt}}};
  const auto lanes = lanes_of({64, 1, 1}, 32, 1);
  unsigned shorter = 0;
  for (int trial = 0; trial < 300; ++trial) {
    Condition condition;
    for (int a = draw(1, 3); a > 0; --a) {
      Conjunction all;
      for (int c = draw(1, 4); c > 0; --c) {
        const Expression line = Expression(draw(-2, 2)) * t + Expression(draw(-20, 20)) * g +
                                Expression(draw(-9, 9)) * i + draw(-60, 60);
        all.push_back({Comparison::Kind::not_negative,
                       draw(0, 3) == 0 ? floor_div(line, draw(2, 9)) - Expression(draw(0, 2)) * i : line});
      }
      condition.any_of.push_back(std::move(all));
    }
    const Condition fewer = reduced(condition, ranges), some = any_lane(condition, lanes, ranges);
    shorter += text(fewer) != text(condition) ? 1 : 0;
    for (int point = 0; point < 20; ++point) {
      std::map<std::string, std::int64_t> at = {{"g", draw(0, 6)}, {"i", draw(0, 12)}};
      bool any = false;
      for (at["item.x"] = 32; at["item.x"] < 64; ++at["item.x"]) {
        const bool here = holds(condition, at);
        any = any || here;
        ASSERT_EQ(holds(fewer, at), here) << text(condition) << "\n" << text(fewer);
      }
      ASSERT_EQ(holds(some, at), any) << text(condition) << "\n" << text(some);
    }
  }
  EXPECT_GT(shorter, 50U);
}

TEST(RandomResidues, EqualEnumeration) {
  std::mt19937 random(6);
  const auto draw = [&](int n) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(n)); };
  const Expression t = Expression::symbol("item.x"), g = Expression::symbol("g"), i = Expression::symbol("i");
  const auto lanes = lanes_of({64, 1, 1}, 32, 1);
  unsigned exact = 0;
  for (int trial = 0; trial < 60; ++trial) {
    // accepted: A t + B, floor(t / 2^k), t mod 2^k, and a part without the work-item
    const Expression offset = Expression(4 * draw(9)) * t +
                              Expression(4 * draw(5)) * floor_div(t, std::int64_t{1} << draw(5)) +
                              Expression(4 * draw(5)) * modulo(t, std::int64_t{1} << draw(5)) +
                              Expression(4 * draw(4)) * g + Expression(4 * draw(7)) * i * g;
    for (const bool banks : {true, false}) {
      const AccessPattern pattern =
          banks ? bank_passes(offset, 4, lanes, {}) : segments(offset, 4, lanes, 32);
      if (!pattern.exact)
        continue;
      ++exact;
      // Enumerated values have to lie between the extremes, and are all equal for banks.
      double low = 1e9, high = 0;
      for (std::int64_t at_g = 0; at_g < 8; ++at_g)
        for (std::int64_t at_i = 0; at_i < 8; ++at_i) {
          std::vector<std::set<std::int64_t>> of_bank(32);
          std::set<std::int64_t> touched;
          for (std::int64_t x = 32; x < 64; ++x) {
            const auto address = evaluate(offset, {{"item.x", x}, {"g", at_g}, {"i", at_i}})->numerator();
            of_bank[static_cast<std::size_t>(address / 4 % 32)].insert(
                static_cast<std::int64_t>(address / 4));
            touched.insert(static_cast<std::int64_t>(address / 32));
          }
          std::size_t most = 0;
          for (const auto& words : of_bank)
            most = std::max(most, words.size());
          const double value = static_cast<double>(banks ? most : touched.size());
          low = std::min(low, value);
          high = std::max(high, value);
        }
      EXPECT_LE(low, pattern.mean + 1e-12) << offset.text();
      EXPECT_GE(high, pattern.mean - 1e-12) << offset.text();
      if (banks) {
        EXPECT_EQ(low, high) << offset.text();
      }
    }
  }
  EXPECT_GT(exact, 90U);
}

} // namespace
