// Which sampled groups the SM runs, in which order.
#pragma once

#include "facts/trace.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace forewarp::predict::hybrid {

/// So many samples (indices into KernelTrace::groups) in proportion to the weight of their behaviour class:
/// by error diffusion, so that a class of weight 1/8 comes every eighth group, the samples of a class in
/// turn. Where no class is due for a whole group, that is the first classes in their order; if their lengths
/// differ
/// (`is_uneven`), groups are taken from all over the grid instead.
std::vector<std::uint32_t> deal(const std::vector<facts::BehaviourClass>& classes, std::size_t groups,
                                bool is_uneven);

/// IR instructions of the longest warp.
double length_of(const facts::GroupTrace& group);
/// Beyond this share groups are no longer of one length.
inline constexpr double alike_lengths = 1.05;
bool is_uneven(const std::vector<facts::BehaviourClass>& classes, const facts::KernelTrace& trace);

} // namespace forewarp::predict::hybrid
