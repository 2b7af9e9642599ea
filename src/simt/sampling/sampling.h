// Which groups of a grid are run, and what the sample says about the rest.
#pragma once

#include "facts/launch.h"
#include "facts/trace.h"
#include "simt/run.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace forewarp::simt {

facts::Dim3 group_at(const facts::Dim3& grid, std::uint64_t index);

/// Linear indices in the order in which they are run: first wave, corners, middle, random. No repeats; the
/// first `essential` of them are always run, the others while the sample is cheap. The longest group comes
/// second, so that no budget leaves it out.
struct SamplePlan {
  std::vector<std::uint64_t> groups;
  std::size_t essential = 0;
};
SamplePlan plan_sample(const facts::Dim3& grid, const RunOptions& options);

/// Where the sample shows a grid whose first groups work and whose others leave at once: a group between the
/// two kinds, to be run next so that the border becomes known to 1 / 32 of the front, then two neighbours
/// inside the front. Nothing where there is no such border or all that is known.
std::optional<std::uint64_t> front_probe(const facts::KernelTrace& trace);

/// Groups that a look for the longest goes through, of a grid whose groups take `mean_work` instructions: all
/// others where `most_work` allows it, else so many, spread over the grid by chance.
std::vector<std::uint64_t> groups_to_look_at(const facts::KernelTrace& trace, double mean_work,
                                             double most_work, std::uint64_t seed);

/// Instructions of all its warps.
double work_of(const facts::GroupTrace& group);

/// Behaviour classes with estimated weights, stratified by position (first, inner, last group of each
/// dimension): a border that is over-represented in the sample is not in the estimate. Also the 1-sigma error
/// of the mean work. `alone`: linear index of a group that was chosen for what it does and stands for itself.
void estimate_classes(facts::KernelTrace& trace, std::optional<std::uint64_t> alone = std::nullopt);

} // namespace forewarp::simt
