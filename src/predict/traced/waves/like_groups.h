// Sampled groups of one behaviour that ask nearly the same of the memory system: one of them stands for the
// others in the simulated SM, so that which of them were drawn does not make another simulation.
#pragma once

#include "facts/memory_profile.h"
#include "facts/trace.h"

#include <vector>

namespace forewarp::predict::hybrid {

/// The classes with the same weights. Where every sample of a class asks at each site within 5 % of the
/// class's mean there, or within 1 % of its mean over all sites, the class is left with the one that is
/// nearest to the mean; other classes keep all samples.
std::vector<facts::BehaviourClass> with_like_groups_joined(const std::vector<facts::BehaviourClass>& classes,
                                                           const facts::KernelTrace& trace,
                                                           const facts::MemoryProfile& memory);

} // namespace forewarp::predict::hybrid
