#include "report/plots/bar_chart.h"

#include "report/plots/line_plot.h"
#include "report/plots/svg_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace forewarp::report {
namespace {

constexpr double width = 860, top = 40, bottom = 60, name_width = 190, chart_width = 520;
constexpr double bar_height = 16, gap = 14;
constexpr int tick_parts = 8;

struct Scale {
  double base = 0, most = 1;
  double x(double value) const { return name_width + chart_width * (value - base) / (most - base); }
};

Scale scale_of(const BarChart& chart) {
  Scale scale{chart.base, chart.base};
  for (const BarChart::Group& group : chart.groups)
    for (const BarChart::Bar& bar : group.bars)
      scale.most = std::max(scale.most, bar.value);
  if (scale.most <= scale.base)
    scale.most = scale.base + 1;
  return scale;
}

double height_of_bars(const BarChart& chart) {
  double height = 0;
  for (const BarChart::Group& group : chart.groups)
    height += static_cast<double>(group.bars.size()) * bar_height + gap;
  return height;
}

std::string axis(const BarChart& chart, const Scale& scale, double body) {
  std::string svg;
  const double step = tick_step(scale.most - scale.base, tick_parts);
  const int count = static_cast<int>(std::floor((scale.most - scale.base) / step + 1e-9));
  for (int i = 0; i <= count; ++i) {
    const double value = scale.base + i * step;
    svg += fmt::format("<path d=\"M{:.1f} {:.1f}v{:.1f}\" stroke=\"#ddd\"/>\n", scale.x(value), top, body);
    svg += svg_label(scale.x(value), top + body + 18, "middle", fmt::format("{:g}", value));
  }
  return svg + svg_label(name_width + chart_width / 2, top + body + 40, "middle", chart.axis);
}

} // namespace

std::string to_svg(const BarChart& chart) {
  const Scale scale = scale_of(chart);
  const double body = height_of_bars(chart);
  std::string svg = svg_head(width, top + body + bottom) + svg_label(20, top - 14, "start", chart.title);
  svg += axis(chart, scale, body);
  double y = top;
  for (std::size_t g = 0; g < chart.groups.size(); ++g) {
    for (std::size_t b = 0; b < chart.groups[g].bars.size(); ++b) {
      const BarChart::Bar& bar = chart.groups[g].bars[b];
      const double end = std::max(scale.x(bar.value), scale.x(scale.base) + 1);
      svg += svg_label(name_width - 8, y + 12, "end",
                       b == 0 ? chart.groups[g].name + "  " + bar.name : bar.name);
      svg +=
          fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n",
                      scale.x(scale.base), y + 2, end - scale.x(scale.base), bar_height - 4, svg_colour(g));
      svg += svg_label(end + 6, y + 12, "start", fmt::format("{:.3g}", bar.value));
      y += bar_height;
    }
    y += gap;
  }
  return svg + "</svg>\n";
}

} // namespace forewarp::report
