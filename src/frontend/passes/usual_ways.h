// Which way a branch of a library goes where its condition is not known.
#pragma once

#include <llvm/IR/Function.h>

namespace forewarp::frontend {

/// Sines and cosines that a compiler has put into the code (libdevice, ocml) test whether the angle is too
/// large for their short way: that it is not becomes the branch's hint, as machine code is read
/// (lift/usual_way.cpp).
void mark_short_angles(llvm::Function& function);

} // namespace forewarp::frontend
