// Features of the pseudo-warps that a parallel region would be (warps/form.h): what physics needs beside what
// Ardalani's features tell. Names begin with warp_.
#pragma once

#include "facts/learning/features.h"
#include "port/trace_program.h"

#include <array>

namespace forewarp::port {

inline constexpr std::array<const char*, 18> warp_feature_names = {
    "warp_threads",     ///< of all launches
    "warp_launches",    //
    "warp_dimensions",  ///< parallel loops
    "warp_block",       ///< threads of a block
    "warp_coalesced",   ///< shares of the memory instructions of warps, by class of their addresses
    "warp_uncoalesced", //
    "warp_constant",    //
    "warp_sectors",     ///< 32-byte sectors that a memory instruction touches, mean
    "warp_active",      ///< share of lanes that are active, mean over blocks run
    "warp_memory",      ///< operations of a thread, mean: loads and stores,
    "warp_fp32",        ///< single-precision arithmetic,
    "warp_fp64",        ///< double-precision arithmetic,
    "warp_special",     ///< divisions, roots, transcendentals,
    "warp_integer",     ///< integer arithmetic that is no address,
    "warp_branches",    //
    "warp_bytes_read",  ///< distinct bytes that the region reads and
    "warp_bytes_written",
    "warp_bytes_copied", ///< that would have to go to the device and back
};

/// Nothing where the region has no threads.
void append_warp_features(const TracedRegion& region, facts::FeatureRow& row);

} // namespace forewarp::port
