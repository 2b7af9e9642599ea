#include "facts/busy_front.h"

#include <algorithm>

namespace forewarp::facts {
namespace {

struct Sampled {
  std::uint64_t index;
  double work;
  bool asks_memory;
};

constexpr double idle_share = 0.1; ///< of the work of the busiest sampled group
/// The same where a group asks no memory for anything: before a short kernel tests its index it has done a
/// good part of what it does.
constexpr double idle_share_without_memory = 0.5;

double work_of(const GroupTrace& group) {
  double sum = 0;
  for (const WarpTrace& warp : group.warps)
    sum += static_cast<double>(warp.ir_instructions);
  return sum;
}

bool asks_memory(const GroupTrace& group) {
  return std::ranges::any_of(group.warps, [](const WarpTrace& warp) { return !warp.events.empty(); });
}

/// The busy groups do less and less towards the idle ones, as those of a triangle do: in the second half
/// three quarters of what they do in the first. The last one may be a border.
bool fall_gradually(const std::vector<Sampled>& all, std::size_t busy) {
  double sum[2] = {}, count[2] = {};
  const std::uint64_t middle = all[busy - 1].index / 2;
  for (std::size_t k = 0; k + 1 < busy; ++k) {
    const std::size_t half = all[k].index > middle ? 1 : 0;
    sum[half] += all[k].work;
    ++count[half];
  }
  constexpr double falls = 0.75;
  return count[0] > 0 && count[1] > 0 && sum[1] / count[1] < falls * sum[0] / count[0];
}

} // namespace

std::uint64_t linear_index(const Dim3& grid, const GroupTrace& group) {
  return (group.group.z * grid.y + group.group.y) * grid.x + group.group.x;
}

std::optional<BusyFront> busy_front(const KernelTrace& trace) {
  const Dim3& grid = trace.shape.groups;
  std::vector<Sampled> all;
  double most = 0;
  for (const GroupTrace& g : trace.groups) {
    all.push_back({linear_index(grid, g), work_of(g), asks_memory(g)});
    most = std::max(most, all.back().work);
  }
  std::sort(all.begin(), all.end(), [](const Sampled& a, const Sampled& b) { return a.index < b.index; });
  const bool any_asks = std::ranges::any_of(all, &Sampled::asks_memory);
  const auto idle = [&](const Sampled& s) {
    return s.work <= (any_asks && !s.asks_memory ? idle_share_without_memory : idle_share) * most;
  };
  const auto first_idle = std::find_if(all.begin(), all.end(), idle);
  if (first_idle == all.begin() || first_idle == all.end() || first_idle->index + 1 == grid.count() ||
      !std::all_of(first_idle, all.end(), idle) ||
      fall_gradually(all, static_cast<std::size_t>(first_idle - all.begin())))
    return std::nullopt;
  return BusyFront{(first_idle - 1)->index, first_idle->index};
}

} // namespace forewarp::facts
