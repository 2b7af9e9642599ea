// Temporal conflict sets against an LRU simulation that shares nothing with them: equal on every access.
#include "port/cache/conflict_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <random>

namespace forewarp::port {
namespace {

/// Most recent first, by set.
class LruCache {
public:
  explicit LruCache(const CacheShape& shape) : shape_(shape), sets_(shape.sets()) {}
  bool access(std::uint64_t address) {
    const std::uint64_t line = address / shape_.line_bytes;
    std::list<std::uint64_t>& set = sets_[line % sets_.size()];
    const auto found = std::find(set.begin(), set.end(), line);
    const bool hit = found != set.end();
    if (hit)
      set.erase(found);
    else if (set.size() == shape_.ways)
      set.pop_back();
    set.push_front(line);
    return hit;
  }

private:
  CacheShape shape_;
  std::vector<std::list<std::uint64_t>> sets_;
};

TEST(ConflictSets, EqualLruOnEveryAccess) {
  std::mt19937_64 random(7);
  for (const unsigned ways : {1U, 2U, 4U, 16U, 32U})
    for (const std::uint64_t sets : {1ULL, 3ULL, 16ULL}) {
      const CacheShape shape{sets * ways * 64, 64, ways};
      ConflictSets conflict_sets(shape);
      LruCache lru(shape);
      std::uint64_t hits = 0;
      std::uint64_t sweep = 0;
      for (int i = 0; i < 20000; ++i) {
        // Random reuse, sweeps just above and below the capacity, power-of-two strides.
        const std::uint64_t lines = sets * ways;
        const std::uint64_t line = i % 5000 < 2000   ? random() % (2 * lines)
                                   : i % 5000 < 3500 ? sweep++ % (lines + 1)
                                                     : (sweep++ % 8) * lines + random() % 2;
        const std::uint64_t address = line * 64 + random() % 64;
        const bool expected = lru.access(address);
        ASSERT_EQ(conflict_sets.access(address), expected) << "ways " << ways << ", access " << i;
        hits += expected;
      }
      EXPECT_EQ(conflict_sets.hits(), hits);
      EXPECT_GT(hits, 0U);
      EXPECT_LT(hits, 20000U);
    }
}

} // namespace
} // namespace forewarp::port
