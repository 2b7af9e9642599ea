// Floating-point literals of LLVM 21 and later in the spelling of LLVM 19.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace forewarp::frontend::newer_ir {

/// Whether this is one of "f0x3F800000" (the bits, as many digits as the type has), "+inf", "-inf", "+qnan",
/// "-qnan", "+nan(0x1)", "-snan(0x1)".
bool is_newer_float(std::string_view literal);

/// Whether this is a decimal one: "2.001230e-01", "-1.5".
bool is_decimal_float(std::string_view literal);

/// A decimal literal that stands for the nearest value of `half`, `bfloat` or `float`, which LLVM 19 refuses:
/// that value by its bits. Nothing: the literal is exact, or of another type.
std::optional<std::string> exact_float(std::string_view literal, std::string_view type);

/// The same value as LLVM 19 writes it: "0x" and the bits of a double for `float` and `double`, "0xH" for
/// `half`, "0xR" for `bfloat`. Nothing: no such type, digits that are none, or too many of them.
std::optional<std::string> older_float(std::string_view literal, std::string_view type);

} // namespace forewarp::frontend::newer_ir
