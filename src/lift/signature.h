// A kernel's parameters: from the source where it is known, else from the mangled name and the uses.
#pragma once

#include "ir/kernel_module.h"
#include "sass/program.h"

namespace forewarp::lift {

/// What machine code itself says of a parameter.
struct DeclaredParameter {
  std::uint32_t bytes = 0;
  std::string name, type;                                       ///< "": not said
  bool is_pointer = false, is_shared = false, is_value = false; ///< none: not said
};

/// `source`: signatures of the source; may be empty.
ir::KernelSignature signature_of(const std::string& symbol, const std::vector<DeclaredParameter>& declared,
                                 const std::vector<ir::KernelSignature>& source);
ir::KernelSignature signature_of(const sass::Kernel& kernel, const std::vector<ir::KernelSignature>& source);

} // namespace forewarp::lift
