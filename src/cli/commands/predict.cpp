// forewarp predict: one kernel, one launch, one or more GPUs.
#include "cli/commands/commands.h"
#include "cli/commands/predict_options.h"
#include "cli/output.h"
#include "engine/host_launch/first_answer.h"
#include "report/report.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>

namespace forewarp::cli {
namespace {

std::string kernel_lines(const engine::KernelDescription& kernel) {
  std::string text = kernel.name + "\n";
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const auto& [name, type_name, space, is_pointer, scalar] = kernel.parameters[i];
    text += fmt::format("  {}  {}: {}{}\n", i, name.empty() ? "-" : name, space.empty() ? "" : space + " ",
                        type_name);
  }
  if (const auto size = kernel.required_group_size)
    text += fmt::format("  work-group size must be {}x{}x{}\n", size->x, size->y, size->z);
  return text;
}

Result<void> list_kernels(engine::PredictRequest request, const PredictWords& words) {
  if (!words.gpus.empty()) {
    auto gpus = choose_gpus(words.gpus);
    FOREWARP_TRY(gpus);
    request.gpus = *std::move(gpus);
  }
  const auto kernels = engine::kernels_of_project(request);
  FOREWARP_TRY(kernels);
  std::string text;
  for (const engine::KernelDescription& kernel : *kernels)
    text += kernel_lines(kernel);
  return write_output(text, words.output);
}

/// An answer that is not valid was printed with its reasons; the exit code says so too.
Result<void> all_valid(const report::Predictions& predictions) {
  for (const facts::Prediction& prediction : predictions) {
    if (prediction.valid)
      continue;
    for (const facts::Note& note : prediction.notes)
      if (note.severity == facts::Note::Severity::invalid)
        return fail(ErrorCode::unsupported, "the prediction is not valid: " + note.text, prediction.gpu,
                    note.remedy);
    return fail(ErrorCode::unsupported, "the prediction is not valid", prediction.gpu);
  }
  return {};
}

Result<void> predict(const PredictWords& words) {
  const auto report = report::find_report(words.format);
  FOREWARP_TRY(report);
  auto request = make_request(words);
  FOREWARP_TRY(request);
  if (words.list_kernels)
    return list_kernels(*std::move(request), words);
  const auto host = make_host_source(words);
  FOREWARP_TRY(host);
  auto gpus = choose_gpus(words.gpus);
  FOREWARP_TRY(gpus);
  request->gpus = *std::move(gpus);
  report::Predictions predictions;
  {
    Progress progress;
    request->progress = [&progress](const std::string& what) { progress.say(what); };
    auto answer = engine::first_answer(*request, *host);
    FOREWARP_TRY(answer);
    predictions = *std::move(answer);
  }
  FOREWARP_TRY(write_output((*report)->write(predictions), words.output));
  return all_valid(predictions);
}

} // namespace

void add_predict(CLI::App& root, Actions& actions) {
  const auto words = std::make_shared<PredictWords>();
  CLI::App* app =
      root.add_subcommand("predict", "Predicts the time of one kernel launch on one or more GPUs");
  app->allow_extras();
  app->footer(
      "Example:\n  forewarp predict matmul_tiled.cl --gpu v100,h200 --global 1024,1024 --local 16,16 \\\n"
      "    --arg a=buffer:f32[1048576] --arg b=buffer:f32[1048576] --arg c=buffer:f32[1048576] --arg n=1024");
  add_predict_options(*app, *words);
  actions.push_back({app, [words] { return predict(*words); }});
}

} // namespace forewarp::cli
