#include "frontend/guard.h"

#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/ErrorHandling.h>

namespace forewarp::frontend {

namespace {

/// Where the running guard of this thread wants LLVM's reason; LLVM's handler is process-wide and knows no
/// caller.
thread_local std::string* current_reason = nullptr;

void on_fatal_error(void*, const char* reason, bool) {
  if (current_reason)
    *current_reason = reason;
  if (auto* context = llvm::CrashRecoveryContext::GetCurrent())
    context->HandleExit(1);
}

void install_handlers() {
  static const bool once = [] {
    llvm::CrashRecoveryContext::Enable();
    llvm::install_fatal_error_handler(on_fatal_error);
    return true;
  }();
  (void)once;
}

} // namespace

Result<void> run_guarded(const std::string& what, const std::function<void()>& work) {
  install_handlers();
  std::string reason;
  std::string* outer = current_reason;
  current_reason = &reason;
  llvm::CrashRecoveryContext guard;
  bool ok = guard.RunSafely([&] { work(); });
  current_reason = outer;
  if (ok)
    return {};
  return fail(ErrorCode::internal, what + " crashed inside LLVM" + (reason.empty() ? "" : ": " + reason), {},
              "this is a limit of the compiler; a smaller kernel file may get past it");
}

} // namespace forewarp::frontend
