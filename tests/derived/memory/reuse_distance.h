// Reuse (LRU stack) distance of a stream: the number of distinct lines between two uses of a line (Mattson et
// al., IBM Systems Journal 1970). A fully associative LRU cache of C lines hits exactly where the distance is
// below C: what tests of the simulated cache hold it against.
#pragma once

#include <bit>
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

inline void ReuseDistance::add(std::size_t time, int amount) {
  for (; time < tree_.size(); time += time & (~time + 1))
    tree_[time] += amount;
}

inline std::uint64_t ReuseDistance::prefix(std::size_t time) const {
  std::int64_t sum = 0;
  for (; time; time &= time - 1)
    sum += tree_[time];
  return static_cast<std::uint64_t>(sum);
}

inline void ReuseDistance::grow() {
  tree_.assign((tree_.size() - 1) * 2 + 1, 0);
  for (const auto& [line, time] : last_use_)
    add(time, 1);
}

inline std::uint64_t ReuseDistance::access(std::uint64_t line) {
  if (++now_ >= tree_.size())
    grow();
  std::uint64_t distance = cold_distance;
  auto [entry, first] = last_use_.try_emplace(line, now_);
  if (!first) {
    distance = last_use_.size() - prefix(entry->second);
    add(entry->second, -1);
    entry->second = now_;
  }
  add(now_, 1);
  return distance;
}

inline ReuseHistogram reuse_histogram(const std::vector<std::uint64_t>& lines) {
  ReuseHistogram histogram;
  ReuseDistance distances;
  for (const std::uint64_t line : lines) {
    ++histogram.accesses;
    const std::uint64_t d = distances.access(line);
    if (d == cold_distance) {
      ++histogram.cold;
      continue;
    }
    const auto bucket = static_cast<std::size_t>(std::bit_width(d));
    if (histogram.buckets.size() <= bucket)
      histogram.buckets.resize(bucket + 1);
    ++histogram.buckets[bucket];
  }
  return histogram;
}

inline double lru_hit_rate(const std::vector<std::uint64_t>& lines, std::uint64_t cache_lines) {
  ReuseDistance distances;
  std::uint64_t hits = 0;
  for (const std::uint64_t line : lines) {
    const std::uint64_t d = distances.access(line);
    hits += d != cold_distance && d < cache_lines;
  }
  return lines.empty() ? 0 : static_cast<double>(hits) / static_cast<double>(lines.size());
}

} // namespace forewarp::memory
