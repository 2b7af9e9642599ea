// Angles beyond which a vendor's sines and cosines leave their short way for a loop over the digits of 2 /
// pi.
#pragma once

namespace forewarp::ir {

inline constexpr float largest_short_angle = 105615;          ///< NVIDIA's libdevice, floats
inline constexpr double largest_short_angle_double = 0x1p+31; ///< the same, doubles
inline constexpr float largest_short_angle_amd = 0x1p+17F;    ///< AMD's ocml, floats
inline constexpr double largest_short_angle_amd_double = 0x1p+30;

/// How much more often a branch goes the usual way: as Clang weighs a program's hints.
inline constexpr unsigned usual_weight = 2000;

} // namespace forewarp::ir
