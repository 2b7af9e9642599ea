#include "facts/busy_front.h"

#include <algorithm>

namespace forewarp::facts {
namespace {

struct Sampled {
  std::uint64_t index;
  double work;
};

constexpr double idle_share = 0.1; ///< of the work of the busiest sampled group

double work_of(const GroupTrace& group) {
  double sum = 0;
  for (const WarpTrace& warp : group.warps)
    sum += static_cast<double>(warp.ir_instructions);
  return sum;
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
    all.push_back({linear_index(grid, g), work_of(g)});
    most = std::max(most, all.back().work);
  }
  std::sort(all.begin(), all.end(), [](const Sampled& a, const Sampled& b) { return a.index < b.index; });
  const auto idle = [&](const Sampled& s) { return s.work <= idle_share * most; };
  const auto first_idle = std::find_if(all.begin(), all.end(), idle);
  if (first_idle == all.begin() || first_idle == all.end() || first_idle->index + 1 == grid.count() ||
      !std::all_of(first_idle, all.end(), idle))
    return std::nullopt;
  return BusyFront{(first_idle - 1)->index, first_idle->index};
}

} // namespace forewarp::facts
