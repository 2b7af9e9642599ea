// Laws of the caches: the same as a naive model, the same as reuse distance.
#include "derived/memory/reuse_distance.h"
#include "memory/cache/cache.h"
#include "memory/waves/line_sampling.h"
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

TEST(CacheProperty, EmptiedLinesMakeRoomFirst) { // whatever was used, emptied and used again before
  for (const unsigned ways : {1U, 2U, 3U, 16U, 24U, 100U}) {
    Cache cache(fully_associative(ways));
    std::list<std::uint64_t> order; // newest first
    for (std::uint64_t i = 0; i < 20000; ++i) {
      const std::uint64_t r = counter_random(ways, i), block = (r >> 8) % (ways + 3);
      const auto held = std::find(order.begin(), order.end(), block);
      if (r % 4 == 0) {
        cache.invalidate(block);
        if (held != order.end())
          order.erase(held);
        continue;
      }
      ASSERT_EQ(cache.load(block, 1).missing == 0, held != order.end()) << "access " << i << ", " << ways;
      if (held != order.end())
        order.erase(held);
      else if (order.size() == ways)
        order.pop_back();
      order.push_front(block);
    }
  }
}

TEST(LineSampling, AnswersAsTheWholeCacheDoes) {
  for (const std::uint64_t wanted : {3U, 8U, 64U}) {
    const gpu::CacheGeometry l2{true, 6291456, 128, 32, 16, false, true, true};
    const LineSampling sampling(l2, wanted);
    Cache whole(l2), share(sampling.share_of(l2));
    double all = 0, missed = 0, seen = 0, seen_missed = 0;
    for (std::uint64_t i = 0; i < 400000; ++i) {
      const std::uint64_t block = counter_random(8, i) % 70000; // footprint 1.4 times the cache
      all += 1;
      missed += whole.load(block, 1).missing;
      if (!sampling.contains(block))
        continue;
      seen += 1;
      seen_missed += share.load(sampling.compact(block), 1).missing;
    }
    EXPECT_NEAR(seen / all * static_cast<double>(sampling.one_in()), 1, 0.05);
    EXPECT_NEAR(seen_missed / seen, missed / all, 0.03);
  }
}

TEST(LineSampling, EveryPitchMeetsTheSample) { // also those of a power of two, and whole lines of 256 bytes
  for (const unsigned line_bytes : {64U, 128U, 256U}) {
    const LineSampling sampling({true, 4 << 20, line_bytes, 32, 16, false, true, true}, 16);
    ASSERT_FALSE(sampling.whole());
    for (std::uint64_t pitch = 1; pitch <= 64; ++pitch) {
      unsigned seen = 0;
      for (std::uint64_t i = 0; i < 4096; ++i)
        seen += sampling.contains(77 + i * pitch) ? 1 : 0;
      if (pitch % sampling.one_in() != 0) {
        EXPECT_NEAR(seen * static_cast<double>(sampling.one_in()) / 4096, 1, 0.15) << pitch;
      }
    }
  }
}

TEST(LineSampling, SampledBlocksAreNumberedWithoutGaps) {
  for (const unsigned line_bytes : {64U, 128U, 512U}) {
    const LineSampling sampling({true, 4 << 20, line_bytes, 32, 16, false, true, true}, 16);
    std::uint64_t next = 0;
    for (std::uint64_t block = 0; block < 4096; ++block)
      if (sampling.contains(block)) {
        EXPECT_EQ(sampling.compact(block), next++);
        EXPECT_EQ(sampling.block_of(sampling.compact(block)), block);
      }
  }
}

TEST(LineSampling, EveryShareMeetsAPrime) { // at most a third more lines than asked for
  const gpu::CacheGeometry l2{true, 6291456, 128, 32, 24, false, true, true};
  for (std::uint64_t wanted = 3; wanted <= 64; ++wanted) {
    const std::uint64_t one_in = LineSampling(l2, wanted).one_in();
    EXPECT_LE(one_in, wanted);
    EXPECT_GE(one_in * 3, wanted * 2);
  }
}

TEST(LineSampling, SmallCachesAreNotSampled) {
  // A pitch of 19 lines: not one line in 19.
  const gpu::CacheGeometry large{true, 1024 * 16 * 128, 128, 32, 16, false, true, true};
  for (const std::uint64_t wanted : {19U, 23U})
    EXPECT_NE(LineSampling(large, wanted, {19 * 128 * 8}).one_in(), 19U);
  // 256 sets leave 32 with one line in 7, the only prime of at least two thirds of 8; rows of 7 KiB ask for a
  // smaller one.
  const gpu::CacheGeometry small{true, 256 * 16 * 128, 128, 32, 16, false, true, true};
  EXPECT_EQ(LineSampling(small, 1000).one_in(), 7U);
  EXPECT_EQ(LineSampling(small, 1000, {7 * 1024}).one_in(), 5U);
  EXPECT_EQ(LineSampling(small, 1000, {7 * 1024, 5 * 1024}).one_in(), 3U);
  EXPECT_TRUE(LineSampling(small, 1000, {7 * 1024, 5 * 1024, 3 * 1024}).whole());
  // One line in 3 is asked for, and rows are 24 lines apart: a larger prime, instead of all rows or none.
  EXPECT_EQ(LineSampling(large, 3, {24 * 128}).one_in(), 5U);
  EXPECT_TRUE(LineSampling({true, 16 * 16 * 128, 128, 32, 16, false, true, true}, 1000).whole());
  EXPECT_TRUE(LineSampling({false, 0, 128, 32, 16, false, true, true}, 1000).whole());
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
