#include "validate/page.h"

#include "report/plots/svg_plot.h"

#include <fmt/format.h>

#include <map>

namespace forewarp::validate {
namespace {

constexpr std::size_t least_rows_for_a_curve = 3;

using Space = std::pair<std::string, std::string>;

std::map<Space, std::vector<const RowResult*>> spaces_of(const SuiteResult& result) {
  std::map<Space, std::vector<const RowResult*>> spaces;
  for (const RowResult& row : result.rows)
    spaces[{row.kernel, row.gpu}].push_back(&row);
  return spaces;
}

std::string curve_svg(const Space& space, const std::vector<const RowResult*>& rows) {
  report::SvgPlot::Series measured{"measured", {}, true}, predicted{"predicted", {}, true};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double at = static_cast<double>(i + 1);
    measured.points.push_back({at, rows[i]->measured_ms});
    predicted.points.push_back({at, rows[i]->predicted_ms});
  }
  return report::to_svg({fmt::format("{} on {}", space.first, space.second),
                         {"row of the sample, in the order of the data"},
                         {"time, ms", true},
                         {measured, predicted}});
}

std::string heading(const std::string& text) {
  std::string escaped;
  for (const char c : text)
    escaped += c == '&' ? "&amp;" : c == '<' ? "&lt;" : std::string(1, c);
  return "<h2>" + escaped + "</h2>\n";
}

} // namespace

std::string scatter_svg(const SuiteResult& result) {
  std::map<std::string, report::SvgPlot::Series> gpus;
  for (const RowResult& row : result.rows) {
    report::SvgPlot::Series& series = gpus[row.gpu];
    series.name = row.gpu;
    series.points.push_back({row.measured_ms, row.predicted_ms});
  }
  report::SvgPlot plot{result.name, {"measured, ms", true}, {"predicted, ms", true}, {}, true};
  for (auto& [name, series] : gpus)
    plot.series.push_back(std::move(series));
  return report::to_svg(plot);
}

std::string to_html(const std::vector<SuiteResult>& results) {
  std::string page =
      "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>Forewarp: predicted against "
      "measured</title></head>\n<body style=\"font-family:sans-serif\">\n";
  for (const SuiteResult& result : results) {
    page += heading(result.title) + scatter_svg(result);
    for (const auto& [space, rows] : spaces_of(result))
      if (rows.size() >= least_rows_for_a_curve)
        page += curve_svg(space, rows);
  }
  return page + "</body></html>\n";
}

} // namespace forewarp::validate
