// W's own numbers: the costs of section 3.1, Expression 12, and the simplification of Fig. 6.
#include "symbolic/algebra/parse.h"
#include "symbolic/conditions/residues.h"
#include "symbolic/conditions/structural_condition.h"

#include <gtest/gtest.h>

using namespace forewarp;
using namespace forewarp::symbolic;

namespace {

using Operator = StructuralCondition::Operator;

Expression read(const std::string& text) {
  return *parse(text, "test",
                [](const std::string& name) -> Result<Expression> { return Expression::symbol(name); });
}

TEST(StructuralCondition, ScanStepOfFourWarps) {
  // t <= i, T = 128: Expression 11 is (T^2 - T + 2 T) / 2 = 8256, twice for two passes.
  const StructuralCondition c{.op = Operator::at_most, .threads = 128};
  EXPECT_EQ(evaluation_cost(c), 2 * 8256.0);
  const ConditionWeight w = weigh(c);
  ASSERT_TRUE(w.evaluated);
  // I_0 = (A (T - 1) + B - beta) / alpha = 127. Warp w runs from i = 32 w on: 127 + 95 + 63 + 31 of 4 x 127.
  EXPECT_EQ(w.iterations_with_divergence, 127);
  EXPECT_DOUBLE_EQ(w.weight_before, (127 + 95 + 63 + 31) / (4 * 127.0));
  // Expression 12 at I = 1000: (873 + w_0 127) / 1000
  EXPECT_DOUBLE_EQ(w.overall(1000), (873 + w.weight_before * 127) / 1000);
  // fewer than I_0: w_0
  EXPECT_DOUBLE_EQ(w.overall(50), w.weight_before);
}

TEST(StructuralCondition, ModuloCostAndWeight) {
  // t = 0 (mod 2^i), T = 64: A T (T - 1) / 4 = 1008 steps, twice.
  const StructuralCondition c{.op = Operator::divisible, .beta = 0, .geometric = true, .threads = 64};
  EXPECT_EQ(evaluation_cost(c), 2 * 1008.0);
  const ConditionWeight w = weigh(c);
  // 2^6 = 64 is beyond 63: I_0 = 6. Multiples of 1, 2, ... 32 are in both warps; then only t = 0 is left.
  EXPECT_EQ(w.iterations_with_divergence, 6);
  EXPECT_EQ(w.active_warps, (std::vector<std::uint32_t>{2, 2, 2, 2, 2, 2}));
  EXPECT_DOUBLE_EQ(w.weight_after, 0.5);
}

TEST(StructuralCondition, TooDearIsTrueForAll) {
  const ConditionWeight w = weigh({.op = Operator::at_most, .a = 1000, .threads = 1024}, 1e6);
  EXPECT_FALSE(w.evaluated);
  EXPECT_GT(w.cost, 1e6);
  EXPECT_EQ(w.overall(10), 1);
}

TEST(Simplification, Figure6) {
  // Expression 15: floor((b N + t) / 2^j) 2^(j + 1) + (b N + t) mod 2^j + i 2^j. With N = k 2^J its terms in
  // b and t come apart: 2 b N + floor(t / 2^j) 2^(j + 1) + t mod 2^j + i 2^j.
  const Expression sum = read("b * N + t"), power = read("2^j");
  const Expression whole = floor_div(sum, power) * read("2^(j + 1)") + modulo(sum, power) + read("i * 2^j");
  const Simplified simple = simplify_under_constraints(whole, {"N"}, {{"j", Expression::symbol("J")}});
  const Expression t = read("t");
  EXPECT_EQ(simple.value,
            read("2 * b * N + i * 2^j") + floor_div(t, power) * read("2^(j + 1)") + modulo(t, power));
  ASSERT_EQ(simple.constraints.size(), 1U);
  EXPECT_EQ(simple.constraints[0].symbol, "N");
  EXPECT_EQ(simple.constraints[0].exponent, read("J"));
  // Under the constraint the two are equal: N = 3 * 2^4, j <= 4.
  for (std::int64_t j = 0; j <= 4; ++j)
    for (std::int64_t at_t = 0; at_t < 40; ++at_t) {
      const std::map<std::string, std::int64_t> at = {{"b", 5}, {"N", 48}, {"t", at_t},
                                                      {"i", 2}, {"j", j},  {"J", 4}};
      EXPECT_EQ(evaluate(whole, at), evaluate(simple.value, at));
    }
}

TEST(Residues, SharedMemoryByHand) {
  const auto lanes = lanes_of({256, 1, 1}, 32, 0);
  // 4 t: every lane its own bank; 8 t: two lanes a bank; a column of 32 floats: all lanes one bank; padded:
  // none.
  EXPECT_EQ(bank_passes(read("4 * item.x"), 4, lanes, {}).mean, 1);
  EXPECT_EQ(bank_passes(read("8 * item.x"), 4, lanes, {}).mean, 2);
  EXPECT_EQ(bank_passes(read("128 * item.x + 4 * i"), 4, lanes, {}).mean, 32);
  EXPECT_EQ(bank_passes(read("132 * item.x + 4 * i"), 4, lanes, {}).mean, 1);
  EXPECT_EQ(bank_passes(read("4 * i"), 4, lanes, {}).mean, 1); // broadcast
  // GeForce 8800: 16 banks, a half-warp at a time: 2 passes a warp without conflicts
  EXPECT_EQ(bank_passes(read("4 * item.x"), 4, lanes, {16, 4, 16}).mean, 2);
}

TEST(Residues, SegmentsByHand) {
  const auto lanes = lanes_of({256, 1, 1}, 32, 0);
  // 128 aligned bytes are four sectors of 32; with any start of a float, 4 + 7/8 in the mean
  EXPECT_EQ(segments(read("4 * item.x + 1024 * group.x"), 4, lanes, 32).mean, 4);
  EXPECT_EQ(segments(read("4 * item.x + 4 * n"), 4, lanes, 32).mean, 4.875);
  EXPECT_EQ(segments(read("128 * item.x"), 4, lanes, 32).mean, 32);
  // n t of unknown n: residues mod the segment do not say how far lanes are apart
  EXPECT_FALSE(segments(read("4 * n * item.x"), 4, lanes, 32).exact);
}

} // namespace
