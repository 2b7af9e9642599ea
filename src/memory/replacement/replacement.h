// Which line of a full set makes room. One policy per file; the table of names is in registry.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::memory {

class Replacement {
public:
  virtual ~Replacement() = default;
  /// A line was filled into (set, way).
  virtual void inserted(std::uint64_t set, unsigned way) = 0;
  /// A line at (set, way) was used.
  virtual void touched(std::uint64_t set, unsigned way) = 0;
  /// Way to evict; every way of the set is in use.
  virtual unsigned victim(std::uint64_t set) = 0;
};

std::unique_ptr<Replacement> make_fifo(std::uint64_t sets, unsigned ways);
std::unique_ptr<Replacement> make_random(std::uint64_t sets, unsigned ways);

/// Null: LRU, which the cache does by itself; or no such policy.
std::unique_ptr<Replacement> make_replacement(std::string_view name, std::uint64_t sets, unsigned ways);
const std::vector<std::string>& replacement_names();

} // namespace forewarp::memory
