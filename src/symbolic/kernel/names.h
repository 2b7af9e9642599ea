// The symbols that a kernel's expressions are made of. Scalar arguments have their parameters' names.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace forewarp::symbolic {

inline constexpr const char* axes = "xyz";
/// Work-item in its group.
inline std::string item_name(unsigned axis) {
  return std::string("item.") + axes[axis];
}
/// Group in the grid.
inline std::string group_name(unsigned axis) {
  return std::string("group.") + axes[axis];
}
/// Work-items of a group.
inline std::string group_size_name(unsigned axis) {
  return std::string("group_size.") + axes[axis];
}
/// Groups of the grid.
inline std::string groups_name(unsigned axis) {
  return std::string("groups.") + axes[axis];
}
/// Number of the running iteration of a loop, from 0.
inline std::string iteration_name(std::uint32_t loop) {
  return fmt::format("iteration.{}", loop);
}

} // namespace forewarp::symbolic
