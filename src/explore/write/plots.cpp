#include "explore/write/plots.h"

#include "explore/share/store_guard.h"
#include "report/plots/bar_chart.h"
#include "report/plots/svg_plot.h"

#include <algorithm>
#include <fmt/format.h>

namespace forewarp::explore {
namespace {

constexpr std::uint64_t most_points = 500;

report::SvgPlot::Series sorted_times(Store& store, const GpuSummary& gpu, std::size_t index) {
  report::SvgPlot::Series series{gpu.gpu, {}, true};
  SQLite::Statement select(
      store.database(),
      fmt::format("SELECT time_ms FROM outcome WHERE valid AND gpu = {} ORDER BY time_ms", index));
  const std::uint64_t stride = gpu.valid / most_points + 1;
  double best = 0;
  for (std::uint64_t i = 0; select.executeStep(); ++i) {
    const double time = select.getColumn(0).getDouble();
    if (i == 0)
      best = time;
    if (i % stride == 0 || i + 1 == gpu.valid)
      series.points.push_back(
          {100 * static_cast<double>(i + 1) / static_cast<double>(gpu.valid), best > 0 ? time / best : 1});
  }
  return series;
}

} // namespace

Result<std::string> sorted_plot(Store& store, const Summary& summary) {
  return guarded(store.path(), [&]() -> Result<std::string> {
    report::SvgPlot plot;
    plot.title = "Predicted time along the sorted space";
    plot.x = {"configurations, % of the valid ones, fastest first"};
    plot.y = {"time / best time", true};
    for (std::size_t g = 0; g < summary.gpus.size(); ++g)
      plot.series.push_back(sorted_times(store, summary.gpus[g], g));
    return report::to_svg(plot);
  });
}

std::string effects_plot(const GpuSummary& gpu) {
  report::BarChart chart;
  chart.title = "Main effects, " + gpu.gpu;
  chart.axis = "mean time of the value / least mean time of the parameter";
  chart.base = 1;
  for (const ParameterEffect& effect : gpu.effects) {
    if (effect.values.empty() || effect.values.size() > 16)
      continue;
    double least = effect.values.front().mean_ms;
    for (const ValueEffect& value : effect.values)
      least = std::min(least, value.mean_ms);
    report::BarChart::Group group{effect.parameter, {}};
    for (const ValueEffect& value : effect.values)
      group.bars.push_back({value.value, value.mean_ms / least});
    chart.groups.push_back(std::move(group));
  }
  return report::to_svg(chart);
}

} // namespace forewarp::explore
