// Which groups run where and when: the grid dealt to the SMs breadth-first (group i of a wave goes to SM i
// mod n_sm, as NVIDIA's distributor does at an empty GPU), waves one after the other. Not modelled: the drift
// of groups that finish early (refill is taken wave by wave).
#pragma once

#include "facts/launch.h"

#include <cstdint>
#include <vector>

namespace forewarp::memory {

/// Grid position of a linear group index (x fastest).
facts::Dim3 group_at(const facts::Dim3& grid, std::uint64_t linear);
std::uint64_t linear_index(const facts::Dim3& grid, const facts::Dim3& group);

struct Dealing {
  std::uint64_t groups = 1; ///< of the grid; the first ones where the others ask for no memory
  unsigned sms = 1, groups_per_sm = 1;

  std::uint64_t per_wave() const { return static_cast<std::uint64_t>(sms) * groups_per_sm; }
  std::uint64_t waves() const { return (groups + per_wave() - 1) / per_wave(); }
  /// Groups of one wave, in launch order: first, first + 1, ...
  std::uint64_t first_of_wave(std::uint64_t wave) const { return wave * per_wave(); }
  std::uint64_t size_of_wave(std::uint64_t wave) const;
  /// Groups that SM `sm` holds in `wave`.
  std::vector<std::uint64_t> on_sm(std::uint64_t wave, unsigned sm) const;
  unsigned sm_of(std::uint64_t group) const { return static_cast<unsigned>(group % per_wave() % sms); }
  /// Place among the groups of its SM.
  unsigned slot_of(std::uint64_t group) const { return static_cast<unsigned>(group % per_wave() / sms); }
};

} // namespace forewarp::memory
