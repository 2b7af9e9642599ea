#include "memory/translate/wave.h"

#include <algorithm>

namespace forewarp::memory {

facts::Dim3 group_at(const facts::Dim3& grid, std::uint64_t linear) {
  return {linear % grid.x, linear / grid.x % grid.y, linear / grid.x / grid.y};
}

std::uint64_t linear_index(const facts::Dim3& grid, const facts::Dim3& group) {
  return group.x + grid.x * (group.y + grid.y * group.z);
}

std::uint64_t Dealing::size_of_wave(std::uint64_t wave) const {
  const std::uint64_t first = first_of_wave(wave);
  return first >= groups ? 0 : std::min(per_wave(), groups - first);
}

std::vector<std::uint64_t> Dealing::on_sm(std::uint64_t wave, unsigned sm) const {
  std::vector<std::uint64_t> out;
  for (std::uint64_t i = sm; i < size_of_wave(wave); i += sms)
    out.push_back(first_of_wave(wave) + i);
  return out;
}

} // namespace forewarp::memory
