// The object's own description, as constants: native::ModuleFacts.
#pragma once

#include "ir/kernel_module.h"
#include "native/bounds.h"

#include <string>
#include <vector>

namespace forewarp::native {

struct TableKernel {
  const ir::KernelSignature* signature = nullptr;
  std::string problem; ///< why it has no code; "": it has
  MemoryUse use;
  std::uint64_t shared_bytes = 0;
  bool waits = false, meets = false; ///< its work-items, its groups for each other
  llvm::Function* code = nullptr;
};

/// And a constructor that hands it to forewarp_register_module.
void add_facts_table(llvm::Module& module, const std::string& name, const std::vector<TableKernel>& kernels,
                     const std::vector<llvm::GlobalVariable*>& variables);

} // namespace forewarp::native
