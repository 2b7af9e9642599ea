// Occupancy rooflines as text, JSON, CSV and SVG.
#include "report/models/model_tables.h"
#include "report/numbers.h"
#include "report/plots/line_plot.h"
#include "report/table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace forewarp::report {
namespace {

using Json = nlohmann::ordered_json;
constexpr int sweep_schema_version = 1;

} // namespace

std::string sweep_text(const std::vector<ModelSweep>& sweeps) {
  std::string text;
  for (const ModelSweep& sweep : sweeps) {
    text += fmt::format("{}{} on {}: warps per cycle of one SM over resident warps\n\n",
                        text.empty() ? "" : "\n", sweep.kernel, sweep.gpu);
    std::vector<Table::Column> columns = {{"warps"}};
    for (const ModelSweep::Series& series : sweep.series)
      columns.push_back({series.name});
    Table table(columns);
    for (std::size_t i = 0; i < sweep.concurrent_warps.size(); ++i) {
      std::vector<std::string> cells = {number(sweep.concurrent_warps[i])};
      for (const ModelSweep::Series& series : sweep.series)
        cells.push_back(std::isnan(series.warps_per_cycle[i]) ? "-" : number(series.warps_per_cycle[i]));
      table.add_row(std::move(cells));
    }
    text += table.to_string();
  }
  return text;
}

std::string sweep_json(const std::vector<ModelSweep>& sweeps) {
  Json rows = Json::array();
  for (const ModelSweep& sweep : sweeps)
    for (const ModelSweep::Series& series : sweep.series) {
      Json values = Json::array();
      for (const double value : series.warps_per_cycle)
        values.push_back(std::isnan(value) ? Json(nullptr) : Json(value));
      rows.push_back({{"kernel", sweep.kernel},
                      {"gpu", sweep.gpu},
                      {"name", series.name},
                      {"concurrent_warps", sweep.concurrent_warps},
                      {"warps_per_cycle", values}});
    }
  return Json{{"schema_version", sweep_schema_version}, {"models", rows}}.dump(2) + "\n";
}

std::string sweep_csv(const std::vector<ModelSweep>& sweeps) {
  std::string text = "kernel,gpu,model,concurrent_warps,warps_per_cycle\n";
  for (const ModelSweep& sweep : sweeps)
    for (const ModelSweep::Series& series : sweep.series)
      for (std::size_t i = 0; i < sweep.concurrent_warps.size(); ++i)
        if (!std::isnan(series.warps_per_cycle[i]))
          text += fmt::format("\"{}\",\"{}\",{},{:.9g},{:.9g}\n", sweep.kernel, sweep.gpu, series.name,
                              sweep.concurrent_warps[i], series.warps_per_cycle[i]);
  return text;
}

std::string sweep_svg(const ModelSweep& sweep) {
  LinePlot plot{.title = fmt::format("{} on {}", sweep.kernel, sweep.gpu),
                .x_axis = "resident warps of one SM",
                .y_axis = "warps per cycle"};
  for (const ModelSweep::Series& series : sweep.series) {
    LinePlot::Line line{series.name, {}};
    for (std::size_t i = 0; i < series.warps_per_cycle.size(); ++i)
      if (!std::isnan(series.warps_per_cycle[i]))
        line.points.push_back({sweep.concurrent_warps[i], series.warps_per_cycle[i]});
    plot.lines.push_back(std::move(line));
  }
  return to_svg(plot);
}

} // namespace forewarp::report
