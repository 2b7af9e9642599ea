// Access class of a site from its requests, and memoised bank passes.
#pragma once

#include "facts/memory_profile.h"
#include "memory/coalesce/banks.h"
#include "memory/coalesce/coalesce.h"

#include <unordered_map>
#include <vector>

namespace forewarp::memory {

/// What a site's requests looked like, by weight; the class is the one with the most.
class SiteLook {
public:
  void add_cached(const facts::MemoryEvent& event, const Request& request, double weight);
  void add_shared(const BankPasses& passes, double weight);
  facts::AccessClass access() const;

private:
  std::array<double, 8> weight_{};
};

facts::AccessClass classify(const facts::MemoryEvent& event, const Request& request);
facts::AccessClass classify(const BankPasses& passes);

/// Bank passes by (pattern, strides, mask, width, place in the row of banks). Offsets of lanes are told apart
/// by where they are kept: iterations that were written to the trace share them.
class PassTable {
public:
  BankPasses find(const facts::MemoryEvent& event, const std::vector<std::int64_t>& offsets,
                  unsigned width_bytes, bool atomic, const gpu::MemoryTiming& memory);

private:
  struct Key {
    std::uint64_t active = 0, align = 0;
    std::int64_t stride = 0, row_stride = 0;
    std::uint32_t width = 0;
    std::uint8_t pattern = 0, row_lanes = 0, atomic = 0, pad = 0;
    const std::int64_t* offsets = nullptr; ///< of an irregular pattern
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  std::unordered_map<Key, BankPasses, Hash> memo_;
  std::vector<std::pair<Key, BankPasses>> recent_ =
      std::vector<std::pair<Key, BankPasses>>(256); ///< by site and place
};

} // namespace forewarp::memory
