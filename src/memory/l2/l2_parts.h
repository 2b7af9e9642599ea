// L2 in parts (A100, H100): each serves its share of the SMs and keeps what they read, lines of the other
// parts' memory too; a line that it does not hold comes through the part that its memory hangs on (its home).
// So a line that all SMs read stands in every part, and a circle wider than one part is read again through
// the home, which holds its own lines longer: the copies cost it nothing. Writes and atomics are done at the
// home; copies elsewhere go. Which part an SM is near to and where a line is at home are not published: both
// are spread evenly. Not modelled: the bandwidth between parts (none was seen to bind).
#pragma once

#include "memory/cache/cache.h"
#include "memory/translate/stream.h"

#include <vector>

namespace forewarp::memory {

class L2Parts {
public:
  /// `part`: one part's geometry.
  L2Parts(const gpu::CacheGeometry& part, unsigned parts) : seed_(parts) {
    for (unsigned p = 0; p < parts; ++p)
      parts_.emplace_back(part);
  }

  struct Found {
    CacheResult at_home;  ///< what memory behind L2 sees of the access; of a hit nearby that hit
    unsigned crossed = 0; ///< 32-byte sectors that came from, or went to, another part
  };

  std::size_t count() const { return parts_.size(); }
  /// Null where there are several.
  Cache* only() { return parts() == 1 ? &parts_.front() : nullptr; }
  /// The part that an SM is near to: alternating, and not in step with any power of two.
  unsigned near(unsigned sm) const { return static_cast<unsigned>(std::popcount(sm)) % parts(); }
  /// `line` decides the home; the caches know it as `held` (line_sampling.h).
  Found access(Route route, unsigned from, std::uint64_t line, std::uint64_t held, std::uint8_t sectors) {
    if (parts() == 1) // nearly always, and asked millions of times
      return {one(parts_.front(), route, held, sectors), 0};
    return access_parts(route, from, line, held, sectors);
  }

private:
  static CacheResult one(Cache& part, Route route, std::uint64_t held, std::uint8_t sectors) {
    return route == Route::store    ? part.store(held, sectors)
           : route == Route::atomic ? part.atomic(held, sectors)
                                    : part.load(held, sectors);
  }
  Found access_parts(Route route, unsigned from, std::uint64_t line, std::uint64_t held,
                     std::uint8_t sectors);
  unsigned parts() const { return static_cast<unsigned>(parts_.size()); }

  std::uint64_t seed_;
  std::vector<Cache> parts_;
};

} // namespace forewarp::memory
