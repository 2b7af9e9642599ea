// Distinct blocks and pages that a run touches (Ardalani 2016, section 3.2, "memory footprint"), and those
// that each launch reads and writes: what at least goes to and from a GPU's memory.
#pragma once

#include "port/features/record/address_space.h"
#include "port/features/record/counts.h"

#include <algorithm>
#include <cstdlib>

namespace forewarp::port {

/// Of the numbers of an AddressSpace.
class Footprint {
public:
  /// `none`: a thread's own memory; it is touched, but no traffic.
  enum class Access : std::uint8_t { none = 0, read = 1, write = 2 };

  /// A launch begins: what it touches counts as traffic again.
  void begin_launch() { launch_ += one_launch; }

  void touch(std::uint64_t number, Access access) { mark(number / memory_block_bytes, access); }

  /// first, first + stride, ...: `count` of them in one object.
  void touch_run(std::uint64_t first, std::int64_t stride, std::uint64_t count, Access access) {
    if (static_cast<std::uint64_t>(std::llabs(stride)) > memory_block_bytes) {
      for (std::uint64_t k = 0; k < count; ++k)
        touch(first + k * static_cast<std::uint64_t>(stride), access);
      return;
    }
    const std::uint64_t end = first + (count - 1) * static_cast<std::uint64_t>(stride);
    const std::uint64_t low = std::min(first, end) / memory_block_bytes;
    const std::uint64_t high = std::max(first, end) / memory_block_bytes;
    for (std::uint64_t block = low; block <= high; ++block)
      mark(block, access);
  }

  std::uint64_t blocks() const { return count(1); }
  std::uint64_t pages() const { return count(memory_page_bytes / memory_block_bytes); }
  /// Sums over launches of the distinct blocks that one reads before it writes them, and that one writes.
  std::uint64_t read_blocks() const { return read_; }
  std::uint64_t written_blocks() const { return written_; }

private:
  using Mark = std::uint32_t; ///< launch, and what it did to the block; 0: never touched
  static constexpr Mark one_launch = 4, deeds = 3;
  static constexpr unsigned block_bits = object_bits - 7;

  void mark(std::uint64_t block, Access access) {
    const std::uint64_t slot = block >> block_bits, place = block & ((1ULL << block_bits) - 1);
    if (slot >= maps_.size())
      maps_.resize(slot + 1);
    std::vector<Mark>& map = maps_[slot];
    if (place >= map.size())
      map.resize(place + 1 + place / 2);
    Mark& mark = map[place];
    if ((mark & ~deeds) != launch_)
      mark = launch_;
    if (access == Access::read && (mark & deeds) == 0)
      ++read_;
    if (access == Access::write && (mark & static_cast<Mark>(Access::write)) == 0)
      ++written_;
    mark |= static_cast<Mark>(access);
  }

  /// Groups of so many blocks of which one was touched.
  std::uint64_t count(std::size_t group) const {
    std::uint64_t sum = 0;
    for (const std::vector<Mark>& map : maps_)
      for (std::size_t first = 0; first < map.size(); first += group)
        sum += std::any_of(map.begin() + static_cast<std::ptrdiff_t>(first),
                           map.begin() + static_cast<std::ptrdiff_t>(std::min(first + group, map.size())),
                           [](Mark mark) { return mark != 0; })
                   ? 1
                   : 0;
    return sum;
  }

  std::vector<std::vector<Mark>> maps_; ///< by object: a mark a block
  Mark launch_ = one_launch;
  std::uint64_t read_ = 0, written_ = 0;
};

} // namespace forewarp::port
