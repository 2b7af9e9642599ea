// Every access of a kernel's memory is looked at before it is made.
#pragma once

#include "ir/kernel_module.h"
#include "native/flatten.h"

#include <vector>

namespace forewarp::native {

/// What a kernel does with memory, as far as its pointers tell.
struct MemoryUse {
  std::vector<bool> reads, writes; ///< of pointer parameters, by position
  bool repeatable = true;          ///< nothing but these, shared and private memory is written or unclear
};

MemoryUse memory_use(const FlatKernel& kernel);

/// An access outside of the buffer that its pointer comes from, and of all others, is named by its source
/// line in one of `files`, and mostly ends the launch (abi.h, forewarp_find). Traps end it, too.
void check_accesses(const FlatKernel& kernel, const facts::SourceFiles& files);

/// Traps only.
void lower_traps(const FlatKernel& kernel, const facts::SourceFiles& files);

} // namespace forewarp::native
