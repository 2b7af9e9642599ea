// Base addresses of an access as an affine function of the group index, from the groups that were run.
#pragma once

#include "facts/launch.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace forewarp::memory {

/// Bytes for one step of the group index in x, y, z.
using Coefficients = std::array<std::int64_t, 3>;

struct GroupBase {
  facts::Dim3 group;
  std::int64_t base = 0;
};

/// Coefficients through all points, or nothing. Dimensions in which the points do not vary get 0.
std::optional<Coefficients> fit_affine(const std::vector<GroupBase>& points);

/// The same where the points may lie `tolerance_bytes` off: indices that were rounded. Takes three points.
std::optional<Coefficients> fit_nearly(const std::vector<GroupBase>& points, std::int64_t tolerance_bytes);

/// Line that addresses follow about, along x: where rows of a field end inside groups, a step is no whole
/// number.
struct Line {
  double bytes_per_group = 0;
  std::int64_t unit_bytes = 1;     ///< addresses move by whole multiples of it
  std::uint64_t period_groups = 0; ///< above 0: groups count modulo it (`blockIdx.x % n`)
  std::int64_t at(std::int64_t groups) const;
  /// Bytes from the group at `from` to the one at `to`.
  std::int64_t between(std::uint64_t from, std::uint64_t to) const;
  bool operator==(const Line&) const = default;
};

/// Line through the first and last of at least four points in one row of groups, if none is off it by more
/// than one group's step.
std::optional<Line> fit_line(std::vector<GroupBase> points);

/// Line that at least four points in one row of groups follow to the byte, their indices taken modulo a
/// period; the longest such period. Nothing where all of them lie in the first one.
std::optional<Line> fit_circle(std::vector<GroupBase> points);

/// Bytes from group `b` to group `a`.
std::int64_t along(const Coefficients& c, const facts::Dim3& a, const facts::Dim3& b);

/// Whether the points lie in no smaller space than the grid: else what belongs to which dimension is open.
bool spans(const facts::Dim3& grid, const std::vector<GroupBase>& points);

} // namespace forewarp::memory
