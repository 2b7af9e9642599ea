// What the calls of llvm.nvvm.* and llvm.amdgcn.* have in common.
#pragma once

#include "simt/lanes/lane_kernels.h"

#include <llvm/ADT/StringRef.h>

#include <optional>

namespace forewarp::simt {

/// Floating-point functions whose names begin with `prefix`, of floats and of doubles.
struct FloatCall {
  const char* prefix;
  LaneOp f, d;
};

/// Names that end in an axis, "tid.x", "workgroup.id.z": `x` or the enumerator one or two behind it; nothing
/// if the name is not `prefix` and an axis.
template <class T> std::optional<T> by_axis(llvm::StringRef name, llvm::StringRef prefix, T x) {
  if (!name.consume_front(prefix) || name.size() != 1 || name[0] < 'x' || name[0] > 'z')
    return std::nullopt;
  return static_cast<T>(static_cast<int>(x) + (name[0] - 'x'));
}

} // namespace forewarp::simt
