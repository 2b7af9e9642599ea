#pragma once

#include <llvm/IR/Module.h>

namespace forewarp::port {

/// Turns the module's list of static constructors into a function `forewarp_constructors`, for a linker that
/// does not run them itself.
void gather_constructors(llvm::Module& module);

/// Thread-local variables become ordinary ones: one thread is traced, and the linker in process knows no
/// others.
void share_thread_locals(llvm::Module& module);

} // namespace forewarp::port
