// Texts of launch files and options as expressions.
#pragma once

#include "support/result.h"
#include "symbolic/algebra/expression.h"

#include <functional>
#include <string>

namespace forewarp::symbolic {

/// The whole-number part of docs/reference/expressions.md: + - * and ( ), names, whole numbers, floor(a / b),
/// a / b where b divides a, ceildiv(a, b), mod(a, b), min, max, 2^a, bits(a). `value_of` gives what a name
/// stands for. Errors: bad_input with the column; unsupported for what is not whole-number arithmetic.
Result<Expression> parse(const std::string& text, const std::string& where,
                         const std::function<Result<Expression>(const std::string& name)>& value_of);

} // namespace forewarp::symbolic
