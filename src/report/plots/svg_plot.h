// A plot of dots and lines over linear or logarithmic axes, as SVG.
#pragma once

#include <string>
#include <vector>

namespace forewarp::report {

struct SvgPlot {
  struct Point {
    double x = 0, y = 0;
  };
  struct Series {
    std::string name;
    std::vector<Point> points; ///< on a logarithmic axis only positive ones are drawn
    bool line = false;         ///< joined, in the order given; otherwise dots
  };
  struct Axis {
    std::string name;
    bool logarithmic = false;
  };
  std::string title;
  Axis x, y;
  std::vector<Series> series;
  bool diagonal = false; ///< y = x, and thin lines at half and double; both axes then share one range
  /// Shaded parts of the x axis, named at the top; colours by name, in the order of first use.
  struct Band {
    double from = 0, to = 0;
    std::string name;
  };
  std::vector<Band> bands = {};
};

/// One <svg> element, the same bytes for the same plot.
std::string to_svg(const SvgPlot& plot);

} // namespace forewarp::report
