#include "cli/survey/survey.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace forewarp::cli::survey {
namespace {

constexpr double largest_ratio = 10; ///< between boards, without a reason

struct Counts {
  std::map<Outcome, std::size_t> outcomes;
  std::size_t all = 0;
  double share() const {
    const auto of = [&](Outcome outcome) {
      const auto found = outcomes.find(outcome);
      return found == outcomes.end() ? std::size_t{0} : found->second;
    };
    return all == 0 ? 0
                    : 100.0 * static_cast<double>(of(Outcome::answered) + of(Outcome::template_answered)) /
                          static_cast<double>(all);
  }
};

/// The name's first folder: a repository where several lie side by side.
std::string part_of(const Answer& answer) {
  const std::size_t slash = answer.name.find('/');
  return slash == std::string::npos ? "." : answer.name.substr(0, slash);
}

std::map<std::string, Counts> counts_by_part(const Survey& survey) {
  std::map<std::string, Counts> parts;
  for (const Answer& answer : survey.answers) {
    Counts& counts = parts[part_of(answer)];
    ++counts.outcomes[answer.outcome];
    ++counts.all;
  }
  return parts;
}

Counts counts_of(const Survey& survey) {
  Counts counts;
  for (const Answer& answer : survey.answers) {
    ++counts.outcomes[answer.outcome];
    ++counts.all;
  }
  return counts;
}

double ratio_of(const Answer& answer) {
  double least = 0, most = 0;
  for (const auto& [gpu, time] : answer.time_ms) {
    least = least == 0 ? time : std::min(least, time);
    most = std::max(most, time);
  }
  return least > 0 ? most / least : 1;
}

/// Boards of one maker's generations differ by far in these units, and in nothing else: the limiter is the
/// reason.
bool names_reason(const Answer& answer) {
  const auto slowest = std::max_element(answer.time_ms.begin(), answer.time_ms.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
  const auto limiter =
      slowest == answer.time_ms.end() ? answer.limiter.end() : answer.limiter.find(slowest->first);
  return limiter != answer.limiter.end() && (limiter->second == "fp64" || limiter->second == "tensor");
}

bool is_refused(const Answer& answer) {
  return answer.outcome == Outcome::refused || answer.outcome == Outcome::not_finished;
}

/// Without what is before the file's told name, wherever it stands.
std::string one_line(std::string text, std::size_t most, const Answer& answer) {
  const std::string front = answer.file.ends_with(answer.name)
                                ? answer.file.substr(0, answer.file.size() - answer.name.size())
                                : "";
  for (std::size_t at = front.size() < 2 ? std::string::npos : text.find(front); at != std::string::npos;
       at = text.find(front, at))
    text.erase(at, front.size());
  text = text.substr(0, text.find('\n'));
  std::replace(text.begin(), text.end(), '|', '/');
  return text.size() > most ? text.substr(0, most) + "..." : text;
}

std::string seconds_text(const Survey& survey) {
  std::vector<double> seconds;
  for (const Answer& answer : survey.answers)
    if (!is_refused(answer))
      seconds.push_back(answer.seconds);
  std::sort(seconds.begin(), seconds.end());
  if (seconds.empty())
    return "";
  return fmt::format("{:.2f} s in the median, {:.2f} s at the 90th percentile", seconds[seconds.size() / 2],
                     seconds[seconds.size() * 9 / 10]);
}

std::string summary(const Survey& survey, const Options& options) {
  const Counts counts = counts_of(survey);
  std::string text = fmt::format("{} files looked at ({} without a kernel), {} kernels", survey.files,
                                 survey.files_without_kernels, counts.all);
  if (options.draw > 0)
    text += fmt::format(" (one a file, drawn with seed {})", options.seed);
  text += fmt::format(": {:.1f} % answered", counts.share());
  for (const auto& [outcome, count] : counts.outcomes)
    text += fmt::format("; {} {}", count, to_string(outcome));
  std::size_t below_peak = 0, apart = 0, without_reason = 0;
  for (const Answer& answer : survey.answers) {
    below_peak += answer.below_peak;
    apart += ratio_of(answer) > largest_ratio;
    without_reason += ratio_of(answer) > largest_ratio && !names_reason(answer);
  }
  text += fmt::format(
      ". Times below DRAM bytes at peak rate: {}; boards more than {:.0f} times apart: {}, of them "
      "without a unit that is the reason: {}.",
      below_peak, largest_ratio, apart, without_reason);
  if (const std::string seconds = seconds_text(survey); !seconds.empty())
    text += " An answer took " + seconds + ".";
  return text;
}

std::string as_text(const Survey& survey, const Options& options) {
  std::string text = summary(survey, options) + "\n";
  for (const Answer& answer : survey.answers) {
    text += fmt::format("\n{} {}: {}", answer.name, answer.kernel, to_string(answer.outcome));
    for (const auto& [gpu, time] : answer.time_ms)
      text += fmt::format("  {} {:.4g} ms", gpu, time);
    if (is_refused(answer))
      text += fmt::format("\n    {}: {}\n    {}", one_line(answer.where, 200, answer),
                          one_line(answer.why, 300, answer), one_line(answer.remedy, 300, answer));
  }
  return text + "\n";
}

std::string as_markdown(const Survey& survey, const Options& options) {
  std::string text = summary(survey, options) +
                     "\n\n| Folder | Kernels | Answered | By the template | Refused | Not "
                     "finished | Share |\n|---|---|---|---|---|---|---|\n";
  for (auto& [part, counts] : counts_by_part(survey)) {
    Counts each = counts;
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {:.0f} % |\n", part, each.all,
                        each.outcomes[Outcome::answered], each.outcomes[Outcome::template_answered],
                        each.outcomes[Outcome::refused], each.outcomes[Outcome::not_finished], each.share());
  }
  text += "\n## Refused\n\n| File | Kernel | Where | Why | Way out |\n|---|---|---|---|---|\n";
  for (const Answer& answer : survey.answers)
    if (is_refused(answer))
      text += fmt::format("| {} | `{}` | {} | {} | {} |\n", answer.name, one_line(answer.kernel, 60, answer),
                          one_line(answer.where, 100, answer), one_line(answer.why, 200, answer),
                          one_line(answer.remedy, 150, answer));
  text += "\n## Answered\n\n| File | Kernel | How | Time (ms) | Assumptions |\n|---|---|---|---|---|\n";
  for (const Answer& answer : survey.answers) {
    if (is_refused(answer))
      continue;
    std::string times;
    for (const auto& [gpu, time] : answer.time_ms)
      times += fmt::format("{}{} {:.4g}", times.empty() ? "" : ", ", gpu, time);
    text += fmt::format("| {} | `{}` | {} | {} | {} |\n", answer.name, one_line(answer.kernel, 60, answer),
                        answer.outcome == Outcome::answered ? "one command" : "template", times,
                        answer.assumptions);
  }
  return text;
}

std::string as_json(const Survey& survey, const Options& options) {
  nlohmann::ordered_json json = {{"files", survey.files},
                                 {"files_without_kernels", survey.files_without_kernels},
                                 {"seed", options.seed},
                                 {"draw", options.draw}};
  json["kernels"] = nlohmann::ordered_json::array();
  for (const Answer& answer : survey.answers)
    json["kernels"].push_back({{"file", answer.name},
                               {"kernel", answer.kernel},
                               {"outcome", to_string(answer.outcome)},
                               {"time_ms", answer.time_ms},
                               {"limiter", answer.limiter},
                               {"assumptions", answer.assumptions},
                               {"below_peak", answer.below_peak},
                               {"seconds", answer.seconds},
                               {"why", answer.why},
                               {"where", answer.where},
                               {"remedy", answer.remedy}});
  return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

} // namespace

std::string line_of(const Answer& answer) {
  std::string text = fmt::format("{} {}: {}", answer.file, answer.kernel, to_string(answer.outcome));
  for (const auto& [gpu, time] : answer.time_ms)
    text += fmt::format("  {} {:.4g} ms", gpu, time);
  return is_refused(answer) ? text + "  " + one_line(answer.why, 160, answer) : text;
}

std::string written(const Survey& survey, const Options& options, const std::string& format) {
  return format == "json"       ? as_json(survey, options)
         : format == "markdown" ? as_markdown(survey, options)
                                : as_text(survey, options);
}

} // namespace forewarp::cli::survey
