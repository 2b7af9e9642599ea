// Floating-point literals of LLVM 21 and later in the spelling of LLVM 19.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace forewarp::frontend::newer_ir {

/// Whether this is one of "f0x3F800000" (the bits, as many digits as the type has), "+inf", "-inf", "+qnan",
/// "-qnan", "+nan(0x1)", "-snan(0x1)".
bool is_newer_float(std::string_view literal);

/// The same value as LLVM 19 writes it: "0x" and the bits of a double for `float` and `double`, "0xH" for
/// `half`, "0xR" for `bfloat`. Nothing: no such type, digits that are none, or too many of them.
std::optional<std::string> older_float(std::string_view literal, std::string_view type);

} // namespace forewarp::frontend::newer_ir
