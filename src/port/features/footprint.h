// Distinct blocks and pages that a run touches (Ardalani 2016, section 3.2, "memory footprint").
#pragma once

#include "port/features/address_space.h"
#include "port/features/counts.h"

#include <bit>
#include <cstdlib>

namespace forewarp::port {

/// Of the numbers of an AddressSpace.
class Footprint {
public:
  void touch(std::uint64_t number) { mark(number / memory_block_bytes); }

  /// first, first + stride, ...: `count` of them in one object.
  void touch_run(std::uint64_t first, std::int64_t stride, std::uint64_t count) {
    if (static_cast<std::uint64_t>(std::llabs(stride)) > memory_block_bytes) {
      for (std::uint64_t k = 0; k < count; ++k)
        touch(first + k * static_cast<std::uint64_t>(stride));
      return;
    }
    const std::uint64_t end = first + (count - 1) * static_cast<std::uint64_t>(stride);
    const std::uint64_t low = std::min(first, end) / memory_block_bytes;
    const std::uint64_t high = std::max(first, end) / memory_block_bytes;
    for (std::uint64_t block = low; block <= high; ++block)
      mark(block);
  }

  std::uint64_t blocks() const {
    return count([](std::uint64_t word) { return static_cast<std::uint64_t>(std::popcount(word)); });
  }
  std::uint64_t pages() const {
    return count([](std::uint64_t word) -> std::uint64_t {
      return ((word & 0xFFFFFFFFU) != 0 ? 1U : 0U) + (word >> 32 != 0 ? 1U : 0U);
    });
  }

private:
  static_assert(memory_page_bytes / memory_block_bytes == 32); // half a word of the map

  static constexpr unsigned block_bits = object_bits - 7;

  void mark(std::uint64_t block) {
    const std::uint64_t slot = block >> block_bits, word = (block & ((1ULL << block_bits) - 1)) >> 6;
    if (slot >= maps_.size())
      maps_.resize(slot + 1);
    std::vector<std::uint64_t>& map = maps_[slot];
    if (word >= map.size())
      map.resize(word + 1 + word / 2);
    map[word] |= 1ULL << (block & 63);
  }

  template <class Of> std::uint64_t count(const Of& of) const {
    std::uint64_t sum = 0;
    for (const std::vector<std::uint64_t>& map : maps_)
      for (const std::uint64_t word : map)
        sum += of(word);
    return sum;
  }

  std::vector<std::vector<std::uint64_t>> maps_; ///< by object: a bit a block
};

} // namespace forewarp::port
