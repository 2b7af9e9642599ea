// "Did you mean ...": the nearest of a list of names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace forewarp {

/// Levenshtein distance.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Up to `most` of `names` within a third of the wanted name's length (at least 2 edits), nearest first.
std::vector<std::string> nearest_names(std::string_view wanted, const std::vector<std::string>& names,
                                       std::size_t most = 3);

} // namespace forewarp
