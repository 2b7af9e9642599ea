// Sizes at which one time overtakes another.
#pragma once

#include "formula/symbols.h"

#include <functional>
#include <vector>

namespace forewarp::formula {

/// A time over one symbol.
struct Curve {
  std::string name; ///< GPU, variant or "cpu"
  std::function<double(std::int64_t)> time_ms;
};

/// From `from` to `to` curve `fastest` is the fastest of all.
struct Lead {
  std::int64_t from = 1, to = 1;
  std::size_t fastest = 0;
};

/// The sizes that are in the range and on the steps of both. Errors: bad_input, where there are none.
Result<Symbol> common_sizes(const Symbol& a, const Symbol& b);

/// Looked at 400 sizes, the switch between two of them found by halving on the symbol's steps; a lead that
/// begins and ends between two looked at is missed.
std::vector<Lead> leads(const std::vector<Curve>& curves, const Symbol& symbol);

} // namespace forewarp::formula
