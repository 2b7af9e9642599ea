// The models of one kernel side by side, as text, JSON and CSV.
#include "report/models/model_tables.h"
#include "report/numbers.h"
#include "report/table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace forewarp::report {
namespace {

using Json = nlohmann::ordered_json;
constexpr int models_schema_version = 1;

std::string signed_percent(double share) {
  return fmt::format("{:+.1f} %", 100 * share);
}

Table new_table() {
  return Table({{"model", Align::left},
                {"time ms"},
                {"cycles"},
                {"warps/cycle"},
                {"limiter", Align::left},
                {"to simulator"}});
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text)
    out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

} // namespace

std::string models_text(const ModelTable& table) {
  std::string text;
  for (std::size_t first = 0; first < table.lines.size();) {
    const ModelLine& head = table.lines[first];
    text += fmt::format("{}{} on {}, {} resident warps per SM\n\n", first > 0 ? "\n" : "", head.kernel,
                        head.gpu, number(head.concurrent_warps));
    Table rows = new_table();
    std::string refusals;
    std::size_t end = first;
    for (; end < table.lines.size() && table.lines[end].gpu == head.gpu; ++end) {
      const ModelLine& line = table.lines[end];
      if (!line.refusal.empty()) {
        rows.add_row({line.name, "-", "-", "-", "-", "-"});
        refusals += fmt::format("  {}: {}\n", line.name, line.refusal);
        continue;
      }
      rows.add_row({line.name, number(line.time_ms), fmt::format("{:.0f}", line.cycles),
                    number(line.warps_per_cycle), line.limiter, signed_percent(line.to_simulator)});
    }
    text += rows.to_string() + (refusals.empty() ? "" : "\nNot answered\n" + refusals);
    first = end;
  }
  if (!table.notes.empty())
    text += "\nNotes\n";
  for (const std::string& note : table.notes)
    text += "  " + note + "\n";
  return text;
}

std::string models_json(const ModelTable& table) {
  Json rows = Json::array();
  for (const ModelLine& line : table.lines) {
    Json row = {{"kernel", line.kernel}, {"gpu", line.gpu}, {"name", line.name}, {"source", line.source}};
    if (line.refusal.empty())
      row.update({{"time_ms", line.time_ms},
                  {"cycles", line.cycles},
                  {"limiter", line.limiter},
                  {"concurrent_warps", line.concurrent_warps},
                  {"cycles_per_run", line.cycles_per_run},
                  {"warps_per_cycle", line.warps_per_cycle},
                  {"to_simulator", line.to_simulator}});
    else
      row.update(
          {{"time_ms", nullptr}, {"cycles", nullptr}, {"limiter", nullptr}, {"refusal", line.refusal}});
    rows.push_back(std::move(row));
  }
  const Json answer = {{"schema_version", models_schema_version}, {"models", rows}, {"notes", table.notes}};
  return answer.dump(2) + "\n";
}

std::string models_csv(const ModelTable& table) {
  std::string text =
      "kernel,gpu,model,time_ms,cycles,limiter,concurrent_warps,cycles_per_run,warps_per_cycle,"
      "to_simulator,refusal\n";
  for (const ModelLine& line : table.lines) {
    text += fmt::format("{},{},{},", quoted(line.kernel), quoted(line.gpu), line.name);
    if (line.refusal.empty())
      text += fmt::format("{:.9g},{:.9g},{},{:.9g},{:.9g},{:.9g},{:.9g},\n", line.time_ms, line.cycles,
                          line.limiter, line.concurrent_warps, line.cycles_per_run, line.warps_per_cycle,
                          line.to_simulator);
    else
      text += fmt::format(",,,,,,,{}\n", quoted(line.refusal));
  }
  return text;
}

} // namespace forewarp::report
