#include "memory/footprint.h"

#include "memory/lanes.h"
#include "memory/sector_count.h"
#include "memory/stream.h"

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
  struct Count {
    double any[2] = {0, 0}, read[2] = {0, 0}, written[2] = {0, 0};
  };
  std::vector<const facts::MemoryRegion*> sorted;
  for (const facts::MemoryRegion& r : regions)
    if (r.space == facts::MemorySpace::global || r.space == facts::MemorySpace::constant)
      sorted.push_back(&r);
  std::stable_sort(sorted.begin(), sorted.end(), [](auto* a, auto* b) { return a->base < b->base; });
  std::vector<Count> counts(sorted.size() + 1);
  const auto count = [&](std::uint64_t block, const Marks& m) {
    const auto bytes = [](unsigned mask) { return static_cast<double>(sector_count(mask)) * sector_bytes; };
    Count& c = counts[region_of(sorted, block)];
    const unsigned first = m.read[0] | m.written[0], second = m.read[1] | m.written[1];
    c.any[0] += bytes(first);
    c.any[1] += bytes(second & ~first);
    if (block >= local_base_block)
      return; // private memory need never leave the caches
    c.read[0] += bytes(m.read[0]);
    c.read[1] += bytes(m.read[1] & ~static_cast<unsigned>(m.read[0]));
    c.written[0] += bytes(m.written[0]);
    c.written[1] += bytes(m.written[1] & ~static_cast<unsigned>(m.written[0]));
  };
  for (const Row& r : table_)
    for (std::uint64_t i = 0; r.name != 0 && i < row_blocks; ++i)
      if (const Marks& m = r.marks[i]; (m.read[0] | m.read[1] | m.written[0] | m.written[1]) != 0)
        count(sampling_.block_of((r.name - 1) * row_blocks + i), m);
  Totals sum;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    const double bound = r < sorted.size() ? static_cast<double>(sorted[r]->size_bytes) : 1e300;
    // A sector that straddles the region's end counts whole.
    const double room = bound + sector_bytes;
    const auto whole = [&](const double* c) { return std::min(room, scale * (c[0] + further_waves * c[1])); };
    sum.bytes += whole(counts[r].any);
    sum.read_bytes += whole(counts[r].read);
    sum.written_bytes += whole(counts[r].written);
    sum.first_wave_bytes += std::min(room, scale * counts[r].any[0]);
  }
  return sum;
}

} // namespace forewarp::memory
