// How far a run reached into each of its buffers.
#pragma once

#include "facts/trace.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace forewarp::engine {

struct Reach {
  std::uint64_t bytes = 0;     ///< from the buffer's start to the end of the furthest access
  bool unknown_places = false; ///< some accesses have addresses that are not known
};

/// By buffer, those in global and constant memory. `sites`: of the kernel that was run.
/// Only recorded accesses count: of a warp that was recorded in part, those.
/// `each_bytes`: of regions that hold several buffers one behind the other, the bytes of one; its reach is
/// theirs.
std::map<std::string, Reach> reach_of(const facts::KernelTrace& trace,
                                      const std::vector<facts::MemorySite>& sites,
                                      const std::map<std::string, std::uint64_t>& each_bytes = {});

} // namespace forewarp::engine
