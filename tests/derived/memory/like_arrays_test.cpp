// Arrays that a warp walks at a time, at like offsets, worked by hand.
#include "memory/dram/like_arrays.h"

#include <gtest/gtest.h>

namespace forewarp::memory {
namespace {

/// One warp that reads once from each address; every site moves the same bytes of DRAM.
struct Reads {
  facts::KernelTrace trace;
  std::vector<facts::SiteProfile> sites;

  explicit Reads(const std::vector<std::uint64_t>& addresses) {
    facts::WarpTrace warp;
    for (std::uint32_t s = 0; s < addresses.size(); ++s) {
      facts::MemoryEvent event;
      event.site = s;
      event.base = addresses[s];
      warp.events.push_back(event);
      sites.push_back({.site = s, .bytes_dram = 100});
    }
    trace.groups.resize(1);
    trace.groups[0].warps.push_back(std::move(warp));
    trace.classes = {{.samples = {0}, .weight_groups = 1}};
  }
};

TEST(LikeArrays, SixteenAMebibyteApart) {
  std::vector<std::uint64_t> addresses;
  for (std::uint64_t array = 0; array < 16; ++array)
    addresses.push_back(4096 + array * (1U << 20));
  EXPECT_EQ(arrays_at_like_offsets(Reads(addresses).trace, Reads(addresses).sites), 16U);
}

// Five arrays of a lattice 64 MiB apart, read at a cell and the cells beside it (4 bytes, a row of 1 KiB, a
// plane of 256 KiB away: other banks), and one of them written at the place that was read.
TEST(LikeArrays, NeighboursAreAlikeAndOneArrayIsOne) {
  constexpr std::uint64_t array = 1U << 26, row = 1024, plane = 256 * 1024;
  const Reads lattice({0, array + 4, 2 * array + row, 3 * array - row, 4 * array + plane, 4 * array + plane});
  EXPECT_EQ(arrays_at_like_offsets(lattice.trace, lattice.sites), 4U);
}

// Rows of 100,000 bytes: no two of six are a multiple of 1 MiB apart.
TEST(LikeArrays, OtherDistancesAreNot) {
  const Reads rows({0, 100000, 200000, 300000, 400000, 500000});
  EXPECT_EQ(arrays_at_like_offsets(rows.trace, rows.sites), 1U);
}

// What moves less than a 64th of the bytes, or has no address, does not count.
TEST(LikeArrays, SmallAndUnknownOnesDoNotCount) {
  Reads reads({0, 1U << 20, 1U << 21, 1U << 22});
  reads.sites[1].bytes_dram = 1;
  reads.trace.groups[0].warps[0].events[2].pattern = facts::MemoryEvent::Pattern::unknown;
  EXPECT_EQ(arrays_at_like_offsets(reads.trace, reads.sites), 2U);
  for (facts::SiteProfile& site : reads.sites)
    site.bytes_dram = 0;
  EXPECT_EQ(arrays_at_like_offsets(reads.trace, reads.sites), 0U);
}

} // namespace
} // namespace forewarp::memory
