#include "explore/summary.h"

#include "explore/effects.h"
#include "explore/share/store_guard.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace forewarp::explore {
namespace {

constexpr const char* valid_rows = "configuration JOIN outcome USING (id) WHERE valid AND gpu = ";

std::string order_of(const Objective& objective, bool best_first) {
  return fmt::format("{} {}, id", objective.column, objective.most_is_best == best_first ? "DESC" : "ASC");
}

/// id, values and the columns that lists show.
std::string list_columns(const Store& store, const Objective& objective) {
  std::string columns = "id";
  for (std::size_t p = 0; p < store.parameters().size(); ++p)
    columns += ", " + store.column(p);
  return columns + ", time_ms, low_ms, high_ms, registers, shared_bytes, occupancy, limiter, " +
         objective.column;
}

Ranked read_ranked(SQLite::Statement& row, std::size_t parameters) {
  Ranked ranked;
  ranked.id = static_cast<std::uint64_t>(row.getColumn(0).getInt64());
  int at = 1;
  for (std::size_t p = 0; p < parameters; ++p)
    ranked.values.push_back(row.getColumn(at++).getString());
  Outcome& o = ranked.outcome;
  o.valid = true;
  for (double* number : {&o.time_ms, &o.low_ms, &o.high_ms, &o.registers, &o.shared_bytes, &o.occupancy})
    *number = row.getColumn(at++).getDouble();
  o.limiter = row.getColumn(at++).getString();
  ranked.score = row.getColumn(at).getDouble();
  return ranked;
}

TimedConfiguration timed(const Outcome& o, double common) {
  return {o.time_ms, sigma_of(o.low_ms, o.high_ms, common)};
}

class Summarizer {
public:
  Summarizer(Store& store, const Space& space, const SummaryOptions& options)
      : store_(store), space_(space), options_(options) {}

  Summary run() {
    Summary summary;
    summary.options = options_;
    summary.points = space_.points();
    for (const Parameter& parameter : space_.parameters()) {
      summary.parameters.push_back(parameter.name);
      summary.roles.emplace_back(to_string(parameter.role));
    }
    summary.configurations = count("SELECT count(*) FROM configuration");
    for (std::size_t gpu = 0; gpu < store_.gpus().size(); ++gpu)
      summary.gpus.push_back(gpu_summary(gpu));
    if (store_.gpus().size() > 1)
      summary.compromises = compromises(summary);
    summary.reasons = reasons();
    return summary;
  }

private:
  std::uint64_t count(const std::string& query) {
    return static_cast<std::uint64_t>(store_.database().execAndGet(query).getInt64());
  }

  GpuSummary gpu_summary(std::size_t gpu) {
    GpuSummary summary;
    summary.gpu = store_.gpus()[gpu];
    summary.valid = count(fmt::format("SELECT count(*) FROM outcome WHERE valid AND gpu = {}", gpu));
    summary.invalid = count(fmt::format("SELECT count(*) FROM outcome WHERE NOT valid AND gpu = {}", gpu));
    if (summary.valid == 0)
      return summary;
    summary.best = list(gpu, true);
    summary.worst = list(gpu, false);
    pareto(gpu, summary);
    ties(gpu, summary);
    summary.to_measure =
        configurations_to_measure([&](const auto& visit) { by_time(gpu, visit); }, options_.confidence);
    summary.effects = parameter_effects(store_, space_, gpu);
    return summary;
  }

  std::vector<Ranked> list(std::size_t gpu, bool best_first) {
    SQLite::Statement select(store_.database(),
                             fmt::format("SELECT {} FROM {}{} ORDER BY {} LIMIT {}",
                                         list_columns(store_, *options_.objective), valid_rows, gpu,
                                         order_of(*options_.objective, best_first), options_.top));
    std::vector<Ranked> ranked;
    while (select.executeStep()) {
      ranked.push_back(read_ranked(select, store_.parameters().size()));
      mark(ranked);
    }
    return ranked;
  }

  /// Chance against the first, and whether it can be told from the one before.
  void mark(std::vector<Ranked>& ranked) const {
    Ranked& last = ranked.back();
    last.chance = probability_faster(timed(last.outcome, options_.common_error),
                                     timed(ranked.front().outcome, options_.common_error));
    constexpr double four_digits = 5e-5;
    if (ranked.size() > 1) {
      const double before = ranked[ranked.size() - 2].score;
      last.equal = std::fabs(last.score - before) <= four_digits * std::fabs(before);
    }
  }

  void by_time(std::size_t gpu, const std::function<bool(const TimedConfiguration&)>& visit) {
    SQLite::Statement select(store_.database(),
                             fmt::format("SELECT time_ms, low_ms, high_ms FROM outcome WHERE valid "
                                         "AND gpu = {} ORDER BY time_ms, id",
                                         gpu));
    while (select.executeStep()) {
      const double low = select.getColumn(1).getDouble(), high = select.getColumn(2).getDouble();
      if (!visit({select.getColumn(0).getDouble(), sigma_of(low, high, options_.common_error)}))
        return;
    }
  }

  void ties(std::size_t gpu, GpuSummary& summary) {
    constexpr double chance_of_a_tie = 0.05;
    TimedConfiguration best;
    bool first = true;
    by_time(gpu, [&](const TimedConfiguration& c) {
      if (first)
        best = c;
      else if (probability_faster(c, best) >= chance_of_a_tie)
        ++summary.near_ties;
      first = false;
      return true;
    });
  }

  /// Shortest time first; each with less shared memory than all before.
  void pareto(std::size_t gpu, GpuSummary& summary) {
    SQLite::Statement select(store_.database(),
                             fmt::format("SELECT {} FROM {}{} ORDER BY time_ms, shared_bytes, id",
                                         list_columns(store_, *options_.objective), valid_rows, gpu));
    double least = -1;
    const int shared = static_cast<int>(store_.parameters().size()) + 5;
    while (least != 0 && select.executeStep()) {
      const double bytes = select.getColumn(shared).getDouble();
      if (least >= 0 && bytes >= least)
        continue;
      least = bytes;
      if (summary.pareto_size++ < options_.top)
        summary.pareto.push_back(read_ranked(select, store_.parameters().size()));
    }
  }

  std::vector<Compromise> compromises(const Summary& summary) {
    double best = 0; // product of the GPUs' least times, as a logarithm
    for (std::size_t gpu = 0; gpu < summary.gpus.size(); ++gpu) {
      if (summary.gpus[gpu].valid == 0)
        return {};
      best += std::log(
          store_.database()
              .execAndGet(fmt::format("SELECT min(time_ms) FROM outcome WHERE valid AND gpu = {}", gpu))
              .getDouble());
    }
    std::string columns = "id";
    for (std::size_t p = 0; p < store_.parameters().size(); ++p)
      columns += ", " + store_.column(p);
    SQLite::Statement select(store_.database(),
                             fmt::format("SELECT {}, sum(ln(time_ms)) AS total FROM configuration JOIN "
                                         "outcome USING (id) WHERE valid GROUP BY "
                                         "id HAVING count(*) = {} ORDER BY total, id LIMIT {}",
                                         columns, summary.gpus.size(), options_.top));
    std::vector<Compromise> list;
    while (select.executeStep()) {
      Compromise c;
      c.id = static_cast<std::uint64_t>(select.getColumn(0).getInt64());
      int at = 1;
      for (std::size_t p = 0; p < store_.parameters().size(); ++p)
        c.values.push_back(select.getColumn(at++).getString());
      c.mean_ratio =
          std::exp((select.getColumn(at).getDouble() - best) / static_cast<double>(summary.gpus.size()));
      list.push_back(std::move(c));
    }
    return list;
  }

  std::vector<Reason> reasons() {
    constexpr int most = 20;
    SQLite::Statement select(
        store_.database(),
        fmt::format("SELECT reason, count(*) AS n FROM outcome WHERE NOT valid GROUP BY reason "
                    "ORDER BY n DESC, reason LIMIT {}",
                    most));
    std::vector<Reason> list;
    while (select.executeStep())
      list.push_back(
          {select.getColumn(0).getString(), static_cast<std::uint64_t>(select.getColumn(1).getInt64())});
    return list;
  }

  Store& store_;
  const Space& space_;
  const SummaryOptions& options_;
};

} // namespace

Result<Summary> summarize(Store& store, const Space& space, const SummaryOptions& options) {
  return guarded(store.path(), [&]() -> Result<Summary> { return Summarizer(store, space, options).run(); });
}

} // namespace forewarp::explore
