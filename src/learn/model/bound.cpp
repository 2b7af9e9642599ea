#include "learn/model/bound.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace forewarp::learn {
namespace {

constexpr double warp = 32, sector_bytes = 32;
constexpr double loads_under_way = 4;   ///< of a thread: what compilers' unrolling leaves
constexpr double copies_of_a_value = 2; ///< it is set before the launch and read after it
constexpr double least_share = 1e-6;    ///< of a term that is not there

class Values {
public:
  Values(const std::vector<std::string>& names, const std::vector<double>& values)
      : names_(names), values_(values) {}

  double need(const char* name) {
    const auto found = find(name);
    if (!found && missing_.empty())
      missing_ = name;
    return found.value_or(0);
  }
  double find_or(const char* name, double other) const { return find(name).value_or(other); }
  const std::string& missing() const { return missing_; }

private:
  std::optional<double> find(const char* name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end())
      return {};
    return values_[static_cast<std::size_t>(found - names_.begin())];
  }

  const std::vector<std::string>& names_;
  const std::vector<double>& values_;
  std::string missing_;
};

} // namespace

double Bound::total() const {
  return host + std::max({memory, cache, arithmetic, latency});
}

Result<Bound> physical_bound(const std::vector<std::string>& names, const std::vector<double>& values,
                             const BoundRates& rates) {
  Values of(names, values);
  const double instructions = of.need("ninst"), launches = std::max(1.0, of.need("phys_launches"));
  const double traced = of.find_or("warp_threads", 0);
  const double threads = std::max(1.0, traced > 0 ? traced : of.need("phys_threads"));
  const double accesses = of.find_or("warp_memory", 0);
  Bound bound;
  bound.memory = (of.need("phys_read_bytes") + of.need("phys_written_bytes")) / rates.dram_bytes_per_ms;
  bound.cache =
      threads / warp * accesses * of.find_or("warp_sectors", 0) * sector_bytes / rates.cache_bytes_per_ms;
  bound.arithmetic =
      std::max({of.need("fp") * instructions / rates.single_per_ms,
                of.need("dp") * instructions / rates.twice_per_ms, instructions / rates.instructions_per_ms});
  bound.latency = of.need("phys_serial") / loads_under_way * rates.load_ms;
  bound.host = (launches + copies_of_a_value * of.need("phys_carried")) * rates.host_ms;
  bound.occupancy = std::min(1.0, threads / launches / rates.threads);
  if (!of.missing().empty())
    return fail(ErrorCode::bad_input, fmt::format("no feature '{}', which the bound needs", of.missing()), "",
                "make the rows with --with-warps");
  return bound;
}

Result<void> append_bound(std::vector<std::string>& names, std::vector<double>& values,
                          const BoundRates& rates) {
  const auto bound = physical_bound(names, values, rates);
  FOREWARP_TRY(bound);
  const double total = bound->total();
  const auto add = [&](const char* name, double value) {
    names.emplace_back(name);
    values.push_back(value);
  };
  add(bound_column, total);
  add("bound_memory", std::max(least_share, bound->memory / total));
  add("bound_cache", std::max(least_share, bound->cache / total));
  add("bound_arithmetic", std::max(least_share, bound->arithmetic / total));
  add("bound_latency", std::max(least_share, bound->latency / total));
  add("bound_host", std::max(least_share, bound->host / total));
  add("bound_occupancy", bound->occupancy);
  return {};
}

Result<TrainingTable> with_bound(TrainingTable table, const BoundRates& rates) {
  std::vector<std::string> names;
  for (TrainingRow& row : table.rows) {
    names = table.names;
    // Loops without pseudo-warps have no warp_ values: what a row lacks does not enter its bound.
    const auto done = append_bound(names, row.features, rates);
    if (!done)
      return fail(done.error().code, done.error().message, table.source, done.error().hint);
  }
  table.names = std::move(names);
  return table;
}

} // namespace forewarp::learn
