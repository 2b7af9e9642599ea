// Words of the facts file for the kinds of classes and nodes.
#pragma once

#include "facts/model_facts.h"

#include <array>
#include <optional>
#include <string_view>

namespace forewarp::models {

inline constexpr std::array<std::string_view, 4> class_kind_names = {"compute", "memory", "shared_memory",
                                                                     "barrier"};
inline constexpr std::array<std::string_view, 6> node_kind_names = {"compute", "memory", "shared_memory",
                                                                    "barrier", "loop",   "branch"};

inline std::string_view name_of(facts::ModelClassKind kind) {
  return class_kind_names[static_cast<std::size_t>(kind)];
}
inline std::string_view name_of(facts::FlowNode::Kind kind) {
  return node_kind_names[static_cast<std::size_t>(kind)];
}

template <class Kind, std::size_t N>
std::optional<Kind> kind_from_name(std::string_view name, const std::array<std::string_view, N>& names) {
  for (std::size_t i = 0; i < N; ++i)
    if (names[i] == name)
      return static_cast<Kind>(i);
  return std::nullopt;
}

} // namespace forewarp::models
