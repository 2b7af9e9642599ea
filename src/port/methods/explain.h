// Words for what a learned model says.
#pragma once

#include "port/methods/methods.h"

namespace forewarp::port {

/// The region's speed-up by the dynamic model; `cpu_ms` 0: the GPU time alone.
MethodAnswer dynamic_answer(const learn::DynamicPrediction& prediction, double cpu_ms);

/// The range by the static model, with the path in the tree that approximates its forest.
MethodAnswer static_answer(const learn::StaticModel& model, const learn::StaticPrediction& prediction);

/// Features that a programmer can change, which alone would put the loop into a higher range (section 6.2.5,
/// "Optimization Insight").
std::vector<std::string> optimisation_hints(const learn::StaticModel& model,
                                            const learn::StaticPrediction& prediction);

/// Pairs of answers that do not fit: a speed-up outside a range, or two that are more than a factor of 2
/// apart.
std::vector<std::string> disagreements(const std::vector<MethodAnswer>& answers);

/// "dynamic model of Tesla V100 SXM2, trained on 48 measured rows (mean error 31.2 %)".
std::string describe(const NamedModel& model);

} // namespace forewarp::port
