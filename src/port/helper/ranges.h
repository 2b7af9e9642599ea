// A set of numbers as ranges that do not touch each other.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>

namespace forewarp::port {

class Ranges {
public:
  /// Any number in [begin, end)?
  bool overlap(std::uint64_t begin, std::uint64_t end) const {
    const auto after = ends_.lower_bound(end); // the first range that begins at or behind the end
    return after != ends_.begin() && std::prev(after)->second > begin;
  }

  void add(std::uint64_t begin, std::uint64_t end) {
    auto at = ends_.upper_bound(begin);
    if (at != ends_.begin() && std::prev(at)->second >= begin)
      --at;
    else
      at = ends_.emplace_hint(at, begin, end);
    if (at->second < end)
      at->second = end;
    for (auto next = std::next(at); next != ends_.end() && next->first <= at->second;
         next = ends_.erase(next))
      if (at->second < next->second)
        at->second = next->second;
  }

  std::size_t count() const { return ends_.size(); }
  void clear() { ends_.clear(); }

private:
  std::map<std::uint64_t, std::uint64_t> ends_; ///< by begin
};

} // namespace forewarp::port
