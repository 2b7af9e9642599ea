// 32-bit values of a kernel that have to fit where a formula is to hold.
#pragma once

#include "formula/formula.h"
#include "symbolic/kernel/kernel_values.h"

namespace forewarp::formula {

/// Of arguments and of the kernel's arithmetic, what the ranges do not prove to fit: constraints where it is
/// in the symbols alone, else an assumption.
void add_fits(const symbolic::KernelValues& values, Formula& formula);

} // namespace forewarp::formula
