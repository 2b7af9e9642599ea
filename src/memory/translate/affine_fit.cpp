#include "memory/translate/affine_fit.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace forewarp::memory {
namespace {

using Vector3 = std::array<double, 3>;

Vector3 difference(const facts::Dim3& a, const facts::Dim3& b) {
  return {static_cast<double>(a.x) - static_cast<double>(b.x),
          static_cast<double>(a.y) - static_cast<double>(b.y),
          static_cast<double>(a.z) - static_cast<double>(b.z)};
}

/// Rows in echelon form: at most three independent group differences with their address differences.
struct Echelon {
  std::vector<std::pair<Vector3, double>> rows;
  std::vector<int> pivots;

  void add(Vector3 row, double value) {
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const auto p = static_cast<std::size_t>(pivots[r]);
      const double factor = row[p] / rows[r].first[p];
      for (std::size_t i = 0; i < 3; ++i)
        row[i] -= factor * rows[r].first[i];
      value -= factor * rows[r].second;
    }
    int pivot = -1;
    for (int i = 0; i < 3; ++i)
      if (std::abs(row[static_cast<std::size_t>(i)]) > 1e-6 && pivot < 0)
        pivot = i;
    if (pivot < 0)
      return;
    rows.emplace_back(row, value);
    pivots.push_back(pivot);
  }

  Vector3 solve() const {
    Vector3 c{};
    for (std::size_t r = rows.size(); r-- > 0;) {
      const auto p = static_cast<std::size_t>(pivots[r]);
      double value = rows[r].second;
      for (std::size_t i = 0; i < 3; ++i)
        if (i != p)
          value -= rows[r].first[i] * c[i];
      c[p] = value / rows[r].first[p];
    }
    return c;
  }
};

/// Coefficients through the points in the order given, rounded to whole bytes.
std::optional<Coefficients> through(const std::vector<const GroupBase*>& order) {
  Echelon system;
  for (const GroupBase* p : order)
    if (system.rows.size() < 3)
      system.add(difference(p->group, order[0]->group), static_cast<double>(p->base - order[0]->base));
  const Vector3 solution = system.solve();
  Coefficients c{};
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(std::abs(solution[i]) < 1e15))
      return std::nullopt;
    c[i] = static_cast<std::int64_t>(std::llround(solution[i]));
  }
  return c;
}

/// The first point, and the others by their distance from it.
std::vector<const GroupBase*> by_distance(const std::vector<GroupBase>& points) {
  std::vector<const GroupBase*> order;
  for (const GroupBase& p : points)
    order.push_back(&p);
  const auto distance = [&](const GroupBase* p) {
    const Vector3 d = difference(p->group, points[0].group);
    return std::abs(d[0]) + std::abs(d[1]) + std::abs(d[2]);
  };
  std::stable_sort(order.begin(), order.end(), [&](auto* a, auto* b) { return distance(a) < distance(b); });
  return order;
}

bool holds(const Coefficients& c, const std::vector<GroupBase>& points, std::int64_t tolerance_bytes) {
  for (const GroupBase& p : points)
    if (std::abs(points[0].base + along(c, p.group, points[0].group) - p.base) > tolerance_bytes)
      return false;
  return true;
}

void sort_along_x(std::vector<GroupBase>& points) {
  std::sort(points.begin(), points.end(),
            [](const GroupBase& a, const GroupBase& b) { return a.group.x < b.group.x; });
}

} // namespace

std::int64_t along(const Coefficients& c, const facts::Dim3& a, const facts::Dim3& b) {
  return c[0] * (static_cast<std::int64_t>(a.x) - static_cast<std::int64_t>(b.x)) +
         c[1] * (static_cast<std::int64_t>(a.y) - static_cast<std::int64_t>(b.y)) +
         c[2] * (static_cast<std::int64_t>(a.z) - static_cast<std::int64_t>(b.z));
}

std::optional<Coefficients> fit_affine(const std::vector<GroupBase>& points) {
  if (points.empty())
    return std::nullopt;
  // Nearest differences first: a step along one axis keeps the arithmetic exact.
  const std::optional<Coefficients> c = through(by_distance(points));
  return c && holds(*c, points, 0) ? c : std::nullopt;
}

std::optional<Coefficients> fit_nearly(const std::vector<GroupBase>& points, std::int64_t tolerance_bytes) {
  if (points.size() < 3)
    return std::nullopt;
  // Farthest differences first: what the points are off the plane counts least over a long way.
  std::vector<const GroupBase*> order = by_distance(points);
  std::reverse(order.begin() + 1, order.end());
  const std::optional<Coefficients> c = through(order);
  return c && holds(*c, points, tolerance_bytes) ? c : std::nullopt;
}

std::int64_t Line::at(std::int64_t groups) const {
  const auto unit = static_cast<double>(unit_bytes);
  return std::llround(bytes_per_group * static_cast<double>(groups) / unit) * unit_bytes;
}

std::int64_t Line::between(std::uint64_t from, std::uint64_t to) const {
  if (period_groups > 0) {
    from %= period_groups;
    to %= period_groups;
  }
  return at(static_cast<std::int64_t>(to) - static_cast<std::int64_t>(from));
}

std::optional<Line> fit_circle(std::vector<GroupBase> points) {
  if (points.size() < 4)
    return std::nullopt;
  sort_along_x(points);
  const auto follow = [&](const Line& line) {
    return std::all_of(points.begin(), points.end(), [&](const GroupBase& p) {
      return p.group.y == points[0].group.y && p.group.z == points[0].group.z &&
             points[0].base + line.between(points[0].group.x, p.group.x) == p.base;
    });
  };
  // The step is that of two points between which no period ends; a period divides what all others lack of it.
  constexpr std::uint64_t most_parts = 64;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const auto groups = static_cast<std::int64_t>(points[i].group.x - points[i - 1].group.x);
    const std::int64_t bytes = points[i].base - points[i - 1].base;
    if (groups == 0 || bytes == 0 || bytes % groups != 0)
      continue;
    const std::int64_t step = bytes / groups;
    std::int64_t lacking = 0;
    for (const GroupBase& p : points)
      lacking = std::gcd(lacking, static_cast<std::int64_t>(p.group.x - points[0].group.x) -
                                      (p.base - points[0].base) / step);
    for (std::uint64_t parts = 1; lacking > 0 && parts <= most_parts; ++parts)
      if (const Line line{static_cast<double>(step), 1, static_cast<std::uint64_t>(lacking) / parts};
          line.period_groups > 1 && follow(line))
        return line;
  }
  return std::nullopt;
}

std::optional<Line> fit_line(std::vector<GroupBase> points) {
  if (points.size() < 4)
    return std::nullopt;
  sort_along_x(points);
  const GroupBase first = points.front(), last = points.back();
  const auto steps = [&](const GroupBase& p) {
    return static_cast<std::int64_t>(p.group.x) - static_cast<std::int64_t>(first.group.x);
  };
  Line line{.bytes_per_group = 0, .unit_bytes = 0};
  for (const GroupBase& p : points) {
    if (p.group.y != first.group.y || p.group.z != first.group.z)
      return std::nullopt;
    line.unit_bytes = std::gcd(line.unit_bytes, p.base - first.base);
  }
  if (line.unit_bytes == 0 || steps(last) == 0)
    return std::nullopt;
  line.bytes_per_group = static_cast<double>(last.base - first.base) / static_cast<double>(steps(last));
  for (const GroupBase& p : points)
    if (std::abs(static_cast<double>(first.base + line.at(steps(p)) - p.base)) >
        std::abs(line.bytes_per_group))
      return std::nullopt;
  return line;
}

bool spans(const facts::Dim3& grid, const std::vector<GroupBase>& points) {
  Echelon system;
  for (const GroupBase& p : points)
    if (system.rows.size() < 3)
      system.add(difference(p.group, points[0].group), 0);
  return system.rows.size() >= std::size_t{grid.x > 1} + std::size_t{grid.y > 1} + std::size_t{grid.z > 1};
}

} // namespace forewarp::memory
