// Precise math for PTX: LLVM has no lowering of sin, exp, log, pow, ... for NVIDIA's targets. The functions
// come from libclc (the OpenCL C library of LLVM, Debian package libclc-19), linked into the module and
// inlined.
#pragma once

#include "ir/kernel_module.h"
#include "support/result.h"

#include <string>

namespace forewarp::bundle {

/// Path of libclc's bitcode for PTX: $FOREWARP_LIBCLC, else where the distribution's package puts it.
std::string libclc_path();

/// Replaces every call of a math function without PTX instruction in `module` by libclc's code. Half goes
/// through float. The module must be NVIDIA's. Changes nothing where there is no such call.
/// Errors: not_found (libclc is needed and missing), unsupported (a function that libclc lacks, by name).
Result<void> link_device_math(const ir::KernelModule& module);

} // namespace forewarp::bundle
