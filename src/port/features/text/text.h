// What the text tells of each block of a kernel's body: kinds of operation, which memory operations are
// coalesced and which branches diverge (Ardalani 2016, section 4.2.2). Formal definitions:
// docs/models/xapp_features.md.
#pragma once

#include "port/features/plan.h"
#include "port/features/text/band.h"

#include <vector>

namespace forewarp::port {

/// Of `blocks` of the nest's function, in their order. Blocks outside the band's innermost loop hold nothing.
std::vector<StaticBlock> describe_body(const std::vector<llvm::BasicBlock*>& blocks, const Band& band,
                                       Knowledge& knowledge);

/// Of a function that the body calls: its arguments differ from thread to thread.
std::vector<StaticBlock> describe_callee(const std::vector<llvm::BasicBlock*>& blocks,
                                         llvm::Function& function, Knowledge& knowledge);

/// The ten of table 4.2. `runs`: of each block in one thread. Without a memory operation all are coalesced
/// and the arithmetic operations count as they are; without a branch none diverges.
std::array<double, 10> static_values(const std::vector<StaticBlock>& blocks, const std::vector<double>& runs,
                                     double threads, bool as_published);

} // namespace forewarp::port
