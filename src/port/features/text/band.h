// The parallel band of a loop nest as the text tells it (Ardalani 2016, section 4.2.2: PBAND), and what
// speaks against running it in parallel.
#pragma once

#include "port/static/nest.h"

#include <string>
#include <vector>

namespace forewarp::port {

struct Band {
  std::vector<llvm::Loop*> loops; ///< outermost first, at least one
  std::vector<std::string> concerns;
  llvm::Loop* innermost() const { return loops.back(); }
};

/// The outermost loop, and loops directly inside as long as nothing else happens around them, they are
/// counted, hand nothing on, and each of their stores moves with them. `wanted`: at most so many; 0: as many
/// as there are.
Band band_of(llvm::Loop& outermost, Knowledge& knowledge, unsigned wanted);

} // namespace forewarp::port
