// A launch file's launch -> the manifest's.
#pragma once

#include "ir/kernel_module.h"
#include "measure/manifest/manifest.h"
#include "support/result.h"

namespace forewarp::bundle {

/// Sizes and arguments in kernel order; name, stage and the like are the caller's. Errors: launch (a missing
/// or wrong argument), unsupported (images; a grid that leaves a partial group; contents that are unknown).
Result<measure::BundleLaunch> launch_data(const ir::KernelModule& module, const ir::KernelSignature& kernel,
                                          const facts::Launch& launch);

} // namespace forewarp::bundle
