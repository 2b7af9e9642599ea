// Calls that only lifted machine code (src/lift) holds, beside those of builtins.h.
//
// void forewarp.machine.exit() ends the lanes that run it, at the end of a block; the block's branch says
// where
//   lanes that go on meet.
// Pure: float forewarp.machine.flush(float) (subnormal -> zero), fma_{up,down,zero} (float fma rounded so;
//   of doubles with ".f64"),
//   narrow_{up,down,zero} (double -> float), i32 division_check(float, float), {sin,cos}_revolutions, tanh,
//   {rcp,rsqrt}_high (i32: the upper word of a double), unknown (i32 of two i32: a value that is not
//   computed).
#pragma once

namespace forewarp::ir::machine_markers {

inline constexpr const char* lane_exit = "forewarp.machine.exit";
/// Named metadata of a lifted module: one string, the bytes of the cubin that it was lifted from.
inline constexpr const char* cubin = "forewarp.machine_code";
/// Attribute of a lifted function: its place in its cluster is followed.
inline constexpr const char* in_cluster = "forewarp.in_cluster";

} // namespace forewarp::ir::machine_markers
