// build_program in a process of its own: whatever the compiler or the linker does there, `forewarp` goes on
// and says what happened.
#pragma once

#include "program/build_program.h"

namespace forewarp::program {

struct BuildLimits {
  unsigned seconds = 600; ///< of processor time; 0: none
  std::uint64_t memory_bytes = std::uint64_t{16} << 30;
};

/// Errors: those of build_program; budget (it took longer, or more memory), compile (the compiler or the
/// linker crashed; the file that it was at is named).
Result<BuiltProgram> build_in_helper(const BuildRequest& request, const Device& device,
                                     const BuildLimits& limits);

} // namespace forewarp::program
