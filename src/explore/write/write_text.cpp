#include "explore/write/write.h"
#include "report/numbers.h"
#include "report/table.h"

#include <algorithm>
#include <fmt/format.h>

namespace forewarp::explore {
namespace {

using report::Align;
using report::number;
using report::Table;

std::string assignment(const std::vector<std::string>& names, const std::vector<std::string>& values) {
  std::string text;
  for (std::size_t p = 0; p < names.size(); ++p)
    text += (p == 0 ? "" : " ") + names[p] + "=" + values[p];
  return text;
}

std::string lists_head(const Findings& f, const char* which) {
  return fmt::format("\n{} by {}\n", which, f.summary.options.objective->name);
}

std::string ranked_table(const Findings& f, const std::vector<Ranked>& list, bool with_chance) {
  std::vector<Table::Column> columns = {{""}, {"time ms"}, {"90 % interval ms"}};
  if (std::string(f.summary.options.objective->name) != "time")
    columns.push_back({f.summary.options.objective->name});
  if (with_chance)
    columns.push_back({"beats 1st %"});
  for (const char* heading : {"regs", "shared", "occupancy %"})
    columns.push_back({heading});
  columns.push_back({"limiter", Align::left});
  columns.push_back({"configuration", Align::left});
  Table table(columns);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Ranked& r = list[i];
    const Outcome& o = r.outcome;
    std::vector<std::string> cells = {r.equal ? "=" : fmt::format("{}", i + 1), number(o.time_ms),
                                      fmt::format("{} .. {}", number(o.low_ms), number(o.high_ms))};
    if (std::string(f.summary.options.objective->name) != "time")
      cells.push_back(number(r.score));
    if (with_chance)
      cells.push_back(i == 0 ? "-" : fmt::format("{:.0f}", 100 * r.chance));
    cells.push_back(number(o.registers));
    cells.push_back(number(o.shared_bytes));
    cells.push_back(report::percent(o.occupancy));
    cells.push_back(o.limiter);
    cells.push_back(assignment(f.store.parameters(), r.values));
    table.add_row(cells);
  }
  return table.to_string();
}

std::string value_list(const ParameterEffect& effect) {
  constexpr std::size_t most = 8;
  if (effect.values.empty())
    return "(many values)";
  double best = effect.values.front().mean_ms;
  for (const ValueEffect& value : effect.values)
    best = std::min(best, value.mean_ms);
  std::string text;
  for (std::size_t i = 0; i < std::min(most, effect.values.size()); ++i)
    text += fmt::format("{}{}: {:.2f}", i == 0 ? "" : ", ", effect.values[i].value,
                        effect.values[i].mean_ms / best);
  return text + (effect.values.size() > most ? ", ..." : "");
}

std::string effects_text(const GpuSummary& gpu) {
  if (gpu.effects.empty())
    return "";
  Table table({{"parameter", Align::left},
               {"explains %"},
               {"changes time by up to"},
               {"mean time of each value, relative to the least", Align::left}});
  std::string idle;
  for (const ParameterEffect& effect : gpu.effects) {
    table.add_row({effect.parameter, report::percent(effect.explained),
                   effect.largest_ratio > 0 ? fmt::format("{:.2f} x", effect.largest_ratio) : "-",
                   value_list(effect)});
    if (!effect.matters())
      idle += (idle.empty() ? "" : ", ") + effect.parameter;
  }
  std::string text = "\nMain effects\n" + table.to_string();
  if (!idle.empty())
    text += fmt::format("  do not matter (less than 1 % with all else equal): {}\n", idle);
  return text;
}

std::string advice(const Findings& f, const GpuSummary& gpu) {
  const SummaryOptions& options = f.summary.options;
  std::string text = "\nWhat to measure\n";
  if (gpu.near_ties > 0)
    text += fmt::format("  {} other{} cannot be told from the best (a chance of 5 % or more to be faster)\n",
                        gpu.near_ties, gpu.near_ties == 1 ? "" : "s");
  text += fmt::format(
      "  measure the first {} of {} to be {:.0f} % sure to have one within {:.0f} % of the best\n",
      gpu.to_measure, gpu.valid, 100 * options.confidence.sure, 100 * options.confidence.within);
  text += fmt::format("  error model: independent errors with longer tails than the interval says, {:.0f} % "
                      "of their variance common to all\n",
                      100 * options.common_error);
  return text;
}

std::string gpu_text(const Findings& f, const GpuSummary& gpu) {
  std::string text = fmt::format("\n{}: {} valid, {} not valid\n", gpu.gpu, gpu.valid, gpu.invalid);
  if (gpu.valid == 0)
    return text;
  const bool by_time = std::string(f.summary.options.objective->name) == "time";
  text += lists_head(f, "Best") + ranked_table(f, gpu.best, by_time);
  text += lists_head(f, "Worst") + ranked_table(f, gpu.worst, false);
  text += fmt::format("\nPareto of time and shared memory ({} configurations)\n", gpu.pareto_size) +
          ranked_table(f, gpu.pareto, false);
  return text + effects_text(gpu) + advice(f, gpu);
}

std::string head_text(const Findings& f) {
  const Summary& s = f.summary;
  std::string roles;
  for (std::size_t p = 0; p < s.parameters.size(); ++p)
    roles += fmt::format("{}{} ({})", p == 0 ? "" : ", ", s.parameters[p], s.roles[p]);
  return fmt::format("{}: {} of {} points\n  parameters: {}\n", f.setup.base.compile.path, s.configurations,
                     s.points, roles);
}

std::string compromise_text(const Findings& f) {
  if (f.summary.compromises.empty())
    return "";
  Table table({{""}, {"times the best (mean)"}, {"configuration", Align::left}});
  for (std::size_t i = 0; i < f.summary.compromises.size(); ++i) {
    const Compromise& c = f.summary.compromises[i];
    table.add_row({fmt::format("{}", i + 1), fmt::format("{:.3f}", c.mean_ratio),
                   assignment(f.store.parameters(), c.values)});
  }
  return "\nBest for all GPUs together\n" + table.to_string();
}

std::string reasons_text(const Findings& f) {
  if (f.summary.reasons.empty())
    return "";
  Table table({{"count"}, {"reason", Align::left}});
  for (const Reason& reason : f.summary.reasons)
    table.add_row({fmt::format("{}", reason.count), reason.text});
  return "\nNot valid\n" + table.to_string();
}

} // namespace

Result<void> write_text(const Findings& findings, const Sink& sink) {
  FOREWARP_TRY(sink(head_text(findings)));
  for (const GpuSummary& gpu : findings.summary.gpus)
    FOREWARP_TRY(sink(gpu_text(findings, gpu)));
  return sink(compromise_text(findings) + reasons_text(findings));
}

} // namespace forewarp::explore
