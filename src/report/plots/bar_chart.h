// Groups of horizontal bars, as SVG.
#pragma once

#include <string>
#include <vector>

namespace forewarp::report {

struct BarChart {
  struct Bar {
    std::string name;
    double value = 0;
  };
  struct Group {
    std::string name;
    std::vector<Bar> bars;
  };
  std::string title, axis;
  double base = 0; ///< where the bars begin
  std::vector<Group> groups;
};

std::string to_svg(const BarChart& chart);

} // namespace forewarp::report
