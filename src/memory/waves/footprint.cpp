#include "memory/waves/footprint.h"

#include "memory/coalesce/lanes.h"
#include "memory/coalesce/sector_count.h"
#include "memory/translate/stream.h"

#include <algorithm>
#include <bit>

namespace forewarp::memory {
namespace {

/// Last of the regions (sorted by base) that begins before the block's end, if the block begins in it; else
/// their number.
std::size_t region_of(const std::vector<const facts::MemoryRegion*>& sorted, std::uint64_t block) {
  const std::uint64_t begin = block * block_bytes, last = begin + block_bytes - 1;
  std::size_t after = sorted.size();
  while (after > 0 && sorted[after - 1]->base > last) // a kernel has few
    --after;
  return after > 0 && begin < sorted[after - 1]->base + sorted[after - 1]->size_bytes ? after - 1
                                                                                      : sorted.size();
}

} // namespace

Footprint::Footprint(const LineSampling& sampling, std::size_t expected_blocks)
    : sampling_(sampling), table_(std::bit_ceil(std::clamp<std::size_t>(expected_blocks / 4, 128, 4096))) {}

Footprint::Row& Footprint::add(std::uint64_t number) {
  if (2 * ++used_ >= table_.size()) {
    std::vector<Row> old(table_.size() * 2);
    old.swap(table_);
    for (const Row& r : old)
      if (r.name != 0)
        table_[slot_of(r.name)] = r;
  }
  Row& out = table_[slot_of(number + 1)];
  out.name = number + 1;
  return out;
}

Footprint::Totals Footprint::totals(const std::vector<facts::MemoryRegion>& regions, double further_waves,
                                    double scale) const {
  struct Count { // sectors
    std::uint64_t any[2] = {0, 0}, read[2] = {0, 0}, written[2] = {0, 0};
  };
  std::vector<const facts::MemoryRegion*> sorted;
  for (const facts::MemoryRegion& r : regions)
    if (r.space == facts::MemorySpace::global || r.space == facts::MemorySpace::constant)
      sorted.push_back(&r);
  std::stable_sort(sorted.begin(), sorted.end(), [](auto* a, auto* b) { return a->base < b->base; });
  std::vector<Count> counts(sorted.size() + 1);
  const auto count = [](const Marks& m, bool is_private, Count& c) {
    const unsigned first = m.read[0] | m.written[0], second = m.read[1] | m.written[1];
    c.any[0] += sector_count(first);
    c.any[1] += sector_count(second & ~first);
    if (is_private)
      return; // it need never leave the caches
    c.read[0] += sector_count(m.read[0]);
    c.read[1] += sector_count(m.read[1] & ~static_cast<unsigned>(m.read[0]));
    c.written[0] += sector_count(m.written[0]);
    c.written[1] += sector_count(m.written[1] & ~static_cast<unsigned>(m.written[0]));
  };
  for (const Row& r : table_) {
    if (r.name == 0)
      continue;
    const std::uint64_t first = (r.name - 1) * row_blocks;
    const auto region_at = [&](std::uint64_t i) { return region_of(sorted, sampling_.block_of(first + i)); };
    const std::size_t region = region_at(0);
    const bool one_region = region < sorted.size() && region == region_at(row_blocks - 1);
    for (std::uint64_t i = 0; i < row_blocks; ++i)
      if (const Marks& m = r.marks[i]; (m.read[0] | m.read[1] | m.written[0] | m.written[1]) != 0)
        count(m, sampling_.block_of(first + i) >= local_base_block,
              counts[one_region ? region : region_at(i)]);
  }
  Totals sum;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    const double bound = r < sorted.size() ? static_cast<double>(sorted[r]->size_bytes) : 1e300;
    // A sector that straddles the region's end counts whole.
    const double room = bound + sector_bytes;
    const auto bytes = [](std::uint64_t sectors) { return static_cast<double>(sectors * sector_bytes); };
    const auto whole = [&](const std::uint64_t* c) {
      return std::min(room, scale * (bytes(c[0]) + further_waves * bytes(c[1])));
    };
    sum.bytes += whole(counts[r].any);
    sum.read_bytes += whole(counts[r].read);
    sum.written_bytes += whole(counts[r].written);
    sum.first_wave_bytes += std::min(room, scale * bytes(counts[r].any[0]));
  }
  return sum;
}

} // namespace forewarp::memory
