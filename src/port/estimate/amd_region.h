// A region's code, compiled for the host, as LLVM's AMDGPU back end wants a kernel.
#pragma once

#include "facts/region_trace.h"
#include "support/result.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <string>

namespace forewarp::port {

/// group index * group size + index in the group, of a block of the trace's shape.
llvm::Value* amd_thread_index(llvm::IRBuilder<>& builder, unsigned axis, const facts::RegionTrace& trace);

/// Target and data layout; a kernel returns nothing; what the host knows as a plain pointer (arguments,
/// variables, pointers in memory) points to global memory. Errors (unsupported): variables on a thread's
/// stack, calls of other functions of the region, exceptions.
Result<void> make_amd_kernel(llvm::Module& module, const std::string& name);

} // namespace forewarp::port
