// Which groups are run: enough of them to tell the dimensions of the grid apart, however dear they are.
#include "simt/sampling.h"

#include <gtest/gtest.h>

namespace forewarp::simt::test {
namespace {

/// Rank of the differences between the essential groups and the first of them.
int rank_of_essential(const facts::Dim3& grid) {
  const SamplePlan plan = plan_sample(grid, {});
  std::vector<std::array<double, 3>> rows;
  const facts::Dim3 origin = group_at(grid, plan.groups[0]);
  for (std::size_t k = 1; k < plan.essential; ++k) {
    const facts::Dim3 g = group_at(grid, plan.groups[k]);
    rows.push_back({static_cast<double>(g.x) - static_cast<double>(origin.x),
                    static_cast<double>(g.y) - static_cast<double>(origin.y),
                    static_cast<double>(g.z) - static_cast<double>(origin.z)});
  }
  int rank = 0;
  for (std::size_t column = 0; column < 3; ++column)
    for (std::size_t r = static_cast<std::size_t>(rank); r < rows.size(); ++r)
      if (rows[r][column] != 0) {
        std::swap(rows[r], rows[static_cast<std::size_t>(rank)]);
        const std::array<double, 3> pivot = rows[static_cast<std::size_t>(rank)];
        for (std::size_t below = static_cast<std::size_t>(rank) + 1; below < rows.size(); ++below) {
          const double factor = rows[below][column] / pivot[column];
          for (std::size_t i = 0; i < 3; ++i)
            rows[below][i] -= factor * pivot[i];
        }
        ++rank;
        break;
      }
  return rank;
}

TEST(Sampling, EssentialGroupsSpanTheGrid) {
  for (const facts::Dim3 grid : {facts::Dim3{4096, 1, 1},
                                 {64, 64, 1},
                                 {2, 64, 1},
                                 {64, 2, 1},
                                 {1, 64, 32},
                                 {64, 1, 32},
                                 {8, 8, 8},
                                 {2, 2, 64},
                                 {3, 5, 7},
                                 {128, 2, 2}}) {
    const int dimensions = (grid.x > 1 ? 1 : 0) + (grid.y > 1 ? 1 : 0) + (grid.z > 1 ? 1 : 0);
    EXPECT_EQ(rank_of_essential(grid), dimensions) << grid.x << ' ' << grid.y << ' ' << grid.z;
    EXPECT_LE(plan_sample(grid, {}).essential, 6U); // an inner one, its three neighbours, first and last
  }
}

} // namespace
} // namespace forewarp::simt::test
