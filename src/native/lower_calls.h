// Calls of a kernel's IR (ir/builtins.h) to what this processor has.
#pragma once

#include "native/flatten.h"

#include <string>
#include <vector>

namespace forewarp::native {

struct Lowered {
  std::vector<std::string> problems;  ///< calls that have no form here
  std::vector<llvm::CallInst*> waits; ///< calls of `wait_marker`: the work-item waits for others
  bool meets = false;                 ///< some of them for all groups
};

/// i64 wait_marker(i32 kind, i32 members, i64 value, i32 operand, i32 clamp) -> {value, predicate}; replaced
/// by group_code.cpp.
inline constexpr const char* wait_marker = "forewarp.native.wait";

/// Replaces the calls of a flattened kernel. `warp_width`: of the GPU.
Lowered lower_calls(llvm::Function& body, unsigned warp_width);

/// What this processor does otherwise than a GPU: it traps on divisions by zero, and of the least number by
/// -1, and shifts by a number's bits or more leave something.
void guard_arithmetic(llvm::Function& body);

} // namespace forewarp::native
