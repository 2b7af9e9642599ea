#include "report/plots/svg_plot.h"

#include "report/plots/line_plot.h"
#include "report/plots/svg_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace forewarp::report {
namespace {

constexpr double width = 760, height = 440, left = 80, right = 210, top = 36, bottom = 56;
constexpr double plot_width = width - left - right, plot_height = height - top - bottom;
constexpr double legend_line = 16;
constexpr int linear_ticks = 8;

/// The drawn range of an axis; logarithmic ranges end at powers of ten.
struct Range {
  bool logarithmic = false;
  double least = 0, most = 1;
  bool draws(double value) const { return std::isfinite(value) && (!logarithmic || value > 0); }
  /// 0 at the axis' begin, 1 at its end.
  double share(double value) const {
    return logarithmic ? std::log(value / least) / std::log(most / least) : (value - least) / (most - least);
  }
};

Range range_of(bool logarithmic, const std::vector<double>& values) {
  Range range{logarithmic};
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const double value : values)
    if (range.draws(value)) {
      least = std::min(least, value);
      most = std::max(most, value);
    }
  if (logarithmic) {
    const bool empty = !(least <= most);
    range.least = empty ? 0.1 : std::pow(10, std::floor(std::log10(least) + 1e-9));
    range.most = empty ? 1 : std::pow(10, std::ceil(std::log10(most) - 1e-9));
    if (range.most <= range.least)
      range.most = 10 * range.least;
  } else if (most > 0) {
    const double step = tick_step(most, linear_ticks);
    range.most = std::ceil(most / step - 1e-9) * step;
  }
  return range;
}

std::vector<double> ticks(const Range& range) {
  std::vector<double> values;
  if (range.logarithmic) {
    const auto decades = std::lround(std::log10(range.most / range.least));
    for (long i = 0; i <= decades; ++i)
      for (const double digit : {1.0, 2.0, 5.0}) {
        const double value = range.least * std::pow(10, static_cast<double>(i)) * digit;
        if ((digit == 1 || decades <= 2) && value <= range.most * (1 + 1e-9))
          values.push_back(value);
      }
    return values;
  }
  const double step = tick_step(range.most, linear_ticks);
  for (int i = 0; i * step <= range.most * (1 + 1e-9); ++i)
    values.push_back(i * step);
  return values;
}

struct Frame {
  Range x, y;
  double at_x(double value) const { return left + plot_width * x.share(value); }
  double at_y(double value) const { return top + plot_height * (1 - y.share(value)); }
};

Frame frame_of(const SvgPlot& plot) {
  std::vector<double> xs, ys;
  for (const SvgPlot::Series& series : plot.series)
    for (const SvgPlot::Point& point : series.points) {
      xs.push_back(point.x);
      ys.push_back(point.y);
    }
  if (plot.diagonal) {
    xs.insert(xs.end(), ys.begin(), ys.end());
    ys = xs;
  }
  return {range_of(plot.x.logarithmic, xs), range_of(plot.y.logarithmic, ys)};
}

std::string axes(const SvgPlot& plot, const Frame& frame) {
  std::string svg;
  for (const double value : ticks(frame.x)) {
    svg +=
        fmt::format("<path d=\"M{:.1f} {:.1f}v{}\" stroke=\"#ddd\"/>\n", frame.at_x(value), top, plot_height);
    svg += svg_label(frame.at_x(value), top + plot_height + 18, "middle", fmt::format("{:g}", value));
  }
  for (const double value : ticks(frame.y)) {
    svg +=
        fmt::format("<path d=\"M{:.1f} {:.1f}h{}\" stroke=\"#ddd\"/>\n", left, frame.at_y(value), plot_width);
    svg += svg_label(left - 8, frame.at_y(value) + 4, "end", fmt::format("{:g}", value));
  }
  svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#444\"/>\n",
                     left, top, plot_width, plot_height);
  svg += svg_label(left + plot_width / 2, height - 14, "middle", plot.x.name);
  svg += fmt::format("<g transform=\"translate(18 {:.1f}) rotate(-90)\">{}</g>\n", top + plot_height / 2,
                     svg_label(0, 0, "middle", plot.y.name));
  return svg + svg_label(left, top - 12, "start", plot.title);
}

std::string bands(const SvgPlot& plot, const Frame& frame) {
  constexpr const char* shades[] = {"#eef3fb", "#fdf0e3", "#eaf6ec", "#f6eaf3", "#f2f2f2", "#fbf8df"};
  constexpr double least_named = 60;
  std::vector<std::string> names;
  std::string svg;
  for (const SvgPlot::Band& band : plot.bands) {
    auto known = std::find(names.begin(), names.end(), band.name);
    if (known == names.end())
      known = names.insert(names.end(), band.name);
    const double from = frame.at_x(std::max(band.from, frame.x.least)),
                 to = frame.at_x(std::min(band.to, frame.x.most));
    svg += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\"><title>{}</title></rect>\n",
        from, top, std::max(0.0, to - from), plot_height,
        shades[static_cast<std::size_t>(known - names.begin()) % std::size(shades)], band.name);
    if (to - from >= least_named)
      svg += svg_label((from + to) / 2, top + 14, "middle", band.name);
  }
  return svg;
}

/// y = factor x within the frame; both axes are alike.
std::string diagonal(const Frame& frame, double factor, double thickness) {
  const double from = std::max(frame.x.least, frame.y.least / factor);
  const double to = std::min(frame.x.most, frame.y.most / factor);
  return fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"#888\" stroke-width=\"{}\"/>\n",
                     frame.at_x(from), frame.at_y(from * factor), frame.at_x(to), frame.at_y(to * factor),
                     thickness);
}

std::string drawn(const SvgPlot::Series& series, const char* colour, const Frame& frame) {
  std::string path;
  for (const SvgPlot::Point& point : series.points) {
    if (!frame.x.draws(point.x) || !frame.y.draws(point.y))
      continue;
    const double x = frame.at_x(point.x), y = frame.at_y(point.y);
    if (series.line)
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x, y);
    else // a line of no length with round ends: a dot
      path += fmt::format("M{:.1f} {:.1f}h0", x, y);
  }
  return fmt::format(
      "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\" "
      "stroke-opacity=\"{}\"/>\n",
      path, colour, series.line ? "1.5" : "4", series.line ? "1" : "0.6");
}

std::string legend(const std::string& name, std::size_t index, const char* colour) {
  const double y = top + 8 + legend_line * static_cast<double>(index);
  return fmt::format("<path d=\"M{:.1f} {:.1f}h14\" stroke=\"{}\" stroke-width=\"4\"/>\n",
                     left + plot_width + 14, y, colour) +
         svg_label(left + plot_width + 34, y + 4, "start", name);
}

} // namespace

std::string to_svg(const SvgPlot& plot) {
  const Frame frame = frame_of(plot);
  std::string svg =
      fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
                  "height=\"{1}\" font-family=\"sans-serif\" font-size=\"12\">\n"
                  "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
                  width, height);
  svg += bands(plot, frame);
  svg += axes(plot, frame);
  if (plot.diagonal)
    for (const double factor : {0.5, 1.0, 2.0})
      svg += diagonal(frame, factor, factor == 1 ? 1.5 : 0.5);
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const char* colour = svg_colour(i);
    svg += drawn(plot.series[i], colour, frame);
    svg += legend(plot.series[i].name, i, colour);
  }
  return svg + "</svg>\n";
}

} // namespace forewarp::report
