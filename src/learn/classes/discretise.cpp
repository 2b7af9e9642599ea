#include "learn/classes/discretise.h"

#include <algorithm>
#include <fmt/format.h>

namespace forewarp::learn {

std::vector<double> equal_frequency_cuts(std::vector<double> values, unsigned levels) {
  std::sort(values.begin(), values.end());
  std::vector<double> cuts;
  const std::size_t n = values.size();
  for (unsigned i = 1; i < levels && n > 1; ++i) {
    const auto wanted = static_cast<std::size_t>(static_cast<double>(n) * i / levels + 0.5);
    // The nearest place where neighbours differ: equal values cannot be parted.
    std::size_t best = 0;
    for (std::size_t at = 1; at < n; ++at)
      if (values[at - 1] < values[at] && (best == 0 || (at > wanted ? at - wanted : wanted - at) <
                                                           (best > wanted ? best - wanted : wanted - best)))
        best = at;
    if (best == 0)
      break;
    // Between 0 and something stands "any at all".
    const double cut = values[best - 1] == 0 ? 0 : 0.5 * (values[best - 1] + values[best]);
    if (cuts.empty() || cut > cuts.back())
      cuts.push_back(cut);
  }
  return cuts;
}

int level_of(double value, const std::vector<double>& cuts) {
  return static_cast<int>(std::lower_bound(cuts.begin(), cuts.end(), value) - cuts.begin());
}

std::string interval_text(int level, const std::vector<double>& cuts) {
  const auto at = static_cast<std::size_t>(level);
  if (cuts.empty())
    return "any";
  if (at == 0)
    return fmt::format("{} or less", cuts[0]);
  if (at == cuts.size())
    return fmt::format("above {}", cuts.back());
  return fmt::format("above {} to {}", cuts[at - 1], cuts[at]);
}

} // namespace forewarp::learn
