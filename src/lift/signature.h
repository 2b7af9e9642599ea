// A kernel's parameters: from the source where it is known, else from the mangled name and the uses.
#pragma once

#include "ir/kernel_module.h"
#include "sass/program.h"

namespace forewarp::lift {

/// `source`: signatures of the source; may be empty.
ir::KernelSignature signature_of(const sass::Kernel& kernel, const std::vector<ir::KernelSignature>& source);

} // namespace forewarp::lift
