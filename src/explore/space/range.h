// lo:hi:+step and lo:hi:xfactor.
#pragma once

#include "explore/space/parameter.h"

#include <optional>

namespace forewarp::explore {

/// The range that a piece of "NAME=VALUES" is; empty where it is something else: a piece with colons is a
/// range when it begins with a number or a colon. Errors: usage, with parameter and column, each mistake its
/// own.
Result<std::optional<Range>> parse_range(const std::string& name, const Piece& piece);

/// The error of a parameter at a column, counted from 1 in "NAME=VALUES".
tl::unexpected<Error> parameter_error(const std::string& name, std::size_t column, std::string message,
                                      std::string hint = "");
/// The number that `text` is as a whole; may be infinite where it is too large.
std::optional<double> as_number(std::string_view text);

} // namespace forewarp::explore
