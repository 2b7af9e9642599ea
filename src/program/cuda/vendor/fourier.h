// Discrete Fourier transforms in double precision, without a factor.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace forewarp::program {

using Complex = std::complex<double>;

/// In place; `sign` -1: forward, 1: inverse. Time: the length times the sum of its prime factors.
void transform(std::vector<Complex>& values, int sign);

/// Along each of the lengths, the last of which runs fastest.
void transform(std::vector<Complex>& values, const std::vector<std::size_t>& lengths, int sign);

} // namespace forewarp::program
