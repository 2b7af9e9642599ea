// What the inputs' ranges decide is decided when the program is made.
#include "symbolic/program/evaluator.h"

#include <gtest/gtest.h>

namespace forewarp::symbolic {
namespace {

struct OneInput {
  Program program{{"n"}, {{1, 100}}};
  Real n{program, program.of(Expression::symbol("n"))};
};

TEST(Program, RangesDecideComparisonsAndEnds) {
  OneInput of;
  const Real zero = of.n.number(0);
  EXPECT_EQ(is_less(zero, of.n).index(), of.n.number(1).index());   // 1 <= n
  EXPECT_EQ(is_less(of.n * 2, zero).index(), zero.index());         // 2 n < 0: never
  EXPECT_EQ(larger(of.n, zero).index(), of.n.index());              // max(n, 0)
  EXPECT_EQ(smaller(of.n, of.n.number(100)).index(), of.n.index()); // min(n, 100)
  EXPECT_EQ((of.n / of.n).index(), of.n.number(1).index());         // n is not 0
  EXPECT_NE(is_less(of.n.number(50), of.n).index(), zero.index());  // open
  EXPECT_EQ((of.n + zero * of.n).index(), of.n.index());
}

// n - 1 may be 0, where the quotient is 0 and not 1.
TEST(Program, QuotientsOfWhatMayBeZeroStay) {
  OneInput of;
  const Real x = of.n - 1;
  const Real quotient = x / x;
  std::vector<double> steps;
  const double at_one = 1, at_two = 2;
  of.program.evaluate(&at_one, steps);
  EXPECT_EQ(steps[quotient.index()], 0);
  of.program.evaluate(&at_two, steps);
  EXPECT_EQ(steps[quotient.index()], 1);
}

// Counts are never negative, which their expressions need not show: n - 1 - floor(n / 2).
TEST(Program, WhatIsKnownBesideNarrows) {
  OneInput of;
  const Real count = of.n - 1 - of.n / 2;
  EXPECT_LT(count.bounds().low, 0);
  of.program.narrow(count.index(), {.low = 0});
  EXPECT_EQ(larger(count, of.n.number(0)).index(), count.index());
}

} // namespace
} // namespace forewarp::symbolic
