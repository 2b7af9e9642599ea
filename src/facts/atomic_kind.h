// What an atomic computes: its cost and its code differ.
#pragma once

#include <cstdint>
#include <vector>

namespace forewarp::facts {

enum class AtomicKind : std::uint8_t { integer, floating, compare_swap };

/// By memory site; sites that are not atomic have `integer`.
using AtomicKinds = std::vector<AtomicKind>;

/// `integer` where nobody said.
inline AtomicKind kind_of_site(const AtomicKinds& kinds, std::uint32_t site) {
  return site < kinds.size() ? kinds[site] : AtomicKind::integer;
}

} // namespace forewarp::facts
