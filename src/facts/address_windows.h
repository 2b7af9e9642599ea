// Where the memories of a run lie in its one address space.
#pragma once

#include <cstdint>

namespace forewarp::facts::windows {

inline constexpr std::uint64_t shared = 0x0100'0000;
inline constexpr std::uint64_t cluster = 0x0200'0000; ///< shared memory of the other groups of a cluster
inline constexpr std::uint64_t local = 0x1000'0000;
inline constexpr std::uint64_t constant = 0x4000'0000;
inline constexpr std::uint64_t parameter = 0x8000'0000;
inline constexpr std::uint64_t global = 0x1'0000'0000;

} // namespace forewarp::facts::windows
