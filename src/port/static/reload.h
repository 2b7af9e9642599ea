// Values that the optimiser keeps in a register for the next iteration, though memory still holds them: a
// thread of its own would read them.
#pragma once

#include "port/source/mark.h"

#include <llvm/IR/Module.h>

#include <vector>

namespace forewarp::port {

/// In the marked loops, and the loops directly inside them that may be handed to threads: a phi whose value
/// is the array element that the iteration before loaded (x[i + 1] there, x[i] here), and which nothing in
/// the loop may have overwritten, becomes a load of its own. Nothing else changes.
void reload_carried_values(llvm::Module& module, const std::vector<RegionMark>& marks);

} // namespace forewarp::port
