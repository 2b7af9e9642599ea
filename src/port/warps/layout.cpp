#include "port/warps/layout.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace forewarp::port {
namespace {

std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + device_alignment_bytes - 1) / device_alignment_bytes * device_alignment_bytes;
}
/// Device addresses begin here, away from zero.
constexpr std::uint64_t first_device_address = 1ULL << 20;

} // namespace

std::vector<std::uint32_t> object_order(const facts::RegionTrace& trace) {
  std::vector<std::size_t> first_site(trace.objects.size(), trace.sites.size());
  for (std::size_t s = trace.sites.size(); s-- > 0;)
    if (trace.sites[s].object < first_site.size())
      first_site[trace.sites[s].object] = s;
  std::vector<std::uint32_t> order(trace.objects.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(first_site[a], trace.objects[a].name, trace.objects[a].size_bytes) <
           std::tie(first_site[b], trace.objects[b].name, trace.objects[b].size_bytes);
  });
  return order;
}

DeviceLayout::DeviceLayout(const facts::RegionTrace& trace) {
  std::uint64_t next = first_device_address;
  regions_.resize(trace.objects.size());
  for (const std::uint32_t o : object_order(trace)) {
    const facts::RegionObject& object = trace.objects[o];
    // The touched range of an object that no allocation is known for starts anywhere.
    const std::uint64_t shift = object.kind == facts::RegionObject::Kind::unknown ? object.base % 256 : 0;
    ranges_.push_back({object.base, object.base + object.size_bytes, next + shift, o});
    regions_[o] = {object.name, facts::MemorySpace::global, next + shift, object.size_bytes};
    next += aligned(object.size_bytes + shift);
  }
  end_ = next;
  std::sort(ranges_.begin(), ranges_.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
}

const DeviceLayout::Range* DeviceLayout::find(std::uint64_t host_address) const {
  if (last_ < ranges_.size() && host_address >= ranges_[last_].begin && host_address < ranges_[last_].end)
    return &ranges_[last_];
  const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), host_address,
                                      [](std::uint64_t a, const Range& range) { return a < range.begin; });
  if (after == ranges_.begin() || host_address >= std::prev(after)->end)
    return nullptr;
  last_ = static_cast<std::size_t>(std::prev(after) - ranges_.begin());
  return &ranges_[last_];
}

std::uint64_t DeviceLayout::device(std::uint64_t host_address) const {
  const Range* range = find(host_address);
  return range ? range->device + (host_address - range->begin) : end_ + host_address;
}

std::uint32_t DeviceLayout::object_at(std::uint64_t host_address) const {
  const Range* range = find(host_address);
  return range ? range->object : facts::no_region_index;
}

} // namespace forewarp::port
