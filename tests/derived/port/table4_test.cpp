// C's Table 4 from hand-made traces at C's trace sizes, extrapolated to its work sizes, with C's model and
// the Jetson TK1's value set `cgpredict`. Expected values: recomputed from the paper's equations and the
// first two batches' DRAM rates; they are what "follows from the text", not the printed estimates.
#include "derived/port/polybench_nests.h"
#include "port/estimate/estimate.h"

#include <gtest/gtest.h>

#include <functional>

namespace forewarp::port {
namespace {

using namespace testing;

PortTarget jetson() {
  auto catalogue = gpu::Catalogue::open(std::string(FOREWARP_SOURCE_DIR) + "/data/gpus");
  EXPECT_TRUE(catalogue.has_value());
  auto choice = catalogue->find("Jetson TK1");
  EXPECT_TRUE(choice.has_value());
  auto target = port_target(*choice, "", "cgpredict");
  EXPECT_TRUE(target.has_value());
  return *target;
}

struct Case {
  std::function<facts::RegionTrace(std::uint64_t)> nest;
  double traced = 128, wanted = 1024;
  std::string model = "cgpredict";
  bool warm_cache = false;
};

RegionEstimate estimate(const Case& what, bool advice = false) {
  static const PortTarget target = jetson();
  auto sizes = scaling_runs({{"N", what.traced}}, {{"N", what.wanted}});
  EXPECT_TRUE(sizes.has_value());
  std::vector<facts::RegionTrace> traces;
  for (const Sizes& size : *sizes)
    traces.push_back(what.nest(static_cast<std::uint64_t>(size.at("N"))));
  EstimateRequest request;
  for (std::size_t i = 0; i < traces.size(); ++i)
    request.runs.push_back({(*sizes)[i], &traces[i]});
  request.wanted = {{"N", what.wanted}};
  request.model = what.model;
  request.table2 = true;
  request.warm_cache = what.warm_cache;
  request.advice = advice;
  auto answer = estimate_region(request, target);
  EXPECT_TRUE(answer.has_value()) << answer.error().message;
  return *answer;
}

double time_ms(const Case& what) {
  return estimate(what).kernel.time_ms;
}

double step(const RegionEstimate& answer, const std::string& symbol) {
  for (const models::Step& s : answer.kernel.steps)
    if (s.symbol == symbol)
      return s.value;
  ADD_FAILURE() << symbol;
  return 0;
}

TEST(Table4, Gemm) {
  // const A 1/64 -> 2.15625, coalesced B 1/16 -> 4: 6.15625 * 1024 * 64 * 512 batches + 2.25 * 54.447 * 512
  // cycles at 852 MHz.
  const RegionEstimate answer = estimate({[](auto n) { return gemm(n); }, 128, 1024});
  EXPECT_NEAR(answer.kernel.time_ms, 242.53, 0.02);
  EXPECT_NEAR(step(answer, "MWP"), 54.45, 0.01);
  // The paper leaves the store of the sum out; with it.
  EXPECT_NEAR(time_ms({[](auto n) { return gemm(n, true); }, 128, 1024}), 242.53, 0.01 * 242.53);
}
TEST(Table4, MatrixProducts) {
  EXPECT_NEAR(time_ms({[](auto n) { return gemm(n); }, 128, 4096}), 15518.13, 0.5); // one product
  EXPECT_NEAR(3 * time_ms({[](auto n) { return gemm(n); }, 128, 2048}), 5819.74, 0.2);
}
TEST(Table4, Syrk) {
  const RegionEstimate answer = estimate({[](auto n) { return syrk(n); }, 128, 1024});
  EXPECT_NEAR(answer.kernel.time_ms, 2605.45, 0.1);
  EXPECT_NEAR(step(answer, "MWP"), 5.97, 0.01);
  EXPECT_NEAR(time_ms({syr2k, 128, 1024}), 5204.74, 0.2);
}
TEST(Table4, Corr) {
  EXPECT_NEAR(time_ms({corr, 128, 1024}), 2678.05, 0.01 * 2678.05);
}
TEST(Table4, Convolutions) {
  EXPECT_NEAR(time_ms({conv2d, 512, 4096}), 27.86, 0.01 * 27.86);
  EXPECT_NEAR(time_ms({conv3d, 64, 256}), 50.95, 0.02 * 50.95); // twelve distinct accesses
}
TEST(Table4, RowsTimesVector) {
  EXPECT_NEAR(time_ms({[](auto n) { return row_times_vector(n); }, 1024, 4096}), 198.34, 0.01 * 198.34);
  EXPECT_NEAR(time_ms({[](auto n) { return row_times_vector(n); }, 1024, 2048}), 49.58, 0.01 * 49.58);
  EXPECT_NEAR(time_ms({[](auto n) { return row_times_vector(n, 2); }, 1024, 4096}), 395.25, 0.01 * 395.25);
}
TEST(Table4, Fdtd) {
  double step_ms = 0;
  for (int part = 0; part < 3; ++part)
    step_ms += time_ms({[part](auto n) { return fdtd_part(n, part); }, 64, 4096, "cgpredict", true});
  EXPECT_NEAR(step_ms, 37.15, 0.03 * 37.15); // all hits; the rest is the count of computations
}
TEST(Table4, GramSchmidt) {
  EXPECT_NEAR(time_ms({gramschmidt, 512, 8192}) / 8192, 55.7, 0.02 * 55.7);
}

} // namespace
} // namespace forewarp::port
