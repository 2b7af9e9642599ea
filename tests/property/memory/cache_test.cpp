// Laws of the caches: the same as a naive model, the same as reuse distance.
#include "memory/cache.h"
#include "memory/reuse_distance.h"
#include "support/counter_random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>

namespace forewarp::memory {
namespace {

/// Fully associative, sectored LRU as one would write it on a blackboard.
class NaiveCache {
public:
  explicit NaiveCache(std::size_t lines) : lines_(lines) {}
  std::pair<std::uint8_t, unsigned> use(std::uint64_t block, std::uint8_t sectors, bool write) {
    auto found = std::find_if(order_.begin(), order_.end(), [&](const Line& l) { return l.block == block; });
    Line line{block, 0, 0};
    const bool present = found != order_.end();
    if (present) {
      line = *found;
      order_.erase(found);
    }
    unsigned evicted = 0;
    if (!present && order_.size() == lines_) {
      evicted = static_cast<unsigned>(__builtin_popcount(order_.back().dirty));
      order_.pop_back();
    }
    const auto missing = static_cast<std::uint8_t>(sectors & ~line.valid);
    line.valid |= sectors;
    if (write)
      line.dirty |= sectors;
    order_.push_front(line);
    return {missing, evicted};
  }

private:
  struct Line {
    std::uint64_t block;
    std::uint8_t valid, dirty;
  };
  std::size_t lines_;
  std::list<Line> order_;
};

gpu::CacheGeometry fully_associative(unsigned lines) {
  return {true, lines * 128ULL, 128, 32, lines, false, true, true};
}

TEST(CacheProperty, EqualsNaiveLruOnEveryAccess) {
  for (const unsigned lines : {1U, 3U, 8U, 32U}) {
    Cache cache(fully_associative(lines));
    NaiveCache naive(lines);
    for (std::uint64_t i = 0; i < 20000; ++i) {
      const std::uint64_t r = counter_random(lines, i);
      const std::uint64_t block = (r >> 8) % (2 * lines + 3);
      const auto sectors = static_cast<std::uint8_t>(r % 15 + 1);
      const bool write = (r >> 60) == 0;
      const auto [missing, evicted] = naive.use(block, sectors, write);
      const CacheResult got = write ? cache.store(block, sectors) : cache.load(block, sectors);
      ASSERT_EQ(got.missing, missing) << "access " << i << " of " << lines << " lines";
      ASSERT_EQ(got.evicted_dirty, evicted) << "access " << i << " of " << lines << " lines";
    }
  }
}

TEST(CacheProperty, FullyAssociativeLruHitsWhereReuseDistanceFits) {
  for (const std::uint64_t lines : {4U, 16U, 64U}) {
    Cache cache(fully_associative(static_cast<unsigned>(lines)));
    ReuseDistance distances;
    for (std::uint64_t i = 0; i < 20000; ++i) {
      const std::uint64_t r = counter_random(5, i);
      // A mixture: near reuse, far reuse, streaming.
      const std::uint64_t block = r % 3 == 0 ? (r >> 8) % 20 : r % 3 == 1 ? 100 + (r >> 8) % 100 : 1000 + i;
      const bool hit = cache.load(block, 15).missing == 0;
      const std::uint64_t d = distances.access(block);
      ASSERT_EQ(hit, d != cold_distance && d < lines) << "access " << i;
    }
  }
}

TEST(CacheProperty, MoreWaysOfLruNeverMissMore) { // inclusion property of LRU with the same sets
  std::uint64_t before = UINT64_MAX;
  for (const unsigned ways : {1U, 2U, 4U, 8U}) {
    Cache cache({true, 16ULL * ways * 128, 128, 32, ways, false, false, false});
    std::uint64_t misses = 0;
    for (std::uint64_t i = 0; i < 20000; ++i)
      misses += cache.load(counter_random(3, i) % 200, 1).missing != 0;
    EXPECT_LE(misses, before);
    before = misses;
  }
}

TEST(CacheProperty, ContiguousArrayOfTheCachesSizeFits) { // no set is over-full, whatever the base
  for (const std::uint64_t base : {0ULL, 12345ULL, 1ULL << 33}) {
    for (const std::uint64_t lines : {1024ULL, 3072ULL * 16}) {
      Cache cache({true, lines * 128, 128, 32, 16, false, false, false});
      std::uint64_t again = 0;
      for (std::uint64_t i = 0; i < lines * 9 / 10; ++i)
        cache.load(base + i, 15);
      for (std::uint64_t i = 0; i < lines * 9 / 10; ++i)
        again += cache.load(base + i, 15).missing != 0;
      EXPECT_LT(static_cast<double>(again), 0.05 * static_cast<double>(lines)) << base << " " << lines;
    }
  }
}

TEST(CacheProperty, SampledSetsAnswerAsTheWholeCacheDoes) {
  const gpu::CacheGeometry l2{true, 6291456, 128, 32, 16, false, true, true};
  Cache whole(l2), sampled(l2, "lru", 3);
  double all = 0, missed = 0, seen = 0, seen_missed = 0;
  for (std::uint64_t i = 0; i < 400000; ++i) {
    const std::uint64_t block = counter_random(8, i) % 70000; // footprint 1.4 times the cache
    const bool miss = whole.load(block, 1).missing;
    all += 1;
    missed += miss;
    const CacheResult r = sampled.load(block, 1);
    if (r.skipped)
      continue;
    EXPECT_EQ(r.missing != 0, miss); // a sampled set sees the same lines in the same order
    seen += 1;
    seen_missed += r.missing != 0;
  }
  EXPECT_NEAR(seen / all, 0.125, 0.01);
  EXPECT_NEAR(seen_missed / seen, missed / all, 0.01);
}

TEST(CacheProperty, SampledShortLinesAnswerForTheirPartOfTheBlock) {
  Cache sampled({true, 1 << 20, 64, 32, 16, false, true, true}, "lru", 2);
  unsigned seen = 0, dirty = 0;
  for (std::uint64_t block = 0; block < 8192; ++block) {
    const CacheResult r = sampled.store(block, 15);
    seen += static_cast<unsigned>(__builtin_popcount(r.seen));
    dirty += r.newly_dirty;
  }
  EXPECT_EQ(seen, dirty);
  EXPECT_NEAR(seen, 8192, 800); // a quarter of 4 x 8192
}

TEST(CacheProperty, EveryPolicyHitsOnARepeatedLine) {
  for (const std::string& name : replacement_names()) {
    Cache cache({true, 8 * 128, 128, 32, 4, false, false, false}, name);
    cache.load(7, 15);
    EXPECT_EQ(cache.load(7, 15).missing, 0) << name;
    EXPECT_EQ(cache.load(7, 15).filled, 0U) << name;
  }
}

} // namespace
} // namespace forewarp::memory
