// Windows of 32 consecutive executions of one load or store, in the order in which they ran (Ardalani 2016,
// section 3.2: stride0, noConflict, shMemBW, coalesced, gMemBW).
#pragma once

#include "port/features/record/counts.h"

#include <array>
#include <cstdint>
#include <vector>

namespace forewarp::port {

class MemoryWindows {
public:
  /// `widths`: bytes of each site's access.
  explicit MemoryWindows(const std::vector<std::uint32_t>& widths);

  /// Numbers of an AddressSpace.
  void push(std::uint32_t site, std::uint64_t number) {
    Site& state = sites_[site];
    state.numbers[state.count++] = number;
    if (state.count == memory_window)
      close(state);
  }
  /// first, first + stride, ...: `count` of them.
  void push_run(std::uint32_t site, std::uint64_t first, std::int64_t stride, std::uint64_t count);

  const WindowCounts& counts() const { return counts_; }

private:
  struct Site {
    std::array<std::uint64_t, memory_window> numbers;
    std::uint32_t count = 0, width = 4;
  };
  void close(Site& site);
  void add_stride(std::int64_t stride, std::uint32_t width, std::uint64_t windows);
  /// Windows one behind the other, all with one stride.
  void add_regular(std::uint64_t first, std::int64_t stride, std::uint32_t width, std::uint64_t windows);

  std::vector<Site> sites_;
  WindowCounts counts_;
};

} // namespace forewarp::port
