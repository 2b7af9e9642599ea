// Whole numbers of a warp's lanes, or unknown: a value is known in all lanes or in none.
#pragma once

#include <array>
#include <cstdint>

namespace forewarp::statictrace {

inline constexpr unsigned most_lanes = 64;

struct Lanes {
  bool known = false;
  bool uniform = true; ///< at[0] is every lane's
  std::array<std::uint64_t, most_lanes> at;

  std::uint64_t operator[](unsigned lane) const { return at[uniform ? 0 : lane]; }
  static Lanes unknown() {
    Lanes lanes;
    lanes.known = false;
    lanes.uniform = true;
    return lanes;
  }
  static Lanes all(std::uint64_t value) {
    Lanes lanes;
    lanes.known = true;
    lanes.uniform = true;
    lanes.at[0] = value;
    return lanes;
  }
};

/// `f` of each lane of known operands; unknown where one is.
template <class F> Lanes each_lane(const Lanes& a, const Lanes& b, unsigned lanes, const F& f) {
  Lanes out;
  out.known = a.known && b.known;
  out.uniform = a.uniform && b.uniform;
  if (!out.known)
    return Lanes::unknown();
  for (unsigned l = 0; l < (out.uniform ? 1 : lanes); ++l)
    out.at[l] = f(a[l], b[l]);
  return out;
}

inline std::uint64_t low_bits(std::uint64_t value, unsigned bits) {
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}
inline std::int64_t as_signed(std::uint64_t value, unsigned bits) {
  if (bits >= 64)
    return static_cast<std::int64_t>(value);
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  return static_cast<std::int64_t>((low_bits(value, bits) ^ sign) - sign);
}

} // namespace forewarp::statictrace
