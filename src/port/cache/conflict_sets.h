// Cache hits by temporal conflict sets (Wang, Zhong, Mitra: CGPredict, TECS 2017, section 3.3.4 and Eq. 9-11;
// Liang, Mitra, DAC 2010): a reference hits where fewer than A distinct blocks of its set came since the
// block's last reference. Each set by itself; loads and stores alike (write allocate).
#pragma once

#include <cstdint>
#include <vector>

namespace forewarp::port {

struct CacheShape {
  std::uint64_t size_bytes = 131072;
  unsigned line_bytes = 64, ways = 16;
  std::uint64_t sets() const {
    const std::uint64_t count = size_bytes / (static_cast<std::uint64_t>(line_bytes) * ways);
    return count > 0 ? count : 1;
  }
};

/// Counts the temporal conflict set of each reference: the distinct blocks after the block's last one, by a
/// walk back through the set's references that stops at A of them.
class ConflictSets {
public:
  explicit ConflictSets(const CacheShape& shape) : shape_(shape), sets_(shape.sets()) {}
  /// True: hit(m[j]) of Eq. 9.
  bool access(std::uint64_t address);
  std::uint64_t accesses() const { return accesses_; }
  std::uint64_t hits() const { return hits_; } ///< Eq. 11

private:
  /// References of one set, in order; those that are no block's last are marked dead and swept out.
  struct Set {
    struct Reference {
      std::uint64_t line;
      bool last = true; ///< no later reference of the same block
    };
    std::vector<Reference> references;
  };
  bool conflict_set_fits(Set& set, std::uint64_t line) const;

  CacheShape shape_;
  std::vector<Set> sets_;
  std::uint64_t accesses_ = 0, hits_ = 0;
};

} // namespace forewarp::port
