// How a GPU's name is compared: without case, blanks, dashes, underscores and vendor words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace forewarp::gpu {

/// Letters and digits of `name` in lower case; everything else is dropped.
std::string squeeze(std::string_view name);

/// Every form that counts as this name: squeezed, and squeezed with leading `prefixes` (squeezed words) taken
/// off one by one. "NVIDIA Tesla V100" with nvidia, tesla: nvidiateslav100, teslav100, v100. Never empty
/// unless the name is.
std::vector<std::string> name_forms(std::string_view name, const std::vector<std::string>& prefixes);

/// A board's number and what follows it, squeezed: "GeForce GTX 1650 SUPER" is 1650super. Number: the first
/// word of three or four digits alone. Empty where the name has none ("Tesla V100 SXM2").
std::string board_number(std::string_view name);

} // namespace forewarp::gpu
