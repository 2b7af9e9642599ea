#include "engine/open_arguments/open_launch.h"

#include "engine/stages.h"
#include "engine/translate.h"
#include "launch/write_launch_file.h"

#include <fmt/format.h>

#include <algorithm>

namespace forewarp::engine {
namespace {

constexpr std::size_t most_guesses = 4;

using Predictions = std::vector<facts::Prediction>;
using Predict = std::function<Result<Predictions>(const PredictRequest&)>;

/// The request with one guessed number given, all else as open as it was; every guessed number is then given.
PredictRequest with_number(const PredictRequest& request, const CompletedLaunch& completed, std::size_t which,
                           std::uint64_t value) {
  PredictRequest other = request;
  for (std::size_t k = 0; k < completed.guessed.size(); ++k)
    other.launch.arguments[completed.guessed[k].name] = facts::ScalarValue{repeated(
        std::to_string(k == which ? value : completed.guessed[k].value), completed.guessed[k].components)};
  return other;
}

std::string change(const Result<Predictions>& other, std::size_t gpu, double time_ms) {
  if (!other)
    return "cannot be predicted";
  return fmt::format("x{:.2f}", (*other)[gpu].time_ms / time_ms);
}

/// With a size, where it is a buffer.
bool is_given(const facts::Launch& launch, const std::string& name) {
  const auto found = launch.arguments.find(name);
  if (found == launch.arguments.end())
    return false;
  const auto* buffer = std::get_if<facts::BufferValue>(&found->second);
  return buffer == nullptr || buffer->count > 0;
}

/// As one word of a shell.
std::string shell_word(std::string text) {
  if (text.find_first_of(" ()<>*?&;|$\"\\'`{}#!~\t\n") == std::string::npos)
    return text;
  for (std::size_t at = text.find('\''); at != std::string::npos; at = text.find('\'', at + 4))
    text.replace(at, 1, "'\\''");
  return "'" + text + "'";
}

} // namespace

Result<std::optional<OpenLaunch>> complete_open(const PredictRequest& request, Planner& planner,
                                                std::vector<Target>& targets) {
  if (targets.empty() || !has_open_arguments(*targets.front().compiled->kernel, request.launch))
    return std::optional<OpenLaunch>();
  const Target& first = targets.front();
  simt::RunOptions options = run_options(request.run);
  options.first_wave_groups = first_wave(targets, first.compiled.get());
  options.whole_grid = false; // it would hand back the buffers without an end
  auto completed = complete_launch(first.compiled->module, *first.compiled->kernel, request.launch,
                                   first.shape, first.program->sites, options, 0, request.run.open_number);
  FOREWARP_TRY(completed);
  OpenLaunch open{request, *std::move(completed)};
  open.request.launch = open.completed.launch;
  auto planned = planner.plan(open.request);
  FOREWARP_TRY(planned);
  targets = *std::move(planned);
  return std::optional<OpenLaunch>(std::move(open));
}

Error with_found_arguments(Error error, const PredictRequest& request, Planner& planner) {
  if (error.code != ErrorCode::launch || !error.message.starts_with("no value for "))
    return error;
  auto targets = planner.plan(request);
  const auto open = targets ? complete_open(request, planner, *targets)
                            : Result<std::optional<OpenLaunch>>(tl::unexpected(targets.error()));
  if (!open || !*open)
    return error;
  std::string hint;
  for (const auto& [name, value] : (*open)->request.launch.arguments)
    if (!is_given(request.launch, name))
      hint += " --arg " + shell_word(name + "=" + launch::argument_text(value));
  if (!hint.empty())
    error.hint = "for example:" + hint;
  return error;
}

Result<void> tell_guesses(const PredictRequest& request, const CompletedLaunch& completed,
                          const Predict& predict, Predictions& predictions) {
  for (facts::Prediction& prediction : predictions)
    prediction.notes.insert(prediction.notes.end(), completed.notes.begin(), completed.notes.end());
  for (std::size_t k = 0; k < std::min(completed.guessed.size(), most_guesses); ++k) {
    const GuessedScalar& guess = completed.guessed[k];
    const auto half = predict(with_number(request, completed, k, guess.value / 2));
    const auto twice = predict(with_number(request, completed, k, guess.value * 2));
    for (std::size_t gpu = 0; gpu < predictions.size(); ++gpu) {
      facts::Prediction& prediction = predictions[gpu];
      prediction.notes.push_back(
          {facts::Note::Severity::info,
           fmt::format("the guess of '{}' matters as follows: with {} the time is {}, with {} it is {}",
                       guess.name, guess.value / 2, change(half, gpu, prediction.time_ms), guess.value * 2,
                       change(twice, gpu, prediction.time_ms))});
    }
  }
  return {};
}

} // namespace forewarp::engine
