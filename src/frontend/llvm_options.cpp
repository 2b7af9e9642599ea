#include "frontend/llvm_options.h"

#include <llvm/Support/CommandLine.h>

#include <mutex>

namespace forewarp::frontend {

void settle_llvm_options() {
  static std::once_flag once;
  std::call_once(once, [] {
    auto& options = llvm::cl::getRegisteredOptions();
    const auto found = options.find("instcombine-code-sinking");
    if (found != options.end())
      static_cast<llvm::cl::opt<bool>*>(found->second)->setValue(false);
  });
}

} // namespace forewarp::frontend
