// Sums in shared memory that the code makes by load, operation and compare-and-swap, again and again until no
// other lane came between.
//
// In each attempt of a warp one lane of an address succeeds. Of the warps of a group that ask for one address
// at the same place of the program, one goes through while the others fail, then the next: a warp's attempts
// are those of its own lanes times half of one more than the warps. (RTX 3080, atomicPerf of HeCBench: eight
// warps on one address or on 32 take 4.1 to 5 times the attempts of one.) Work between the sums, which would
// let the warps fall apart, is not looked at.
#pragma once

#include "facts/memory_profile.h"
#include "facts/trace.h"
#include "gpu/machine.h"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace forewarp::memory {

/// Whether this access is such a loop.
bool is_retried(const facts::MemorySite& site, facts::AtomicKind kind, facts::MemorySpace space,
                const gpu::MemoryTiming& memory);

struct Attempts {
  double count = 1;  ///< of the warp, mean over the warps of its group
  double passes = 1; ///< over the banks, of the loads of all attempts
};

/// Of one group. Warps are walked one after the other, each from its first event.
class Retries {
public:
  Retries(const facts::GroupTrace& group, const std::vector<facts::MemorySite>& sites,
          const facts::AtomicKinds& kinds, const gpu::MemoryTiming& memory);
  void begin_warp() { done_.clear(); }
  /// Of the warp's next access that is_retried.
  Attempts next(const facts::MemoryEvent& event, const std::vector<std::int64_t>& offsets);

private:
  using Warps = std::unordered_map<std::int64_t, unsigned>; ///< by address
  using Place = std::pair<std::uint32_t, std::uint32_t>;    ///< site, its how-many-th access of a warp
  double contenders(const Place& place, const std::vector<std::int64_t>& addresses);

  const std::vector<facts::MemorySite>& sites_;
  const gpu::MemoryTiming& memory_;
  std::map<Place, Warps> warps_;
  std::map<std::uint32_t, std::uint32_t> done_;             ///< accesses of a site, of this warp
  std::map<std::uint32_t, std::pair<double, double>> seen_; ///< of a site: sum and number of contenders
};

} // namespace forewarp::memory
