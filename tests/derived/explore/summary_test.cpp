// A space of 2 x 3 x 2 configurations whose times are written down: what the summary says of it follows by
// hand.
#include "explore/summary.h"

#include <gtest/gtest.h>

#include <cmath>

namespace forewarp::explore {
namespace {

// time = 1 (A = 0) or 2 (A = 1), times 1, 2, 4 (B = 1, 2, 3); C does nothing. Shared memory = 100 * (3 - B) +
// 10 * A. A = 1, B = 3 is not valid.
Store filled(const Space& space) {
  auto store = Store::open("", {}, {"A", "B", "C"}, {"K620"});
  EXPECT_TRUE(store);
  for (std::uint64_t id = 0; id < space.points(); ++id) {
    const auto configuration = space.at(id);
    const double a = (*configuration)[0].number, b = (*configuration)[1].number;
    Row row{id, {}, {}};
    for (const Value& value : *configuration)
      row.values.push_back(value.text);
    Outcome o;
    o.valid = !(a == 1 && b == 3);
    if (o.valid) {
      o.time_ms = (1 + a) * std::pow(2, b - 1);
      o.low_ms = o.high_ms = o.time_ms;
      o.shared_bytes = 100 * (3 - b) + 10 * a;
    } else {
      o.reason = "launch: too large";
    }
    row.outcomes = {o};
    EXPECT_TRUE(store->add({row}));
  }
  return *std::move(store);
}

class SummaryOf : public testing::Test {
protected:
  SummaryOf() : space_(*Space::make({{"A=0,1", "B=1,2,3", "C=0,1"}, {}, {}})), store_(filled(space_)) {
    SummaryOptions options;
    options.objective = *find_objective("time");
    options.top = 3;
    summary_ = *summarize(store_, space_, options);
  }
  Space space_;
  Store store_;
  Summary summary_;
};

TEST_F(SummaryOf, CountsAndLists) {
  const GpuSummary& gpu = summary_.gpus.at(0);
  EXPECT_EQ(summary_.configurations, 12U);
  EXPECT_EQ(gpu.valid, 10U);
  EXPECT_EQ(gpu.invalid, 2U);
  ASSERT_EQ(gpu.best.size(), 3U);
  EXPECT_EQ(gpu.best[0].values, (std::vector<std::string>{"0", "1", "0"}));
  EXPECT_TRUE(gpu.best[1].equal);  // C = 1: the same time
  EXPECT_FALSE(gpu.best[2].equal); // 2 ms
  EXPECT_DOUBLE_EQ(gpu.worst[0].outcome.time_ms, 4);
  ASSERT_EQ(summary_.reasons.size(), 1U);
  EXPECT_EQ(summary_.reasons[0].count, 2U);
}

// 1 ms with 200 bytes; 2 ms with 100 bytes (A = 0, B = 2; A = 1, B = 1 needs 210); 4 ms with 0 bytes (A = 0,
// B = 3).
TEST_F(SummaryOf, Pareto) {
  const GpuSummary& gpu = summary_.gpus.at(0);
  ASSERT_EQ(gpu.pareto_size, 3U);
  EXPECT_DOUBLE_EQ(gpu.pareto[1].outcome.shared_bytes, 100);
  EXPECT_DOUBLE_EQ(gpu.pareto[2].outcome.shared_bytes, 0);
}

// ln2 time of the valid: A=0: 0,1,2 twice; A=1: 1,2 twice. Sum of 10 values 12, of squares 20; variance sum
// 20 - 14.4 = 5.6. B: value 1: mean 0.5 of 4, value 2: mean 1.5 of 4, value 3: mean 2 of 2: between 1 + 9 + 8
// - 14.4 = 3.6; 3.6 / 5.6. A: 0: mean 1 of 6, 1: mean 1.5 of 4: 6 + 9 - 14.4 = 0.6; 0.6 / 5.6.
TEST_F(SummaryOf, Effects) {
  const auto& effects = summary_.gpus.at(0).effects;
  ASSERT_EQ(effects.size(), 3U);
  EXPECT_NEAR(effects[0].explained, 0.6 / 5.6, 1e-9);
  EXPECT_NEAR(effects[1].explained, 3.6 / 5.6, 1e-9);
  EXPECT_NEAR(effects[2].explained, 0, 1e-9);
  EXPECT_DOUBLE_EQ(effects[0].largest_ratio, 2);
  EXPECT_DOUBLE_EQ(effects[1].largest_ratio, 4);
  EXPECT_DOUBLE_EQ(effects[2].largest_ratio, 1);
  EXPECT_TRUE(effects[0].matters());
  EXPECT_FALSE(effects[2].matters());
  EXPECT_NEAR(effects[1].values[0].mean_ms, std::sqrt(2), 1e-9);
}

TEST_F(SummaryOf, OtherObjectivesOrderOtherwise) {
  SummaryOptions options;
  options.objective = *find_objective("shared_bytes");
  const auto summary = summarize(store_, space_, options);
  ASSERT_TRUE(summary);
  EXPECT_DOUBLE_EQ(summary->gpus[0].best[0].outcome.shared_bytes, 0);
  EXPECT_FALSE(find_objective("speed"));
}

} // namespace
} // namespace forewarp::explore
