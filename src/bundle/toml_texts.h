#pragma once

#include "support/toml.h"

#include <string>
#include <vector>

namespace forewarp::bundle {

/// The texts of the array `key`; none where there is no such array, empty ones for elements that are no
/// texts.
inline std::vector<std::string> texts(const toml::table& table, const char* key) {
  std::vector<std::string> result;
  if (const toml::array* array = table[key].as_array())
    for (const toml::node& node : *array)
      result.push_back(node.value_or(std::string()));
  return result;
}

} // namespace forewarp::bundle
