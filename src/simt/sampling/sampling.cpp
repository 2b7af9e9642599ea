#include "simt/sampling/sampling.h"

#include "facts/busy_front.h"
#include "support/counter_random.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace forewarp::simt {
namespace {

constexpr unsigned default_sample = 16;
constexpr unsigned neighbours = 3; ///< groups 0..2 lie together: what they share shows in the caches

int position(std::uint64_t index, std::uint64_t count) {
  return index == 0 ? 0 : index + 1 == count ? 2 : 1;
}

int stratum_of(const facts::Dim3& group, const facts::Dim3& grid) {
  return position(group.x, grid.x) + 3 * position(group.y, grid.y) + 9 * position(group.z, grid.z);
}

std::uint64_t span_of(int place, std::uint64_t count) {
  if (place == 0)
    return 1;
  return place == 2 ? (count > 1 ? 1 : 0) : (count > 2 ? count - 2 : 0);
}

double groups_in(int stratum, const facts::Dim3& grid) {
  return static_cast<double>(span_of(stratum % 3, grid.x) * span_of(stratum / 3 % 3, grid.y) *
                             span_of(stratum / 9, grid.z));
}

/// How unlike two strata are: a border differs more from the inside than from another border of the same
/// kind.
int distance(int a, int b) {
  int sum = 0;
  for (int k = 0; k < 3; ++k, a /= 3, b /= 3)
    sum += a % 3 == b % 3 ? 0 : (a % 3 == 1 || b % 3 == 1) ? 1 : 2;
  return sum;
}

/// The middle index, upwards to 1/64 of it, so that grids of nearly the same size sample the same groups:
/// what differs between them is then the kernel's, not the sample's. Upwards: of a grid twice as large as the
/// work it is an idle group, which shows the busy front.
std::uint64_t inside(std::uint64_t count) {
  constexpr int digits = 7;
  const std::uint64_t middle = count / 2;
  const int rest = std::bit_width(middle) - digits;
  return rest > 0 ? (middle + (std::uint64_t{1} << rest) - 1) >> rest << rest : middle;
}

/// An index beside that, inside the grid where it has an inside.
std::uint64_t beside(std::uint64_t count) {
  return count > 3 ? inside(count) + 1 : 0;
}

/// Weights of a grid with a busy front: the groups before its end are like those sampled there, the others
/// like the idle ones.
void weigh_front(const facts::KernelTrace& trace, const facts::BusyFront& front,
                 std::map<std::uint64_t, facts::BehaviourClass>& classes) {
  const facts::Dim3& grid = trace.shape.groups;
  const auto busy = static_cast<double>(front.busy_groups());
  double sampled_busy = 0, sampled_idle = 0;
  const auto is_busy = [&](const facts::GroupTrace& g) {
    return facts::linear_index(grid, g) <= front.last_busy;
  };
  for (const facts::GroupTrace& g : trace.groups)
    ++(is_busy(g) ? sampled_busy : sampled_idle);
  for (const facts::GroupTrace& g : trace.groups)
    classes[g.behaviour].weight_groups +=
        is_busy(g) ? busy / sampled_busy : (static_cast<double>(grid.count()) - busy) / sampled_idle;
}

} // namespace

double work_of(const facts::GroupTrace& group) {
  double sum = 0;
  for (const facts::WarpTrace& warp : group.warps)
    sum += static_cast<double>(warp.ir_instructions);
  return sum;
}

std::vector<std::uint64_t> groups_to_look_at(const facts::KernelTrace& trace, double mean_work,
                                             double most_work, std::uint64_t seed) {
  const facts::Dim3& grid = trace.shape.groups;
  const std::uint64_t count = grid.count();
  std::set<std::uint64_t> sampled;
  for (const facts::GroupTrace& group : trace.groups)
    sampled.insert(facts::linear_index(grid, group));
  const auto wanted =
      static_cast<std::uint64_t>(std::min(static_cast<double>(count), most_work / std::max(1.0, mean_work)));
  std::vector<std::uint64_t> groups;
  for (std::uint64_t k = 0; k < wanted; ++k) { // one of each of so many equal parts
    const std::uint64_t first = count * k / wanted, next = count * (k + 1) / wanted;
    const std::uint64_t index = first + counter_random(seed, k) % (next - first);
    if (!sampled.contains(index))
      groups.push_back(index);
  }
  return groups;
}

std::optional<std::uint64_t> front_probe(const facts::KernelTrace& trace) {
  const std::optional<facts::BusyFront> front = facts::busy_front(trace);
  if (!front)
    return std::nullopt;
  constexpr std::uint64_t precision = 32; // of the front
  if (front->first_idle - front->last_busy > 1 + front->last_busy / precision)
    return front->last_busy + (front->first_idle - front->last_busy) / 2;
  // Two neighbours inside the front: with the first group they tell how addresses move with the group.
  const std::uint64_t inside = front->last_busy / 2;
  for (const std::uint64_t wanted : {inside, inside + 1}) {
    const auto is_wanted = [&](const facts::GroupTrace& g) {
      return facts::linear_index(trace.shape.groups, g) == wanted;
    };
    if (wanted < front->last_busy && std::none_of(trace.groups.begin(), trace.groups.end(), is_wanted))
      return wanted;
  }
  return std::nullopt;
}

facts::Dim3 group_at(const facts::Dim3& grid, std::uint64_t index) {
  return {index % grid.x, index / grid.x % grid.y, index / grid.x / grid.y};
}

SamplePlan plan_sample(const facts::Dim3& grid, const RunOptions& options) {
  SamplePlan plan;
  const std::uint64_t count = grid.count();
  const std::uint64_t wanted = options.sample_groups != 0 ? options.sample_groups : default_sample;
  if (options.whole_grid || (count <= wanted && !options.longest_group)) {
    for (std::uint64_t k = 0; k < count; ++k)
      plan.groups.push_back(k);
    plan.essential = options.whole_grid ? plan.groups.size() : std::min<std::size_t>(plan.groups.size(), 3);
    return plan;
  }
  std::set<std::uint64_t> taken;
  auto take = [&](std::uint64_t index) {
    if (index < count && plan.groups.size() < wanted && taken.insert(index).second)
      plan.groups.push_back(index);
  };
  auto at = [&](std::uint64_t x, std::uint64_t y, std::uint64_t z) { return (z * grid.y + y) * grid.x + x; };
  // An inner group and a neighbour of it along each dimension tell the dimensions apart away from the
  // borders.
  take(at(inside(grid.x), inside(grid.y), inside(grid.z)));
  if (options.longest_group)
    take(*options.longest_group);
  take(at(beside(grid.x), inside(grid.y), inside(grid.z)));
  take(at(inside(grid.x), beside(grid.y), inside(grid.z)));
  take(at(inside(grid.x), inside(grid.y), beside(grid.z)));
  take(0);
  take(count - 1);
  plan.essential = plan.groups.size();
  take(1);
  take(at(0, inside(grid.y), inside(grid.z)));
  take(at(grid.x - 1, inside(grid.y), inside(grid.z)));
  take(at(inside(grid.x), 0, inside(grid.z)));
  take(at(inside(grid.x), grid.y - 1, inside(grid.z)));
  take(at(inside(grid.x), inside(grid.y), 0));
  take(at(inside(grid.x), inside(grid.y), grid.z - 1));
  take(at(grid.x - 1, 0, 0));
  take(at(0, grid.y - 1, 0));
  for (std::uint64_t k = 2; k < neighbours; ++k)
    take(k);
  for (std::uint64_t k = neighbours; k < count && count <= wanted; ++k)
    take(k);
  const std::uint64_t wave = std::min<std::uint64_t>(options.first_wave_groups, count);
  for (std::uint64_t k = 0; plan.groups.size() < wanted && k < 16 * wanted; ++k) {
    // What lies beyond the grid is drawn again (`take`): a grid of another size keeps the other draws.
    const std::uint64_t draw = counter_random(options.seed, k);
    take(wave > 1 && k % 4 == 3 ? draw % wave : draw % std::bit_ceil(count));
  }
  return plan;
}

void estimate_classes(facts::KernelTrace& trace, std::optional<std::uint64_t> alone) {
  const facts::Dim3& grid = trace.shape.groups;
  std::array<std::vector<std::uint32_t>, 27> sampled;
  for (std::uint32_t k = 0; k < trace.groups.size(); ++k)
    sampled[static_cast<std::size_t>(stratum_of(trace.groups[k].group, grid))].push_back(k);
  std::map<std::uint64_t, facts::BehaviourClass> classes;
  for (std::uint32_t k = 0; k < trace.groups.size(); ++k) {
    facts::BehaviourClass& c = classes[trace.groups[k].behaviour];
    c.behaviour = trace.groups[k].behaviour;
    c.samples.push_back(k);
  }
  const std::optional<facts::BusyFront> front = trace.whole_grid ? std::nullopt : facts::busy_front(trace);
  if (front)
    weigh_front(trace, *front, classes);
  double total = 0, variance = 0;
  for (int s = 0; s < 27 && !front; ++s) {
    const double groups = groups_in(s, grid);
    if (groups <= 0)
      continue;
    // A position without a sample is taken to be like the nearest one that has some.
    int source = -1;
    for (int t = 0; t < 27; ++t)
      if (!sampled[static_cast<std::size_t>(t)].empty() &&
          (source < 0 || distance(s, t) < distance(s, source)))
        source = t;
    if (source < 0)
      continue;
    const std::vector<std::uint32_t>& members = sampled[static_cast<std::size_t>(source)];
    double mean = 0, squares = 0;
    const auto n = static_cast<double>(members.size());
    const bool one_stands_alone =
        n > 1 && alone && source == s && std::ranges::any_of(members, [&](std::uint32_t k) {
          return facts::linear_index(grid, trace.groups[k]) == *alone;
        });
    for (std::uint32_t k : members) {
      double weight = groups / n;
      if (one_stands_alone)
        weight = facts::linear_index(grid, trace.groups[k]) == *alone ? 1 : (groups - 1) / (n - 1);
      classes[trace.groups[k].behaviour].weight_groups += weight;
      mean += one_stands_alone ? work_of(trace.groups[k]) * weight / groups : work_of(trace.groups[k]) / n;
    }
    total += groups * mean;
    // What stands alone is known, not drawn: the error is that of the others' mean.
    const double drawn = one_stands_alone ? n - 1 : n, of_groups = one_stands_alone ? groups - 1 : groups;
    double drawn_mean = 0;
    const auto is_drawn = [&](std::uint32_t k) {
      return !one_stands_alone || facts::linear_index(grid, trace.groups[k]) != *alone;
    };
    for (std::uint32_t k : members)
      drawn_mean += is_drawn(k) ? work_of(trace.groups[k]) / drawn : 0;
    for (std::uint32_t k : members)
      squares += is_drawn(k) ? std::pow(work_of(trace.groups[k]) - drawn_mean, 2) : 0;
    if (drawn > 1 && of_groups > drawn) // finite population correction
      variance += of_groups * of_groups * (squares / (drawn - 1)) / drawn * (1 - drawn / of_groups);
  }
  // Order of first appearance, so that equal samples give equal output.
  std::vector<facts::BehaviourClass> ordered;
  for (auto& [behaviour, c] : classes)
    ordered.push_back(std::move(c));
  std::sort(ordered.begin(), ordered.end(),
            [](const auto& a, const auto& b) { return a.samples.front() < b.samples.front(); });
  trace.classes = std::move(ordered);
  trace.sampling_relative_error = trace.whole_grid || total <= 0 ? 0 : std::sqrt(variance) / total;
  if (front) // uniform between the last busy and the first idle group
    trace.sampling_relative_error = static_cast<double>(front->first_idle - front->last_busy - 1) /
                                    static_cast<double>(front->last_busy + 1) / std::sqrt(12.0);
}

} // namespace forewarp::simt
