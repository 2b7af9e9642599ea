// Textures and surfaces: the library that runs kernels looks them up.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace forewarp::native {

/// What a marker `forewarp.image.read.*` or `.write.*` becomes (`name` behind "image."): the texel that was
/// read, or the call that writes one. Null: not known.
llvm::Value* lower_image_marker(llvm::IRBuilder<>& builder, llvm::CallInst& call, llvm::StringRef name);

} // namespace forewarp::native
