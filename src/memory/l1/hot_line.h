// The line of global memory that the loads of the whole grid ask L2 for most. A line lies in one slice of L2,
// and a slice serves one request at a time: a line that every warp reads past L1 holds the kernel up.
#pragma once

#include "facts/memory_profile.h"
#include "memory/translate/stage_input.h"

namespace forewarp::memory {

/// By site: sectors that its loads ask of L2 on that one line, whole grid (so the sum over sites is the
/// line's). Only sites whose addresses are the same for all groups count; lines that some groups share are
/// spread over slices. `outcomes` as in MemoryProfile.
std::vector<double>
sectors_of_hottest_line(const StageInput& in, const std::vector<facts::MemorySite>& sites,
                        const std::vector<double>& sample_weights,
                        const std::vector<std::vector<std::vector<facts::AccessOutcome>>>& outcomes);

} // namespace forewarp::memory
