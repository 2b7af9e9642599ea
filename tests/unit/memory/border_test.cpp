// Groups at the border that clamp their indices run the same blocks as inner ones, at bent addresses.
#include "memory/translate/translate.h"

#include <gtest/gtest.h>

namespace forewarp::memory {
namespace {

constexpr std::int64_t row_bytes = 1 << 16;

/// A 2-D kernel whose groups read the row above their own, clamped to row 0.
facts::KernelTrace clamped_trace() {
  facts::KernelTrace trace;
  trace.shape.groups = {16, 16, 1};
  trace.regions.push_back({"in", facts::MemorySpace::global, 1 << 20, 1 << 22});
  for (const auto& [x, y] :
       {std::pair{8U, 8U}, {9U, 8U}, {8U, 9U}, {0U, 0U}, {15U, 15U}, {8U, 0U}, {3U, 11U}}) {
    facts::MemoryEvent event;
    event.active = 0xFFFFFFFF;
    event.stride = 4;
    const std::int64_t row = y == 0 ? 0 : static_cast<std::int64_t>(y) * 8 - 1;
    event.base = static_cast<std::uint64_t>((1 << 20) + row * row_bytes / 8 + x * 128);
    facts::GroupTrace group;
    group.group = {x, y, 0};
    group.warps.resize(1);
    group.warps[0].events.push_back(event);
    trace.groups.push_back(group);
  }
  trace.classes.push_back({0, {0, 1, 2, 3, 4, 5, 6}, 256});
  return trace;
}

TEST(Border, ClampedGroupsDoNotSpoilTheInnerOnes) {
  const facts::KernelTrace trace = clamped_trace();
  const std::vector<facts::MemorySite> sites(1);
  const Translator translator(trace, sites);
  EXPECT_FALSE(translator.irregular_sites()[0]);
  StreamEvent event{};
  event.base = trace.groups[0].warps[0].events[0].base;
  const Translation& translation = translator.translation(0, 0, event);
  // One group to the right is 32 floats on; one down is 8 rows on.
  EXPECT_EQ(translation.bytes_per_group[0], 128);
  EXPECT_EQ(translation.bytes_per_group[1], row_bytes);
}

} // namespace
} // namespace forewarp::memory
