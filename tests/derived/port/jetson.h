// Estimates of hand-made nests with C's model on the Jetson TK1, extrapolated as C's tables want them.
#pragma once

#include "derived/port/polybench_nests.h"
#include "port/estimate/estimate.h"

#include <gtest/gtest.h>

#include <functional>

namespace forewarp::port::testing {

inline PortTarget jetson() {
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
  bool warm_cache = false, written_loads = false;
};

inline RegionEstimate estimate(const Case& what, bool advice = false) {
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
  request.written_loads = what.written_loads;
  request.advice = advice;
  auto answer = estimate_region(request, target);
  EXPECT_TRUE(answer.has_value()) << answer.error().message;
  return *answer;
}

inline double time_ms(const Case& what) {
  return estimate(what).kernel.time_ms;
}

inline double step(const RegionEstimate& answer, const std::string& symbol) {
  for (const models::Step& s : answer.kernel.steps)
    if (s.symbol == symbol)
      return s.value;
  ADD_FAILURE() << symbol;
  return 0;
}

} // namespace forewarp::port::testing
