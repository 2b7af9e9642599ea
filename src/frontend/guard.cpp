#include "frontend/guard.h"

#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/ErrorHandling.h>

#include <array>
#include <csignal>

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

/// LLVM's handlers run on the stack of what crashed; where that stack is full, nothing can.
void move_handlers_to_other_stack() {
  for (const int signal : {SIGSEGV, SIGBUS}) {
    struct sigaction action{};
    if (sigaction(signal, nullptr, &action) == 0) {
      action.sa_flags |= SA_ONSTACK;
      sigaction(signal, &action, nullptr);
    }
  }
}

/// Of this thread.
void give_handlers_a_stack() {
  thread_local std::array<char, 64 * 1024> storage;
  stack_t stack{};
  if (sigaltstack(nullptr, &stack) != 0 || (stack.ss_flags & SS_DISABLE) == 0)
    return; // somebody's own
  stack.ss_sp = storage.data();
  stack.ss_size = storage.size();
  stack.ss_flags = 0;
  sigaltstack(&stack, nullptr);
}

bool& is_guarded() {
  static bool guarded = true;
  return guarded;
}

void install_handlers() {
  static const bool once = [] {
    llvm::CrashRecoveryContext::Enable();
    llvm::install_fatal_error_handler(on_fatal_error);
    move_handlers_to_other_stack();
    return true;
  }();
  (void)once;
}

} // namespace

void leave_unguarded() {
  is_guarded() = false;
  llvm::CrashRecoveryContext::Disable();
}

Result<void> run_guarded(const std::string& what, const std::function<void()>& work) {
  if (!is_guarded()) {
    work();
    return {};
  }
  install_handlers();
  give_handlers_a_stack();
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
