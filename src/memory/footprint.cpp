#include "memory/footprint.h"

#include "memory/lanes.h"
#include "memory/sector_count.h"
#include "memory/stream.h"

#include <algorithm>
#include <bit>

namespace forewarp::memory {
namespace {

std::size_t slot_of(std::uint64_t block, std::size_t size) {
  return static_cast<std::size_t>((block * 0x9E3779B97F4A7C15ULL) >> 20) & (size - 1);
}

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

Footprint::Footprint(std::size_t expected_blocks)
    : table_(std::bit_ceil(std::clamp<std::size_t>(expected_blocks, 512, 8192) * 2)) {}

Footprint::Entry& Footprint::entry(std::uint64_t block) {
  std::size_t at = slot_of(block, table_.size());
  while (table_[at].block != block && table_[at].block != UINT64_MAX)
    at = (at + 1) & (table_.size() - 1);
  return table_[at];
}

void Footprint::grow() {
  std::vector<Entry> old(table_.size() * 2);
  old.swap(table_);
  for (const Entry& e : old)
    if (e.block != UINT64_MAX)
      entry(e.block) = e;
}

void Footprint::touch(std::uint64_t block, std::uint8_t sectors, bool write, unsigned wave) {
  if (used_ * 2 >= table_.size())
    grow();
  Entry& e = entry(block);
  if (e.block == UINT64_MAX) {
    e.block = block;
    ++used_;
  }
  if (write)
    e.written[wave] |= sectors;
  else // what the grid itself wrote before need not come from DRAM
    e.read[wave] |= sectors & ~(e.written[0] | e.written[1]);
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
  for (const Entry& e : table_) {
    if (e.block == UINT64_MAX)
      continue;
    const std::size_t region = region_of(sorted, e.block);
    const auto bits = [](unsigned mask) { return static_cast<double>(sector_count(mask)) * sector_bytes; };
    Count& c = counts[region];
    const unsigned first = e.read[0] | e.written[0], second = e.read[1] | e.written[1];
    c.any[0] += bits(first);
    c.any[1] += bits(second & ~first);
    if (e.block >= local_base_block)
      continue; // private memory need never leave the caches
    c.read[0] += bits(e.read[0]);
    c.read[1] += bits(e.read[1] & ~static_cast<unsigned>(e.read[0]));
    c.written[0] += bits(e.written[0]);
    c.written[1] += bits(e.written[1] & ~static_cast<unsigned>(e.written[0]));
  }
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
