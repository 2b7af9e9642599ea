// A plot of lines over two linear axes that begin at 0, as SVG.
#pragma once

#include <string>
#include <vector>

namespace forewarp::report {

struct LinePlot {
  std::string title, x_axis, y_axis;
  struct Point {
    double x = 0, y = 0;
  };
  struct Line {
    std::string name;
    std::vector<Point> points;
  };
  std::vector<Line> lines;
};

std::string to_svg(const LinePlot& plot);

/// 1, 2 or 5 times a power of ten: about `parts` steps up to `most`.
double tick_step(double most, int parts);

} // namespace forewarp::report
