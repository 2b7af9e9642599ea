// Distinct numbers, nearly always few (what one warp touches), each with its place in the order of first use.
// Open addressing without allocation while they are few; clearing costs next to nothing.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <utility>

namespace forewarp::memory {

class SmallSet {
public:
  /// Place of the value and whether it is new.
  std::pair<std::uint32_t, bool> insert(std::int64_t value) {
    if (count_ > 0 && value == last_)
      return {last_place_, false};
    last_ = value;
    if (count_ >= few)
      return insert_beyond(value);
    auto at = static_cast<std::uint32_t>((static_cast<std::uint64_t>(value) * 0x9E3779B97F4A7C15ULL) >> 56);
    for (; round_of_[at] == round_; at = (at + 1) % slots)
      if (values_[at] == value)
        return {last_place_ = places_[at], false};
    round_of_[at] = round_;
    values_[at] = value;
    places_[at] = static_cast<std::uint16_t>(count_);
    return {last_place_ = count_++, true};
  }
  std::size_t size() const { return count_; }
  void clear() {
    count_ = 0;
    beyond_.clear();
    if (++round_ == 0) {
      round_of_.fill(0);
      round_ = 1;
    }
  }

private:
  std::pair<std::uint32_t, bool> insert_beyond(std::int64_t value) {
    if (beyond_.empty())
      for (std::uint32_t at = 0; at < slots; ++at)
        if (round_of_[at] == round_)
          beyond_.emplace(values_[at], places_[at]);
    const auto [entry, first] = beyond_.try_emplace(value, count_);
    count_ += first ? 1 : 0;
    return {last_place_ = entry->second, first};
  }

  static constexpr std::uint32_t slots = 256, few = 160;
  std::array<std::int64_t, slots> values_;
  std::array<std::uint16_t, slots> places_;
  std::array<std::uint8_t, slots> round_of_{}; ///< slots of earlier rounds are empty
  std::uint8_t round_ = 1;
  std::uint32_t count_ = 0, last_place_ = 0;
  std::int64_t last_ = 0;
  std::unordered_map<std::int64_t, std::uint32_t> beyond_;
};

} // namespace forewarp::memory
