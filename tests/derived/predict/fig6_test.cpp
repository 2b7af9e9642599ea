// P Fig. 6: where the work flow graph's printed equations go wrong. One memory instruction, ILP 1, alpha_comp
// * Lambda_comp and Lambda_mem as given; computations latency bound (here lambda_comp tiny); the equations
// without the reduction.
#include "example_facts.h"

#include <algorithm>

namespace forewarp::models::example {
namespace {

struct Case {
  double compute, memory;
  std::vector<double> eq40, eq41;
};

facts::ModelFacts one_load(double compute_latency, double memory_latency, double warps) {
  facts::ModelFacts facts = two_subsystems(1, 1e-9, compute_latency, 1, 1e-9, memory_latency, warps);
  facts.flow = {compute(1, 1, 1e-9, compute_latency), load(1, 1e-9, memory_latency)};
  return facts;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {8, 6, {14, 16, 18, 20, 22, 24, 26, 28}, {14, 12, 11.33, 11, 10.8, 10.67, 10.57, 10.5}},
      {11, 3, {14, 11.5, 9, 6.5, 4, 1.5, -1, -3.5}, {14, 11.25, 10.33, 9.88, 9.6, 9.42, 9.29, 9.19}},
      {3, 11, {14, 23.5, 33, 42.5, 52, 61.5, 71, 80.5}, {14, 13.25, 13, 12.88, 12.8, 12.75, 12.71, 12.69}}};
  return all;
}

// Eq. 40 = compute + memory w - (w - 1) compute / 2, literally: the exposed latency may be negative, so it is
// taken from the steps, not from the reduction (which never goes below the transition arc).
TEST(Fig6, PublishedLiterally) {
  for (const Case& c : cases())
    for (unsigned w = 1; w <= 8; ++w) {
      const ModelPrediction prediction = predict("wfg", one_load(c.compute, c.memory, w));
      EXPECT_NEAR(c.compute + w * step(prediction, "Lambda_exposed"), c.eq40[w - 1], 1e-6)
          << c.compute << ' ' << w;
    }
}
// With the arc rule, case 2: 14 11.5 11 11 ...
TEST(Fig6, PublishedWithTheArcRule) {
  const std::vector<double> expected = {14, 11.5, 11, 11, 11, 11, 11, 11};
  for (unsigned w = 1; w <= 8; ++w)
    EXPECT_NEAR(predict("wfg", one_load(11, 3, w)).cycles_per_run, expected[w - 1], 1e-6);
}
// Eq. 41 alone divides the exposed latency by w: no model, it falls below one warp's time.
TEST(Fig6, Equation41Alone) {
  for (const Case& c : cases())
    for (unsigned w = 1; w <= 8; ++w) {
      const ModelPrediction prediction = predict("wfg", one_load(c.compute, c.memory, w));
      EXPECT_NEAR(c.compute + step(prediction, "Lambda_exposed"), c.eq41[w - 1], 6e-3)
          << c.compute << ' ' << w;
    }
}
TEST(Fig6, Corrected) {
  for (const Case& c : cases())
    for (unsigned w = 1; w <= 8; ++w)
      EXPECT_NEAR(predict("wfg_corrected", one_load(c.compute, c.memory, w)).cycles_per_run, 14, 1e-6);
}
TEST(Fig6, Volkov) {
  for (const Case& c : cases())
    for (unsigned w = 1; w <= 8; ++w)
      EXPECT_NEAR(predict("volkov", one_load(c.compute, c.memory, w)).cycles_per_run, 14, 1e-6);
}

} // namespace
} // namespace forewarp::models::example
