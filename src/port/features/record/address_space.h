// Addresses of a run as numbers that do not depend on where the program's memory happened to lie: each object
// begins at a number of its own, aligned as a GPU's allocation would be.
#pragma once

#include "port/helper/objects.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace forewarp::port {

inline constexpr unsigned object_bits = 40; ///< an object has less than 2^40 bytes

class AddressSpace {
public:
  AddressSpace(const Objects& objects, std::size_t sites) : objects_(objects), seen_(sites) {}

  /// To be called before addresses are looked up again: objects may have gone.
  void refresh() {
    if (generation_ == objects_.generation())
      return;
    generation_ = objects_.generation();
    seen_.assign(seen_.size(), {});
  }

  std::uint64_t number(std::uint32_t site, std::uint64_t address) {
    Seen& seen = seen_[site];
    if (address - seen.base >= seen.bytes) [[unlikely]]
      look_up(seen, address);
    return address + seen.distance;
  }

  /// May all addresses from `first` to `last` be had from number(site, first) by adding what lies between?
  bool one_object(std::uint32_t site, std::uint64_t first, std::uint64_t last) {
    number(site, first);
    return last - seen_[site].base < seen_[site].bytes;
  }

private:
  struct Seen {
    std::uint64_t base = 0, bytes = 0, distance = 0;
  };
  void look_up(Seen& seen, std::uint64_t address) {
    const KnownObject object = objects_.find(address);
    const auto [entry, fresh] = slots_.try_emplace(object.base, slots_.size() + 1);
    seen = {object.base, object.size_bytes, (entry->second << object_bits) - object.base};
  }

  const Objects& objects_;
  std::uint64_t generation_ = UINT64_MAX;
  std::vector<Seen> seen_;                                 ///< by site
  std::unordered_map<std::uint64_t, std::uint64_t> slots_; ///< by base, in the order of the first access
};

} // namespace forewarp::port
