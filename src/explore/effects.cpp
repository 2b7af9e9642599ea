#include "explore/effects.h"

#include "explore/share/store_guard.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace forewarp::explore {
namespace {

constexpr std::size_t most_values = 256; ///< a parameter of more has no table of its values

struct Moments {
  double count = 0, sum = 0, squares = 0;
};

Moments total_moments(Store& store, std::size_t gpu) {
  SQLite::Statement select(
      store.database(),
      fmt::format("SELECT count(*), sum(ln(time_ms)), sum(ln(time_ms) * ln(time_ms)) FROM outcome "
                  "WHERE valid AND gpu = {}",
                  gpu));
  select.executeStep();
  return {select.getColumn(0).getDouble(), select.getColumn(1).getDouble(), select.getColumn(2).getDouble()};
}

/// Fills the values and the share of variance between them.
void between_values(Store& store, std::size_t gpu, std::size_t p, const Moments& total,
                    ParameterEffect& effect) {
  SQLite::Statement select(store.database(),
                           fmt::format("SELECT {0}, count(*), sum(ln(time_ms)), min(time_ms) FROM "
                                       "configuration JOIN outcome USING (id) WHERE "
                                       "valid AND gpu = {1} GROUP BY {0} ORDER BY CAST({0} AS REAL), {0}",
                                       store.column(p), gpu));
  double between = 0;
  std::size_t values = 0;
  while (select.executeStep()) {
    const double count = select.getColumn(1).getDouble(), sum = select.getColumn(2).getDouble();
    between += sum * sum / count;
    if (++values <= most_values)
      effect.values.push_back({select.getColumn(0).getString(), static_cast<std::uint64_t>(count),
                               std::exp(sum / count), select.getColumn(3).getDouble()});
  }
  if (values > most_values)
    effect.values.clear();
  const double mean = total.sum * total.sum / total.count, variance = total.squares - mean;
  constexpr double nothing = 1e-12; // sums of squares of equal times differ in the last digits
  effect.explained = variance > nothing * total.squares ? std::max(0.0, (between - mean) / variance) : 0;
}

/// Configurations that are alike in all other free parameters.
double largest_ratio(Store& store, const Space& space, std::size_t gpu, std::size_t p) {
  std::string others;
  for (std::size_t other = 0; other < store.parameters().size(); ++other)
    if (other != p && !space.is_derived(other))
      others += (others.empty() ? " GROUP BY " : ", ") + store.column(other);
  return store.database()
      .execAndGet(fmt::format(
          "SELECT max(most / least) FROM (SELECT max(time_ms) AS most, min(time_ms) AS least, count(*) "
          "AS n FROM configuration JOIN outcome USING (id) WHERE valid AND gpu = {}{}) WHERE n > 1",
          gpu, others))
      .getDouble();
}

} // namespace

std::vector<ParameterEffect> parameter_effects(Store& store, const Space& space, std::size_t gpu) {
  const Moments total = total_moments(store, gpu);
  std::vector<ParameterEffect> effects;
  for (std::size_t p = 0; p < space.parameters().size(); ++p) {
    ParameterEffect effect;
    effect.parameter = space.parameters()[p].name;
    between_values(store, gpu, p, total, effect);
    if (effect.values.size() == 1 || space.is_derived(p))
      continue;
    effect.largest_ratio = largest_ratio(store, space, gpu, p);
    effects.push_back(std::move(effect));
  }
  return effects;
}

} // namespace forewarp::explore
