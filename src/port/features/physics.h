// What a physical bound needs of a region beside Ardalani's features, whether or not it is parallel: traffic,
// threads, values handed on. Names begin with phys_.
#pragma once

#include "facts/learning/features.h"
#include "port/features/plan.h"

namespace forewarp::port {

inline constexpr std::array<const char*, 6> physics_feature_names = {
    "phys_read_bytes",    ///< 128-byte blocks that each launch reads before it writes them, all launches
    "phys_written_bytes", ///< the same of those it writes
    "phys_launches",      //
    "phys_threads",       ///< iterations of the parallel band, all launches
    "phys_serial",        ///< loads and stores that a thread makes one after the other, sum over launches
    "phys_carried",       ///< values that the outermost loop hands from iteration to iteration: sums, extrema
};

void append_physics(const FeaturePlan& plan, const FeatureCounts& counts, facts::FeatureRow& row);

} // namespace forewarp::port
