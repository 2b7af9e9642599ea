// What the memory profile assumed, in sentences.
#pragma once

#include "memory/l2/l2_stage.h"

namespace forewarp::memory {

void add_notes(const StageInput& in, const std::vector<facts::MemorySite>& sites, const L1Result& l1,
               const L2Result& l2, std::uint64_t l1_bytes, std::vector<facts::Note>& notes);

} // namespace forewarp::memory
