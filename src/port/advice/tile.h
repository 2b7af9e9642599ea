// A region with arrays staged tile by tile in shared memory (Wang, Zhong, Mitra: CGPredict, TECS 2017,
// section 3.6): before every `tile` iterations of the loop that reads them, the block's threads load what the
// block will read, each element once and in the order of its address, between two barriers; the reads then go
// to shared memory, densely packed.
#pragma once

#include "port/estimate/version.h"

#include <string>
#include <vector>

namespace forewarp::port {

struct TileRequest {
  std::vector<std::string> arrays; ///< empty: every array that is only read in the innermost loop
  std::uint64_t tile = 32;         ///< iterations of the loop
};

/// Errors: bad_input (no such array, an array that the region writes, no loop inside the threads reads it,
/// one that no two threads share), launch (the tiles do not fit into shared memory).
Result<Version> tile_version(const facts::RegionTrace& trace, const Version& base, const TileRequest& request,
                             const gpu::Machine& machine);

} // namespace forewarp::port
