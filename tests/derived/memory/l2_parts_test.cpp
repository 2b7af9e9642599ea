// L2 in two parts: hand-worked accesses.
#include "memory/l2/l2_parts.h"

#include <gtest/gtest.h>

namespace forewarp::memory::test {
namespace {

gpu::CacheGeometry part_of(std::uint64_t lines) {
  gpu::CacheGeometry part;
  part.present = true;
  part.size_bytes = lines * 128;
  part.ways = 16;
  return part;
}

/// What part 0 crosses for on an empty cache is at home in part 1.
std::vector<std::uint64_t> lines_of(unsigned home, std::size_t count) {
  std::vector<std::uint64_t> lines;
  L2Parts fresh(part_of(1 << 16), 2);
  for (std::uint64_t line = 0; lines.size() < count; ++line)
    if ((fresh.access(Route::l2, 0, line, line, 0xF).crossed != 0) == (home == 1))
      lines.push_back(line);
  return lines;
}

TEST(L2Parts, OnePartIsAPlainCache) {
  L2Parts whole(part_of(64), 1);
  EXPECT_EQ(whole.near(3), 0U);
  const L2Parts::Found cold = whole.access(Route::l2, 0, 5, 5, 0x3);
  EXPECT_EQ(cold.crossed, 0U);
  EXPECT_EQ(cold.at_home.filled, 2U);
  EXPECT_EQ(whole.access(Route::l2, 0, 5, 5, 0x3).at_home.filled, 0U);
}

/// Read from afar: both parts keep the line, so that either side's next load hits without crossing.
TEST(L2Parts, ALineReadFromAfarStandsInBoth) {
  L2Parts parts(part_of(64), 2);
  const std::uint64_t line = lines_of(1, 1).front();
  const L2Parts::Found cold = parts.access(Route::l2, 0, line, line, 0xF);
  EXPECT_EQ(cold.crossed, 4U);
  EXPECT_EQ(cold.at_home.filled, 4U);
  for (const unsigned from : {0U, 1U}) {
    const L2Parts::Found again = parts.access(Route::l2, from, line, line, 0xF);
    EXPECT_EQ(again.crossed, 0U);
    EXPECT_EQ(again.at_home.filled, 0U);
  }
}

TEST(L2Parts, ALineReadAtHomeStandsThereAlone) {
  L2Parts parts(part_of(64), 2);
  const std::uint64_t line = lines_of(0, 1).front();
  EXPECT_EQ(parts.access(Route::l2, 0, line, line, 0xF).crossed, 0U);
  const L2Parts::Found other = parts.access(Route::l2, 1, line, line, 0xF);
  EXPECT_EQ(other.crossed, 4U);
  EXPECT_EQ(other.at_home.filled, 0U);
}

/// The copy of part 0 goes when part 1, the home, is written: the next load from part 0 crosses, and finds
/// it.
TEST(L2Parts, AStoreTakesTheCopiesAway) {
  L2Parts parts(part_of(64), 2);
  const std::uint64_t line = lines_of(1, 1).front();
  parts.access(Route::l2, 0, line, line, 0xF);
  const L2Parts::Found stored = parts.access(Route::store, 0, line, line, 0xF);
  EXPECT_EQ(stored.at_home.newly_dirty, 4U);
  EXPECT_EQ(stored.crossed, 4U);
  const L2Parts::Found after = parts.access(Route::l2, 0, line, line, 0xF);
  EXPECT_EQ(after.crossed, 4U);
  EXPECT_EQ(after.at_home.filled, 0U);
}

/// One SM goes around 1.5 times a part, half of it at home afar: what is at home nearby is driven out by the
/// copies and read again from DRAM, the other half fits its home and crosses each round.
TEST(L2Parts, ACircleBetweenOnePartAndAllIsHalfDram) {
  constexpr std::uint64_t part_lines = 4096, circle = part_lines * 3 / 2;
  L2Parts parts(part_of(part_lines), 2);
  std::uint64_t crossed = 0, from_dram = 0;
  for (unsigned round = 0; round < 4; ++round) {
    crossed = from_dram = 0;
    for (std::uint64_t line = 0; line < circle; ++line) {
      const L2Parts::Found found = parts.access(Route::l2, 0, line, line, 0xF);
      crossed += found.crossed / 4;
      from_dram += found.at_home.filled / 4;
    }
  }
  EXPECT_NEAR(static_cast<double>(from_dram), circle / 2.0, 0.05 * circle);
  EXPECT_NEAR(static_cast<double>(crossed), circle / 2.0, 0.05 * circle);
}

TEST(L2Parts, HalfOfTheSmsAreNearToEach) {
  const L2Parts parts(part_of(64), 2);
  for (const unsigned sms : {108U, 114U, 132U}) {
    unsigned near_second = 0;
    for (unsigned sm = 0; sm < sms; ++sm)
      near_second += parts.near(sm);
    EXPECT_EQ(near_second, sms / 2) << sms;
  }
}

} // namespace
} // namespace forewarp::memory::test
