// Runs LLVM code that may end in a fatal error or a signal, and comes back from it.
#pragma once

#include "support/result.h"

#include <functional>

namespace forewarp::frontend {

/// Error internal, with LLVM's reason, when `work` crashed. Everything that `work` touched must then be
/// leaked, not destroyed: it may be half changed. Installs process-wide handlers on first use.
Result<void> run_guarded(const std::string& what, const std::function<void()>& work);

/// From now on a crash of the compiler ends this process: for a helper, whose parent tells of it.
void leave_unguarded();

} // namespace forewarp::frontend
