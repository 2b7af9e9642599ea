// The one table of math operations: OpenCL's and CUDA's functions, LLVM intrinsics and the hardware's fast
// forms all come down to a row of it.
#pragma once

#include "facts/op_class.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace forewarp::codegen {

/// One row: function, type of its value ("f32", "f32z": f32 where denormals count as zero, "f64", "i32",
/// "u32", "i64", "u64") and operations "class[:count] ...", of which "beside:N" are off the way. "guard" is a
/// comparison whose predicate those behind it wait for.
struct Expansion {
  std::string_view function, type, mix;
};

std::span<const Expansion> expansion_table();

/// Operations of a row in a plausible order of execution; empty when the table has no such row.
std::vector<facts::OpClass> expansion(std::string_view function, std::string_view type);

/// How many of them are not on the way from operands to result, so that nothing waits for them: "beside:N" of
/// the row.
std::size_t beside(std::string_view function, std::string_view type);

/// Which of them is the guard, if the row has one: what stands behind it, but for the special function, reads
/// its predicate.
std::optional<std::size_t> guard(std::string_view function, std::string_view type);

/// Row name for an LLVM intrinsic or a marker of ir/builtins.h without its type ("llvm.sin.f32" -> "sin",
/// "forewarp.math.erf.f32" -> "erf", "llvm.nvvm.ex2.approx.f" -> "exp2_approx"); "" when it is none.
std::string_view math_function(std::string_view callee);

} // namespace forewarp::codegen
