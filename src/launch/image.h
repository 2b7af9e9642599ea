// "image:4096x4096:rgba8" -> the size and the format of an image.
#pragma once

#include "facts/launch.h"
#include "support/result.h"

#include <string>
#include <string_view>

namespace forewarp::launch {

/// "4096x4096:rgba8": width, height and depth in texels, and channels with bits or an element type; rgba8 where
/// no format is named. Errors: usage, with `where` in front.
Result<facts::ArgumentValue> parse_image(std::string_view text, const std::string& where);

/// Such a text without a word in front.
bool is_image(std::string_view text);

} // namespace forewarp::launch
