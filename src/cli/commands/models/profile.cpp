// forewarp profile: what the pipelines of one SM do over time, by the Pipeline simulator.
#include "cli/commands/commands.h"
#include "cli/commands/models/model_options.h"
#include "cli/output.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace forewarp::cli {
namespace {

Result<void> profile(const ModelWords& words) {
  FOREWARP_TRY(check_format(words.predict.format, {"text", "perfetto", "svg"}));
  if (words.predict.gpus.size() > 1)
    return fail(ErrorCode::usage, "a profile is of one GPU", "--gpu", "name one");
  const auto inputs = gather_inputs(words);
  FOREWARP_TRY(inputs);
  const auto text = engine::execution_profile(inputs->front(), words.predict.format, words.scheduler);
  FOREWARP_TRY(text);
  return write_output(*text, words.predict.output);
}

} // namespace

void add_profile(CLI::App& root, Actions& actions) {
  const auto words = std::make_shared<ModelWords>();
  CLI::App* app =
      root.add_subcommand("profile", "Execution profile of one SM: pipelines, warps and stalls over time");
  app->allow_extras();
  app->footer(
      "--format is text, perfetto (trace JSON for ui.perfetto.dev; a microsecond is a cycle) or svg.\n"
      "Example:\n  forewarp profile --launch corpus/reduction/default.toml --gpu k620 --format perfetto "
      "--output trace.json");
  add_model_options(*app, *words);
  actions.push_back({app, [words] { return profile(*words); }});
}

} // namespace forewarp::cli
