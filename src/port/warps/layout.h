// Where a region's arrays lie on the device. The host's addresses change from run to run; the device's start
// on page boundaries, in the order of the code, so that answers are the same for the same program.
#pragma once

#include "facts/region_trace.h"

#include <cstdint>
#include <vector>

namespace forewarp::port {

/// Start of every array on the device is a multiple of this: large device allocations are page aligned.
inline constexpr std::uint64_t device_alignment_bytes = 4096;

/// Objects in the order of the first access to them in the code: the host's addresses, and with them the
/// order in which a run lists its objects, change from run to run.
std::vector<std::uint32_t> object_order(const facts::RegionTrace& trace);

class DeviceLayout {
public:
  explicit DeviceLayout(const facts::RegionTrace& trace);
  /// Device address of a host address; addresses of no known object keep their distances.
  std::uint64_t device(std::uint64_t host_address) const;
  /// Index of the object at a host address; no_region_index: none.
  std::uint32_t object_at(std::uint64_t host_address) const;
  const std::vector<facts::MemoryRegion>& regions() const { return regions_; }

private:
  struct Range {
    std::uint64_t begin, end, device;
    std::uint32_t object;
  };
  const Range* find(std::uint64_t host_address) const;
  std::vector<Range> ranges_; ///< by begin
  mutable std::size_t last_ = 0;
  std::uint64_t end_ = 0; ///< of the device's objects
  std::vector<facts::MemoryRegion> regions_;
};

} // namespace forewarp::port
