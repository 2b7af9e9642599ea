#include "formula/crossover.h"

#include "formula/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace forewarp::formula {

Result<Symbol> common_sizes(const Symbol& a, const Symbol& b) {
  Symbol both = a;
  both.step = std::lcm(a.step, b.step);
  const auto fits = [](const Symbol& symbol, std::int64_t value) {
    return (value - symbol.low) % symbol.step == 0;
  };
  both.low = std::max(a.low, b.low);
  both.high = std::min(a.high, b.high);
  for (std::int64_t i = 0; i <= both.step && !(fits(a, both.low) && fits(b, both.low)); ++i)
    ++both.low;
  if (!fits(a, both.low) || !fits(b, both.low) || both.low > both.high)
    return fail(
        ErrorCode::bad_input,
        fmt::format("the two formulas of '{}' have no size in common: {} to {} in steps of {}, and {} to {} "
                    "in steps of {}",
                    a.name, a.low, a.high, a.step, b.low, b.high, b.step),
        "--against", "give a range that both can take");
  both.high = both.low + (both.high - both.low) / both.step * both.step;
  both.reference = std::clamp(a.reference, both.low, both.high);
  return both;
}

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
