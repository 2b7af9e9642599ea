// Work-items that wait for each other: what they are answered.
#pragma once

#include "native/abi/abi.h"

#include <vector>

namespace forewarp::program {

inline constexpr std::uint32_t warp_width = 32;

/// Answers the lanes of a warp (up to 32 entries from `first` on) that can be answered, and marks in `ready`
/// (a bit a lane) who may go on. 0: all wait for the group, or have finished.
std::uint32_t answer_warp(native::Exchange* first, std::uint32_t lanes);
/// All work-items that have not finished wait at a barrier: its answer.
void answer_barrier(native::Exchange* first, std::uint32_t items);

} // namespace forewarp::program
