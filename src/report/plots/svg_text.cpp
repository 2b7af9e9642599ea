#include "report/plots/svg_text.h"

#include <array>
#include <fmt/format.h>

namespace forewarp::report {

std::string svg_head(double width, double height) {
  return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
                     "viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" font-size=\"12\">\n"
                     "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
                     width, height);
}

std::string svg_label(double x, double y, const char* anchor, const std::string& text) {
  std::string safe;
  for (const char c : text)
    safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, safe);
}

const char* svg_colour(std::size_t index) {
  constexpr std::array<const char*, 7> colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                  "#e69f00", "#56b4e9", "#000000"};
  return colours[index % colours.size()];
}

} // namespace forewarp::report
