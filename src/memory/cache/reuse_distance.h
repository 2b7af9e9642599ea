// Reuse (LRU stack) distance of a stream: the number of distinct lines between two uses of a line (Mattson et
// al., IBM Systems Journal 1970). A fully associative LRU cache of C lines hits exactly where the distance is
// below C.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace forewarp::memory {

inline constexpr std::uint64_t cold_distance = UINT64_MAX;

/// O(log n) per access: a Fenwick tree over access times marks the last use of each line.
class ReuseDistance {
public:
  /// Distinct lines since the last use of `line`; cold_distance at its first.
  std::uint64_t access(std::uint64_t line);

private:
  void add(std::size_t time, int amount);
  std::uint64_t prefix(std::size_t time) const;
  void grow();

  std::vector<std::int64_t> tree_ = std::vector<std::int64_t>(1025);
  std::size_t now_ = 0;
  std::unordered_map<std::uint64_t, std::size_t>
      last_use_; ///< never iterated in an order that reaches output
};

/// Distances counted in powers of two: bucket b holds distances in [2^(b-1), 2^b), bucket 0 distance 0.
struct ReuseHistogram {
  std::vector<std::uint64_t> buckets;
  std::uint64_t cold = 0, accesses = 0;
};
ReuseHistogram reuse_histogram(const std::vector<std::uint64_t>& lines);

/// Share of accesses that hit in a fully associative LRU cache of `cache_lines`.
double lru_hit_rate(const std::vector<std::uint64_t>& lines, std::uint64_t cache_lines);

} // namespace forewarp::memory
