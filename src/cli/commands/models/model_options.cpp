#include "cli/commands/models/model_options.h"

#include "cli/output.h"
#include "predict/facts_file/facts_io.h"
#include "support/suggest.h"
#include "support/text_file.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace forewarp::cli {
namespace {

constexpr std::uint64_t most_bytes = 256'000'000; // of a facts file

/// GPU, value set and clock without a kernel.
Result<engine::PredictRequest> request_without_source(ModelWords words, const std::string& gpu_of_facts) {
  words.predict.source = "facts"; // never read
  if (words.predict.gpus.empty() && !gpu_of_facts.empty())
    words.predict.gpus = {gpu_of_facts};
  auto request = make_request(words.predict);
  FOREWARP_TRY(request);
  auto gpus = choose_gpus(words.predict.gpus);
  FOREWARP_TRY(gpus);
  request->gpus = *std::move(gpus);
  return request;
}

Result<std::vector<engine::ModelInput>> from_facts(const ModelWords& words) {
  const auto text = read_text_file(words.facts, "facts file", most_bytes);
  FOREWARP_TRY(text);
  const auto facts = models::facts_from_json(*text, words.facts);
  FOREWARP_TRY(facts);
  const auto request = request_without_source(words, facts->gpu);
  FOREWARP_TRY(request);
  std::vector<engine::ModelInput> inputs;
  for (const gpu::GpuChoice& choice : request->gpus) {
    auto input = engine::model_input(*facts, choice, *request);
    FOREWARP_TRY(input);
    inputs.push_back(*std::move(input));
  }
  return inputs;
}

Result<std::vector<engine::ModelInput>> from_synthetic(const ModelWords& words) {
  const auto request = request_without_source(words, "");
  FOREWARP_TRY(request);
  std::vector<engine::ModelInput> inputs;
  for (const gpu::GpuChoice& choice : request->gpus) {
    auto input = engine::synthetic_input(words.synthetic, choice, *request);
    FOREWARP_TRY(input);
    inputs.push_back(*std::move(input));
  }
  return inputs;
}

Result<std::vector<engine::ModelInput>> from_source(const ModelWords& words) {
  auto request = make_request(words.predict);
  FOREWARP_TRY(request);
  auto gpus = choose_gpus(words.predict.gpus);
  FOREWARP_TRY(gpus);
  request->gpus = *std::move(gpus);
  Progress progress;
  request->progress = [&progress](const std::string& what) { progress.say(what); };
  return engine::model_inputs(*request);
}

} // namespace

void add_model_options(CLI::App& app, ModelWords& words) {
  add_predict_options(app, words.predict);
  const char* group = "Facts";
  app.add_option("--facts", words.facts, "Facts file (.json) instead of a source: no compiler is used")
      ->group(group);
  app.add_option("--facts-out", words.facts_out, "File for the facts that the models were given; one GPU")
      ->group(group);
  app.add_option("--synthetic", words.synthetic,
                 "instruction-mix:BETA[:one|two|limited], iterative-barrier[:REPEATS] or "
                 "memory-parallelism[:LOADS] instead of a source")
      ->group(group);
  app.add_option("--scheduler", words.scheduler,
                 "Of the Pipeline simulator: round_robin, greedy_then_oldest, oldest_first, two_level")
      ->group(group);
}

Result<std::vector<engine::ModelInput>> gather_inputs(const ModelWords& words) {
  if (!words.facts.empty() && !words.synthetic.empty())
    return fail(ErrorCode::usage, "--facts and --synthetic are both given", "", "keep one");
  auto inputs = !words.facts.empty()       ? from_facts(words)
                : !words.synthetic.empty() ? from_synthetic(words)
                                           : from_source(words);
  FOREWARP_TRY(inputs);
  if (!words.facts_out.empty()) {
    if (inputs->size() != 1)
      return fail(ErrorCode::usage, fmt::format("facts of {} GPUs do not fit into one file", inputs->size()),
                  "--facts-out", "name one GPU");
    FOREWARP_TRY(write_output(models::facts_to_json(inputs->front().facts), words.facts_out));
  }
  return inputs;
}

Result<void> check_format(const std::string& format, const std::vector<std::string>& choices) {
  if (std::find(choices.begin(), choices.end(), format) != choices.end())
    return {};
  return fail(ErrorCode::usage, fmt::format("unknown format '{}'", format), "--format",
              fmt::format("one of {}", fmt::join(choices, ", ")));
}

} // namespace forewarp::cli
