// Iterations of loops that the user gives.
#pragma once

#include "formula/formula.h"
#include "symbolic/kernel/kernel_values.h"

namespace forewarp::formula {

/// Errors: bad_input for texts that are no whole-number expressions, or negative numbers.
Result<symbolic::ValueOptions> given_trips(const std::map<std::uint32_t, std::string>& texts);

/// Errors: bad_input for a line at which no loop of the kernel is decided, with the lines of those that are.
Result<void> check_given(const std::map<std::uint32_t, std::string>& texts,
                         const symbolic::KernelValues& values);

/// Into the assumptions: a line's loops together, as a compiler makes several of one that it unrolls.
void add_given(const symbolic::KernelValues& values, Formula& formula);

} // namespace forewarp::formula
