#include "pipeline/profile/common.h"

#include <algorithm>

namespace forewarp::pipeline {
namespace {

using namespace profile_detail;

constexpr double row_height = 34, box_height = 18, label_width = 120, chart_width = 1080, top = 36;
/// Colours of warps, told apart also by people who see red and green alike (Okabe and Ito).
constexpr const char* colours[] = {"#56b4e9", "#e69f00", "#009e73", "#f0e442",
                                   "#0072b2", "#d55e00", "#cc79a7", "#999999"};

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text)
    result += c == '<'   ? "&lt;"
              : c == '>' ? "&gt;"
              : c == '&' ? "&amp;"
              : c == '"' ? "&quot;"
                         : std::string(1, c);
  return result;
}

} // namespace

std::string profile_to_svg(const ProfileRecorder& profile, const Outcome& outcome, const ProfileNames& names,
                           std::size_t most_boxes) {
  const auto pipelines = pipelines_of(profile);
  const bool several = several_instances(pipelines);
  const double scale = chart_width / std::max(1.0, outcome.cycles);
  const double height = top + row_height * static_cast<double>(pipelines.size()) + 30;
  std::string svg =
      fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:g} {:g}\" "
                  "font-family=\"sans-serif\" font-size=\"12\">\n<text x=\"4\" y=\"18\">{}</text>\n",
                  label_width + chart_width + 20, height, escaped(names.title));
  std::map<std::uint32_t, double> row_of;
  for (const auto& [instance, name] : pipelines) {
    const double y = top + row_height * static_cast<double>(row_of.size());
    row_of[instance] = y;
    svg += fmt::format("<text x=\"4\" y=\"{:g}\">{}</text>\n", y + 13,
                       escaped(pipeline_label(name, names, several)));
  }
  const std::size_t shown = std::min(profile.issues.size(), most_boxes);
  for (std::size_t i = 0; i < shown; ++i) {
    const IssueEvent& event = profile.issues[i];
    const double x = label_width + event.issue_cycle * scale, y = row_of[event.instance];
    const double width = std::max(0.3, (event.subsystem_free_cycle - event.issue_cycle) * scale);
    const char* colour = colours[(event.group * 31 + event.warp) % std::size(colours)];
    svg += fmt::format(
        "<g><title>group {} warp {}: {}, cycle {:g} to {:g}</title>"
        "<path d=\"M{:.2f} {:.2f}H{:.2f}\" stroke=\"{}\" stroke-width=\"2\"/>"
        "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:g}\" fill=\"{}\" stroke=\"#333\" "
        "stroke-width=\"0.3\"/></g>\n",
        event.group, event.warp, escaped(tag_label(event.tag, names)), event.issue_cycle, event.result_cycle,
        x, y + box_height + 3, label_width + event.result_cycle * scale, colour, x, y, width, box_height,
        colour);
  }
  const double axis = height - 22;
  svg += fmt::format("<path d=\"M{:g} {:g}H{:g}\" stroke=\"#333\"/>\n", label_width, axis,
                     label_width + chart_width);
  for (int tick = 0; tick <= 4; ++tick)
    svg += fmt::format("<text x=\"{:g}\" y=\"{:g}\" text-anchor=\"middle\">{:.0f}</text>\n",
                       label_width + chart_width * tick / 4, axis + 15, outcome.cycles * tick / 4);
  if (shown < profile.issues.size() || profile.dropped > 0)
    svg += fmt::format("<text x=\"{:g}\" y=\"18\">the first {} of {} instructions</text>\n",
                       label_width + 600, shown, profile.issues.size());
  return svg + "</svg>\n";
}

} // namespace forewarp::pipeline
