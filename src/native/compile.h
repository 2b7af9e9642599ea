// Kernel IR to machine code of this processor: each kernel becomes a function that runs a work-group. Memory
// accesses are checked against the buffers that are there; work-items are loops from barrier to barrier
// (group/regions.h), or coroutines where they wait for less than their group. What the object holds and
// calls: abi/abi.h.
#pragma once

#include "ir/kernel_module.h"

#include <string>

namespace forewarp::native {

/// Name of the flat text that ties a source's host half to its kernels.
struct ObjectRequest {
  std::string name;    ///< ModuleFacts::name, unlike those of the program's other sources
  bool checked = true; ///< without it, accesses out of bounds do what they do
};

/// An object file (ELF) for this machine. Changes `module`. A kernel that uses what is not there for the
/// processor is no error: the object says so (KernelFacts::problem). Errors: internal (LLVM refuses).
Result<std::string> compile_to_object(ir::KernelModule& module, const ObjectRequest& request);

} // namespace forewarp::native
