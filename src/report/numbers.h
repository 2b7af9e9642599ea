// Numbers as people read them; fixed precision, so that golden files hold.
#pragma once

#include "facts/launch.h"

#include <string>

namespace forewarp::report {

/// Whole numbers as they are, others with four significant digits, without an exponent between 0.0001 and
/// 10^9.
std::string number(double value);
/// "12.3" (one decimal) per cent of a share.
std::string percent(double share);
/// "1.05 MB": decimal units.
std::string bytes(double value);
/// "16x16x1".
std::string dims(const facts::Dim3& size);

} // namespace forewarp::report
