// A quantity known at a few small sizes, at another size. Counts of loop nests are polynomials in the sizes
// (affine bounds), so the lowest degree that meets every run exactly is taken; what is no polynomial follows
// a power law through the two largest runs.
#pragma once

#include <vector>

namespace forewarp::port {

struct Extrapolation {
  double value = 0;
  /// Relative: how far the same rule without the largest run misses that run. 0 for a polynomial that a
  /// further run confirms.
  double error = 0;
  bool confirmed = false; ///< a polynomial of degree d through more than d + 1 runs
  int degree = 0;         ///< of the polynomial; -1: power law
};

/// `sizes` distinct and positive, one value each, largest size first; at least one run. One run: its value,
/// unconfirmed unless `target` is its size.
Extrapolation extrapolate(const std::vector<double>& sizes, const std::vector<double>& values, double target);

} // namespace forewarp::port
