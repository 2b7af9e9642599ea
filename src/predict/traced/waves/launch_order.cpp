#include "predict/traced/waves/launch_order.h"

#include "facts/busy_front.h"
#include "predict/traced/waves/deal.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace forewarp::predict::hybrid {
namespace {

/// Of longer grids the start of one group is known well enough from the work that is dealt before it.
constexpr std::uint64_t most_waves = 64;
/// Samples of fewer groups stand for themselves.
constexpr double one_group = 1.5;

struct Point {
  double place = 0, length = 0;
};

/// Length by place in the grid.
class Lengths {
public:
  Lengths(const facts::KernelTrace& trace, const std::vector<facts::BehaviourClass>& classes) {
    for (const facts::BehaviourClass& behaviour : classes)
      if (behaviour.weight_groups > one_group)
        for (const std::uint32_t sample : behaviour.samples)
          points_.push_back(
              {static_cast<double>(facts::linear_index(trace.shape.groups, trace.groups[sample])),
               length_of(trace.groups[sample])});
    std::ranges::sort(points_, {}, &Point::place);
  }
  bool grow_with_the_place() const {
    const auto is_shorter = [](const Point& after, const Point& before) {
      return after.length * alike_lengths < before.length;
    };
    return !points_.empty() && std::ranges::adjacent_find(points_, [&](const Point& a, const Point& b) {
                                 return is_shorter(b, a);
                               }) == points_.end();
  }
  double operator()(std::uint64_t group) const {
    const auto place = static_cast<double>(group);
    const auto after = std::ranges::upper_bound(points_, place, {}, &Point::place);
    if (after == points_.begin())
      return after->length;
    const Point& before = *(after - 1);
    if (after == points_.end())
      return before.length;
    return at(place, before, *after);
  }

  /// Of the first so many groups together.
  double sum_of_first(std::uint64_t groups) const {
    const auto end = static_cast<double>(groups);
    double sum = 0, from = 0;
    for (std::size_t i = 0; i <= points_.size() && from < end; ++i) {
      const double to = i < points_.size() ? std::clamp(points_[i].place, from, end) : end;
      if (i == 0 || i == points_.size())
        sum += (to - from) * points_[i == 0 ? 0 : i - 1].length;
      else if (points_[i].place > points_[i - 1].place)
        sum += (to - from) * at((from + to - 1) / 2, points_[i - 1], points_[i]);
      from = to;
    }
    return sum;
  }

private:
  static double at(double place, const Point& before, const Point& after) {
    return before.length +
           (after.length - before.length) * (place - before.place) / (after.place - before.place);
  }
  std::vector<Point> points_;
};

/// When the places have room for the next group, after so many.
double first_free(const Lengths& length, std::uint64_t groups, std::uint64_t places) {
  if (groups < places)
    return 0;
  std::priority_queue<double, std::vector<double>, std::greater<>> free_at;
  for (std::uint64_t group = 0; group < groups; ++group) {
    double from = 0;
    if (free_at.size() >= places) {
      from = free_at.top();
      free_at.pop();
    }
    free_at.push(from + length(group));
  }
  return free_at.top();
}

} // namespace

double start_share(const facts::KernelTrace& trace, const std::vector<facts::BehaviourClass>& classes,
                   std::uint32_t sample, std::uint64_t places) {
  const std::uint64_t groups = trace.shape.groups.count(),
                      wanted = facts::linear_index(trace.shape.groups, trace.groups[sample]);
  const Lengths length(trace, classes);
  if (!length.grow_with_the_place() || groups <= places)
    return 0;
  const double all = length.sum_of_first(groups), own_places = static_cast<double>(places);
  if (length(wanted) * static_cast<double>(groups) < alike_lengths * all)
    return 0;
  const double start = groups > most_waves * places ? length.sum_of_first(wanted) / own_places
                                                    : first_free(length, wanted, places);
  return start / (all / own_places);
}

} // namespace forewarp::predict::hybrid
