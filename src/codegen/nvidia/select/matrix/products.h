// Matrix products as operations of class tensor_mma: by the names of their calls.
#pragma once

#include "facts/machine_program.h"
#include "gpu/machine.h"
#include "lift/machine/machine_program.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/InstrTypes.h>

#include <optional>

namespace forewarp::codegen {

/// "llvm.nvvm.mma.m16n8k16.row.col.f32.f32" and its like: what one warp makes.
lift::ProductWork work_of_warp(llvm::StringRef name, const gpu::Machine& machine);
/// "m64n128k16.f16.memory2.f32x64": the part of one of the four warps that make it together.
lift::ProductWork work_of_group(llvm::StringRef name, const gpu::Machine& machine);
/// "m128n128k16.b16", into tensor memory: all of it.
lift::ProductWork work_of_tensor_memory(llvm::StringRef name, const gpu::Machine& machine);
/// Of a call in a lifted kernel; none: it is no product.
std::optional<lift::ProductWork> work_of_call(const llvm::CallBase& call, const gpu::Machine& machine);

} // namespace forewarp::codegen
