#include "port/methods/explain.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace forewarp::port {
namespace {

constexpr std::size_t shown_pushes = 3;
/// Point predictions that differ by less agree: the methods' own errors are of that size.
constexpr double apart = 2;

std::string factor_text(double factor) {
  return factor < 10 ? fmt::format("{:.2f}x", factor) : fmt::format("{:.3g}x", factor);
}

std::string level_text(const learn::LevelledFeature& feature, const learn::TreeStep& step) {
  return fmt::format("{} {} {:.4g}", feature.name, step.at_most ? "at most" : "above",
                     feature.cuts[static_cast<std::size_t>(step.most)]);
}

/// What stands for a range: its middle; of the highest, its lower end (section 6.3.2).
double middle_of(double lowest, double highest) {
  return highest > 0 ? 0.5 * (lowest + highest) : lowest;
}

struct Change {
  const char* feature;
  bool up;
  const char* advice;
};

/// What a programmer can do about a static feature.
constexpr Change changes[] = {
    {"coalesced", true, "let neighbouring iterations of the parallel loop touch neighbouring elements"},
    {"arith_intensity", true,
     "more arithmetic for each access to global memory: stage what is used again in shared memory"},
    {"parallelism", true, "hand more loops, or a larger problem, to threads"},
    {"diverging", false, "take out of the loop what neighbouring iterations decide differently"},
    {"ctrl_intensity", false, "fewer branches in the loop's body"},
};

bool fits(const MethodAnswer& range, const MethodAnswer& point) {
  return point.speedup >= range.lowest && (range.highest == 0 || point.speedup <= range.highest);
}

std::string because(const MethodAnswer& answer) {
  return answer.why.empty() ? "" : fmt::format(" ({})", answer.why.front());
}

} // namespace

MethodAnswer dynamic_answer(const learn::DynamicPrediction& prediction, double cpu_ms) {
  MethodAnswer answer;
  answer.method = Method::dynamic;
  answer.gpu_ms = prediction.gpu_ms;
  if (cpu_ms > 0) {
    answer.speedup = cpu_ms / prediction.gpu_ms;
    answer.lowest = answer.highest = answer.speedup;
    answer.says = factor_text(answer.speedup);
  } else {
    answer.says = fmt::format("{:.4g} ms", prediction.gpu_ms);
  }
  std::vector<std::string> pushed;
  for (std::size_t i = 0; i < std::min(shown_pushes, prediction.pushes.size()); ++i)
    pushed.push_back(
        fmt::format("{} {:.4g} makes it {} {}", prediction.pushes[i].feature, prediction.pushes[i].value,
                    factor_text(std::max(prediction.pushes[i].factor, 1 / prediction.pushes[i].factor)),
                    prediction.pushes[i].factor > 1 ? "slower" : "faster"));
  if (!pushed.empty())
    answer.why.push_back(fmt::format("beside the mean of the training rows, {}", fmt::join(pushed, ", ")));
  if (prediction.held)
    answer.why.emplace_back(
        "held at the training rows' range of time per instruction: the regressions go beyond it");
  if (!prediction.outside.empty())
    answer.why.push_back(
        fmt::format("beyond what training has seen: {}", fmt::join(prediction.outside, ", ")));
  return answer;
}

MethodAnswer static_answer(const learn::StaticModel& model, const learn::StaticPrediction& prediction) {
  MethodAnswer answer;
  answer.method = Method::text;
  const auto range = static_cast<std::size_t>(prediction.range);
  answer.lowest = range == 0 ? 0 : model.cutoffs[range - 1];
  answer.highest = range == model.cutoffs.size() ? 0 : model.cutoffs[range];
  answer.speedup = middle_of(answer.lowest, answer.highest);
  answer.says = learn::interval_text(prediction.range, model.cutoffs);
  std::vector<std::string> path;
  for (const learn::TreeStep& step : prediction.path)
    path.push_back(level_text(model.features[static_cast<std::size_t>(step.feature)], step));
  const unsigned trees = static_cast<unsigned>(model.forest.size());
  std::string why = fmt::format("{} of {} trees", prediction.votes[range], trees);
  if (!path.empty())
    why += fmt::format("; {}{}", fmt::join(path, ", "),
                       prediction.path_range == prediction.range
                           ? ""
                           : fmt::format(" (the tree that stands for the forest says {})",
                                         learn::interval_text(prediction.path_range, model.cutoffs)));
  answer.why.push_back(std::move(why));
  if (prediction.agreement < 1)
    answer.why.push_back(
        fmt::format("holds for {:.0f} % of the trip counts and branch ratios that the text leaves open",
                    100 * prediction.agreement));
  return answer;
}

std::vector<std::string> optimisation_hints(const learn::StaticModel& model,
                                            const learn::StaticPrediction& prediction) {
  std::vector<std::string> hints;
  const int now = learn::winner(learn::votes_of(model.forest, prediction.levels, model.classes()));
  for (const Change& change : changes)
    for (std::size_t i = 0; i < model.features.size(); ++i) {
      const int highest = static_cast<int>(model.features[i].cuts.size());
      const int wanted = prediction.levels[i] + (change.up ? 1 : -1);
      if (model.features[i].name != change.feature || wanted < 0 || wanted > highest)
        continue;
      std::vector<int> levels = prediction.levels;
      levels[i] = wanted;
      const int then = learn::winner(learn::votes_of(model.forest, levels, model.classes()));
      if (then > now)
        hints.push_back(fmt::format(
            "{} {} {:.4g} would make it {}: {}", change.feature, change.up ? "above" : "at most",
            model.features[i].cuts[static_cast<std::size_t>(std::min(wanted, prediction.levels[i]))],
            learn::interval_text(then, model.cutoffs), change.advice));
    }
  return hints;
}

std::vector<std::string> disagreements(const std::vector<MethodAnswer>& answers) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < answers.size(); ++i)
    for (std::size_t j = i + 1; j < answers.size(); ++j) {
      const MethodAnswer &one = answers[i], &other = answers[j];
      if (!one.problem.empty() || !other.problem.empty() || one.speedup <= 0 || other.speedup <= 0)
        continue;
      const bool agree = other.method == Method::text ? fits(other, one)
                                                      : std::max(one.speedup, other.speedup) <=
                                                            apart * std::min(one.speedup, other.speedup);
      if (!agree)
        found.push_back(fmt::format("{} says {}{}, {} says {}{}", to_string(one.method), one.says,
                                    because(one), to_string(other.method), other.says, because(other)));
    }
  return found;
}

std::string describe(const NamedModel& model) {
  const learn::ModelFile& file = model.file;
  const bool dynamic = std::string(file.kind()) == "dynamic";
  std::string text = fmt::format("{} model of {}, trained on {}", file.kind(), file.gpu, file.trained_on());
  if (!file.cpu.empty())
    text += fmt::format(", CPU {}", file.cpu);
  text += dynamic ? fmt::format("; its cross-validation: mean error {:.1f} %, {:.1f} % of the mean",
                                100 * file.validation.score, 100 * file.validation.baseline)
                  : fmt::format("; its cross-validation: {:.1f} % right, balanced {:.1f} %, {:.1f} % by the "
                                "most frequent range",
                                100 * file.validation.score, 100 * file.validation.balanced,
                                100 * file.validation.baseline);
  if (file.forced)
    text += "; FORCED: worse than the simplest answer";
  return text;
}

} // namespace forewarp::port
