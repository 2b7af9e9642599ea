#include "report/plots/line_plot.h"

#include "report/plots/svg_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace forewarp::report {
namespace {

constexpr double width = 860, height = 480, left = 80, right = 230, top = 40, bottom = 60;
constexpr double plot_width = width - left - right, plot_height = height - top - bottom;
constexpr int tick_parts = 8;
constexpr double legend_line = 18;
struct Scale {
  double most_x = 1, most_y = 1;
  double x(double value) const { return left + plot_width * value / most_x; }
  double y(double value) const { return top + plot_height * (1 - value / most_y); }
};

Scale scale_of(const LinePlot& plot) {
  Scale scale{0, 0};
  for (const LinePlot::Line& line : plot.lines)
    for (const LinePlot::Point& point : line.points) {
      scale.most_x = std::max(scale.most_x, point.x);
      scale.most_y = std::max(scale.most_y, point.y);
    }
  const auto round_up = [](double value) {
    const double step = tick_step(value, tick_parts);
    return std::ceil(value / step - 1e-9) * step;
  };
  scale.most_x = scale.most_x > 0 ? round_up(scale.most_x) : 1;
  scale.most_y = scale.most_y > 0 ? round_up(scale.most_y) : 1;
  return scale;
}

std::string axes(const LinePlot& plot, const Scale& scale) {
  std::string svg = fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" "
                                "stroke=\"#444\"/>\n",
                                left, top, plot_width, plot_height);
  const auto ticks = [](double most, auto&& draw) {
    const double step = tick_step(most, tick_parts);
    const int count = static_cast<int>(std::lround(most / step));
    for (int i = 0; i <= count; ++i)
      draw(i * step);
  };
  ticks(scale.most_x, [&](double value) {
    svg +=
        fmt::format("<path d=\"M{0:.1f} {1:.1f}v5\" stroke=\"#444\"/>\n", scale.x(value), top + plot_height);
    svg += svg_label(scale.x(value), top + plot_height + 20, "middle", fmt::format("{:g}", value));
  });
  ticks(scale.most_y, [&](double value) {
    svg +=
        fmt::format("<path d=\"M{0:.1f} {1:.1f}h{2}\" stroke=\"#ddd\"/>\n", left, scale.y(value), plot_width);
    svg += svg_label(left - 8, scale.y(value) + 4, "end", fmt::format("{:g}", value));
  });
  svg += svg_label(left + plot_width / 2, height - 16, "middle", plot.x_axis);
  svg += fmt::format("<g transform=\"translate(18 {:.1f}) rotate(-90)\">{}</g>\n", top + plot_height / 2,
                     svg_label(0, 0, "middle", plot.y_axis));
  return svg + svg_label(left, top - 14, "start", plot.title);
}

std::string line_path(const LinePlot::Line& line, std::size_t index, const Scale& scale) {
  constexpr std::size_t colours = 7; // dashes tell the second round
  const char* colour = svg_colour(index);
  const char* dash = index < colours ? "" : " stroke-dasharray=\"6 3\"";
  std::string points;
  for (const LinePlot::Point& point : line.points)
    points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", scale.x(point.x), scale.y(point.y));
  std::string svg;
  if (line.points.size() == 1)
    svg = fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n",
                      scale.x(line.points[0].x), scale.y(line.points[0].y), colour);
  else
    svg = fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"{}/>\n",
                      points, colour, dash);
  const double y = top + 10 + legend_line * static_cast<double>(index), x = width - right + 14;
  svg += fmt::format("<path d=\"M{:.1f} {:.1f}h24\" stroke=\"{}\" stroke-width=\"1.8\"{}/>\n", x, y, colour,
                     dash);
  return svg + svg_label(x + 30, y + 4, "start", line.name);
}

} // namespace

double tick_step(double most, int parts) {
  const double rough = most / parts;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough * (1 - 1e-9))
      return factor * power;
  return 10 * power;
}

std::string to_svg(const LinePlot& plot) {
  const Scale scale = scale_of(plot);
  std::string svg = svg_head(width, height);
  svg += axes(plot, scale);
  for (std::size_t i = 0; i < plot.lines.size(); ++i)
    if (!plot.lines[i].points.empty())
      svg += line_path(plot.lines[i], i, scale);
  return svg + "</svg>\n";
}

} // namespace forewarp::report
