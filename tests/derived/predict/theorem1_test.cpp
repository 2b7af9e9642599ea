// P Theorem 1: Volkov and Transit give the same occupancy roofline without instruction-level parallelism,
// whatever the parameters, saturated parts included. Transit is solved on its curves; Volkov gets a chain, so
// that Lambda_app is the sum.
#include "example_facts.h"

namespace forewarp::models::example {
namespace {

TEST(Theorem1, OverRandomParameters) {
  std::uint64_t state = 12345;
  const auto draw = [&](double low, double high) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * static_cast<double>(state >> 11) * 0x1p-53;
  };
  for (int trial = 0; trial < 2000; ++trial) {
    const double l_comp = draw(0.1, 8), l_mem = draw(0.1, 50);
    const int comps = static_cast<int>(draw(1, 20)), mems = static_cast<int>(draw(1, 10));
    // each latency at least its throughput: one warp cannot be faster than its pipe
    const double L_comp = l_comp * draw(1, 40), L_mem = l_mem * draw(1, 60);
    facts::ModelFacts facts =
        two_subsystems(comps, l_comp, L_comp, mems, l_mem, L_mem, 1 + static_cast<int>(draw(0, 64)));
    facts::WarpGraph chain;
    for (int i = 0; i < comps + mems; ++i)
      chain.instructions.push_back(
          {i < comps ? 0u : 1u, i < comps ? l_comp : l_mem, i < comps ? L_comp : L_mem,
           i ? std::vector<std::uint32_t>{static_cast<std::uint32_t>(i - 1)} : std::vector<std::uint32_t>{}});
    facts.graphs = {chain};
    const double transit = predict("transit", facts).warps_per_cycle;
    EXPECT_NEAR(transit / predict("volkov", facts).warps_per_cycle, 1, 1e-9) << trial;
  }
}

} // namespace
} // namespace forewarp::models::example
