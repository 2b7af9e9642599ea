#include "port/features/physics.h"

namespace forewarp::port {

void append_physics(const FeaturePlan& plan, const FeatureCounts& counts, facts::FeatureRow& row) {
  const FeatureTotals& totals = counts.totals;
  const bool known = plan.thread_block != facts::no_region_index;
  const auto bytes = [](std::uint64_t blocks) { return static_cast<double>(blocks * memory_block_bytes); };
  const double launches = static_cast<double>(totals.launches),
               threads = known ? static_cast<double>(counts.block_runs[plan.thread_block]) : 0,
               accesses = static_cast<double>(totals.accesses);
  const std::array<double, physics_feature_names.size()> values = {bytes(totals.read_blocks),
                                                                   bytes(totals.written_blocks),
                                                                   launches,
                                                                   threads,
                                                                   threads > 0 ? launches * accesses / threads
                                                                               : accesses,
                                                                   static_cast<double>(plan.carried)};
  for (std::size_t i = 0; i < values.size(); ++i)
    row.features.push_back({physics_feature_names[i], values[i]});
}

} // namespace forewarp::port
