// A lifted kernel's function, from its signature.
#pragma once

#include "ir/kernel_module.h"

#include <llvm/IR/Attributes.h>
#include <llvm/IR/Function.h>

namespace forewarp::lift {

struct ParameterRules {
  unsigned global_space = 0, shared_space = 3; ///< address spaces of pointers
  llvm::Attribute::AttrKind by_bytes;          ///< ByVal or ByRef: of what is no pointer and no number
};

/// Without a body. `bytes`: of each parameter.
llvm::Function* declare_kernel(llvm::Module& module, const std::string& name,
                               const ir::KernelSignature& signature, const std::vector<std::uint32_t>& bytes,
                               const ParameterRules& rules);

} // namespace forewarp::lift
