#include "frontend/llvm_options.h"

#include <llvm/Support/CommandLine.h>

#include <mutex>

namespace forewarp::frontend {

namespace {

template <class T> void set(llvm::StringRef name, T value) {
  auto& options = llvm::cl::getRegisteredOptions();
  const auto found = options.find(name);
  if (found != options.end())
    static_cast<llvm::cl::opt<T>*>(found->second)->setValue(value);
}

} // namespace

void settle_llvm_options() {
  static std::once_flag once;
  std::call_once(once, [] {
    set("instcombine-code-sinking", false);
    set("fast-cluster-threshold", 30U);
  });
}

} // namespace forewarp::frontend
