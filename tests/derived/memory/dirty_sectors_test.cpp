// What is in the caches' way out when a kernel starts and ends, worked by hand.
#include "memory/l2/dirty_sectors.h"

#include <gtest/gtest.h>

namespace {

using forewarp::memory::keep_dirty_sectors;
using forewarp::memory::SiteSectors;

constexpr double sector = 32, cache = 1000 * sector;

std::vector<SiteSectors> a_read_and_a_write(double read, double written) {
  return {{.asked = read, .read = read}, {.asked = written, .written = written}};
}

/// 400 sectors come in and 200 are written in caches of 1000: all writes stay; nothing was in their way.
TEST(DirtySectors, CleanCachesKeepWhatFits) {
  auto sites = a_read_and_a_write(400, 200);
  EXPECT_DOUBLE_EQ(keep_dirty_sectors(cache, 0, sites), 200 * sector);
  EXPECT_DOUBLE_EQ(sites[1].written, 0);
  EXPECT_DOUBLE_EQ(sites[0].extra + sites[1].extra, 0);
}

/// The same in caches full of others' written lines: each of the 600 sectors drives one out.
TEST(DirtySectors, DirtyCachesGiveUpALineForEach) {
  auto sites = a_read_and_a_write(400, 200);
  EXPECT_DOUBLE_EQ(keep_dirty_sectors(cache, 1, sites), 200 * sector);
  EXPECT_DOUBLE_EQ(sites[0].extra, 400);
  EXPECT_DOUBLE_EQ(sites[1].extra, 200);
}

/// 3000 read and 1000 written: the caches turn over four times, others' lines leave once, in shares of 3
/// to 1. Of the own ones a quarter of what the caches hold is dirty at the end: 250.
TEST(DirtySectors, OthersLinesLeaveOnce) {
  auto sites = a_read_and_a_write(3000, 1000);
  EXPECT_DOUBLE_EQ(keep_dirty_sectors(cache, 1, sites), 250 * sector);
  EXPECT_DOUBLE_EQ(sites[0].extra, 750);
  EXPECT_DOUBLE_EQ(sites[1].extra, 250);
  EXPECT_DOUBLE_EQ(sites[1].written, 750);
}

/// Of caches of which others left 0.7 to be written, 600 sectors drive out 420.
TEST(DirtySectors, OthersMayHaveWrittenSomeAlready) {
  auto sites = a_read_and_a_write(400, 200);
  EXPECT_DOUBLE_EQ(keep_dirty_sectors(cache, 0.7, sites), 200 * sector);
  EXPECT_DOUBLE_EQ(sites[0].extra, 280);
  EXPECT_DOUBLE_EQ(sites[1].extra, 140);
}

TEST(DirtySectors, ReadsAloneDriveOutToo) {
  auto sites = a_read_and_a_write(500, 0);
  EXPECT_DOUBLE_EQ(keep_dirty_sectors(cache, 1, sites), 0);
  EXPECT_DOUBLE_EQ(sites[0].extra, 500);
}

} // namespace
