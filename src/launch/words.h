// Words of the launch grammar: whole numbers with overflow checks, names, numbers as a kernel argument has
// them.
#pragma once

#include "support/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::launch {

/// Largest number of elements, bytes or work-items that is taken at all: beyond it, it is a typing mistake.
inline constexpr std::uint64_t max_count = std::uint64_t{1} << 48;

std::string_view strip(std::string_view text);
std::vector<std::string_view> split(std::string_view text, char separator);

/// Decimal digits only; empty when it is something else or beyond 64 bits.
std::optional<std::uint64_t> whole_number(std::string_view text);

/// a * b, or empty beyond `max_count`.
std::optional<std::uint64_t> bounded_product(std::uint64_t a, std::uint64_t b);

/// A C identifier, or a position written in digits; behind it fields and elements: "p.size[0]", "rows[]".
bool is_argument_name(std::string_view text);
/// An argument's name; or a pointer inside of an argument, "p+8"; or a variable of the module, ":table",
/// which the kernel need not use. Variables have LLVM's names.
bool is_argument_key(std::string_view text);

/// One component of a scalar or vector argument in the one form that later readers need to know: "true"
/// becomes "1", "0x10" becomes "16", "1.5f" becomes "1.5". Empty when it is no number.
std::optional<std::string> normal_number(std::string_view text);

} // namespace forewarp::launch
