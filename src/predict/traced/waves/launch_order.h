// When groups start that are longer or shorter by their place in the grid: they are dealt in its order, each
// to whatever place is free first.
#pragma once

#include "facts/trace.h"

#include <cstdint>
#include <vector>

namespace forewarp::predict::hybrid {

/// When the sampled group starts, as a share of the time that all groups take evenly spread over `places`. Of
/// the groups between samples the length is taken to grow evenly; a sample that stands for itself alone says
/// nothing of its neighbours. 0 where lengths do not grow along the grid, or the sample's neighbours are no
/// longer than the mean: a lone long group is a matter of its data, and another as long may be anywhere.
double start_share(const facts::KernelTrace& trace, const std::vector<facts::BehaviourClass>& classes,
                   std::uint32_t sample, std::uint64_t places);

} // namespace forewarp::predict::hybrid
