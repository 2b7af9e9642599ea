#include "formula/crossover.h"

#include "formula/formula.h"

#include <algorithm>

namespace forewarp::formula {

std::vector<Lead> leads(const std::vector<Curve>& curves, const Symbol& symbol) {
  constexpr std::size_t looked_at = 400;
  const auto fastest = [&](std::int64_t value) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < curves.size(); ++i)
      if (curves[i].time_ms(value) < curves[best].time_ms(value))
        best = i;
    return best;
  };
  std::vector<Lead> out;
  std::int64_t before = symbol.low;
  for (const std::int64_t value : spread_points(symbol, looked_at)) {
    const std::size_t now = fastest(value);
    if (out.empty()) {
      out.push_back({value, value, now});
    } else if (out.back().fastest == now) {
      out.back().to = value;
    } else {
      std::int64_t low = before, high = value;
      while (high - low > symbol.step) {
        const std::int64_t middle = low + (high - low) / symbol.step / 2 * symbol.step;
        (fastest(middle) == out.back().fastest ? low : high) = middle;
      }
      out.back().to = low;
      out.push_back({high, value, fastest(high)});
    }
    before = value;
  }
  return out;
}

} // namespace forewarp::formula
