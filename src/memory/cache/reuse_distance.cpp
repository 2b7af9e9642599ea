#include "memory/cache/reuse_distance.h"

#include <bit>

namespace forewarp::memory {

void ReuseDistance::add(std::size_t time, int amount) {
  for (; time < tree_.size(); time += time & (~time + 1))
    tree_[time] += amount;
}

std::uint64_t ReuseDistance::prefix(std::size_t time) const {
  std::int64_t sum = 0;
  for (; time; time &= time - 1)
    sum += tree_[time];
  return static_cast<std::uint64_t>(sum);
}

void ReuseDistance::grow() {
  tree_.assign((tree_.size() - 1) * 2 + 1, 0);
  for (const auto& [line, time] : last_use_)
    add(time, 1);
}

std::uint64_t ReuseDistance::access(std::uint64_t line) {
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

ReuseHistogram reuse_histogram(const std::vector<std::uint64_t>& lines) {
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

double lru_hit_rate(const std::vector<std::uint64_t>& lines, std::uint64_t cache_lines) {
  ReuseDistance distances;
  std::uint64_t hits = 0;
  for (const std::uint64_t line : lines) {
    const std::uint64_t d = distances.access(line);
    hits += d != cold_distance && d < cache_lines;
  }
  return lines.empty() ? 0 : static_cast<double>(hits) / static_cast<double>(lines.size());
}

} // namespace forewarp::memory
