// Ten accesses to a fully associative cache of three lines, worked by hand.
#include "derived/memory/reuse_distance.h"
#include "memory/cache/cache.h"

#include <gtest/gtest.h>

namespace forewarp::memory {
namespace {

std::string hits(const char* policy, const std::string& stream) {
  Cache cache({true, 3 * 128, 128, 32, 3, false, false, false}, policy);
  std::string out;
  for (const char c : stream)
    out += cache.load(static_cast<std::uint64_t>(c), 1).missing ? '.' : 'h';
  return out;
}

// a b c | a hits | d evicts b (oldest use) | b evicts c | a hits | c evicts d | d evicts b | a hits
TEST(Replacement, Lru) {
  EXPECT_EQ(hits("lru", "abcadbacda"), "...h..h..h");
}
// a b c | a hits | d evicts a | b hits | a evicts b | c hits | d hits | a hits
TEST(Replacement, Fifo) {
  EXPECT_EQ(hits("fifo", "abcadbacda"), "...h.h.hhh");
}

TEST(ReuseDistance, CountsDistinctLinesBetweenUses) {
  // a b c b a a: distances cold cold cold 1 (c) 2 (b, c) 0
  ReuseDistance d;
  EXPECT_EQ(d.access(1), cold_distance);
  EXPECT_EQ(d.access(2), cold_distance);
  EXPECT_EQ(d.access(3), cold_distance);
  EXPECT_EQ(d.access(2), 1U);
  EXPECT_EQ(d.access(1), 2U);
  EXPECT_EQ(d.access(1), 0U);
  const ReuseHistogram h = reuse_histogram({1, 2, 3, 2, 1, 1});
  EXPECT_EQ(h.cold, 3U);
  EXPECT_EQ(h.buckets, (std::vector<std::uint64_t>{1, 1, 1}));
  EXPECT_DOUBLE_EQ(lru_hit_rate({1, 2, 3, 2, 1, 1}, 2), 2.0 / 6);
}

TEST(CacheGeometry, LinesOf32And64And256Bytes) {
  // 32-byte lines: two sectors of one block are two lines.
  Cache small({true, 1024, 32, 32, 32, false, false, false});
  EXPECT_EQ(small.load(0, 0b0011).filled, 2U);
  EXPECT_EQ(small.load(0, 0b0110).filled, 1U);
  // 64-byte lines without sectors: a half block comes whole.
  Cache half({true, 1024, 64, 64, 16, false, false, false});
  EXPECT_EQ(half.load(0, 0b0001).filled, 2U);
  EXPECT_EQ(half.load(0, 0b0010).filled, 0U);
  EXPECT_EQ(half.load(0, 0b1000).filled, 2U);
  // 256-byte lines with 32-byte sectors: neighbours share the tag, not the data.
  Cache wide({true, 4096, 256, 32, 4, false, false, false});
  EXPECT_EQ(wide.load(0, 1).filled, 1U);
  EXPECT_EQ(wide.load(1, 1).filled, 1U);
  EXPECT_EQ(wide.load(1, 1).filled, 0U);
}

TEST(CacheWrites, DirtySectorsAreCountedOnceAndLeaveOnEviction) {
  Cache cache({true, 128, 128, 32, 1, false, true, true});
  EXPECT_EQ(cache.store(1, 0b0011).newly_dirty, 2U);
  EXPECT_EQ(cache.store(1, 0b0110).newly_dirty, 1U);
  EXPECT_EQ(cache.load(1, 0b0111).filled, 0U);
  EXPECT_EQ(cache.load(2, 1).evicted_dirty, 3U);
  EXPECT_EQ(cache.atomic(3, 1).filled, 1U);
}

} // namespace
} // namespace forewarp::memory
