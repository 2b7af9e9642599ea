// forewarp validate: suites of measured kernels against predictions.
#include "cli/commands/commands.h"
#include "cli/output.h"
#include "gpu/gpu_file.h"
#include "validate/page.h"
#include "validate/write.h"

#include <CLI/CLI.hpp>
#include <fmt/ranges.h>
#include <memory>
#include <set>

namespace forewarp::cli {
namespace {

struct ValidateOptions {
  std::vector<std::string> suites;
  validate::RunOptions run;
  std::string format = "text", output, code = "imitated";
  bool timing = false;
};

/// --gpu named boards that none of the suites measured.
tl::unexpected<Error> no_such_rows(const std::set<std::string>& measured) {
  return fail(ErrorCode::usage, "none of the suites measured the GPUs that were named", "--gpu",
              fmt::format("measured were: {}", fmt::join(measured, ", ")));
}

Result<void> validate_suites(const ValidateOptions& words) {
  if (words.format == "svg" && words.suites.size() > 1)
    return fail(ErrorCode::usage, "svg shows one suite", "--format", "name one suite, or write html");
  const auto catalogue = gpu::Catalogue::load_default();
  FOREWARP_TRY(catalogue);
  Progress progress;
  validate::RunOptions options = words.run;
  options.code = *engine::code_from_string(words.code); // CLI11 has checked the word
  const auto folder = gpu::default_gpu_folder();
  FOREWARP_TRY(folder);
  options.gpu_directory = folder->string();
  auto rules = validate::read_rules(validate::rules_path(options.gpu_directory));
  FOREWARP_TRY(rules);
  options.rules = std::move(*rules);
  options.progress = [&](const std::string& what) { progress.say(what); };
  std::string text;
  std::vector<validate::SuiteResult> pages;
  nlohmann::json json = nlohmann::json::array();
  std::set<std::string> measured;
  std::size_t rows = 0;
  for (const std::string& path : words.suites) {
    const auto suite = validate::read_suite(path);
    FOREWARP_TRY(suite);
    auto result = validate::run_suite(*suite, *catalogue, options);
    FOREWARP_TRY(result);
    for (const auto& [key, gpu] : suite->gpus)
      measured.insert(gpu.name);
    rows += result->rows.size() + result->left_out.size();
    if (words.timing)
      print_note(validate::to_timing_text(*result, &path == &words.suites.front()));
    const validate::SuiteSummary summary = validate::summarize(*result);
    if (words.format == "csv")
      text += validate::to_csv(*result, text.empty());
    else if (words.format == "html")
      pages.push_back(std::move(*result));
    else if (words.format == "svg")
      text += validate::scatter_svg(*result);
    else if (words.format == "json")
      json.push_back(validate::to_json(*result, summary));
    else
      text += (text.empty() ? "" : "\n") + validate::to_text(*result, summary);
  }
  if (rows == 0 && !words.run.gpus.empty())
    return no_such_rows(measured);
  if (words.format == "html")
    text = validate::to_html(pages);
  return write_output(words.format == "json" ? json.dump(2) + "\n" : text, words.output);
}

} // namespace

void add_validate(CLI::App& root, Actions& actions) {
  const auto words = std::make_shared<ValidateOptions>();
  CLI::App* app = root.add_subcommand(
      "validate", "hold predictions against measured kernels (docs/develop/validation.md)");
  app->add_option("SUITE", words->suites, "suite files, e.g. validation/suites/*.toml")->required();
  app->add_option("--sources", words->run.sources_directory, "directory with the suites' source repositories")
      ->required();
  app->add_option("--data", words->run.data_directory, "directory with the measured data")->required();
  app->add_option("--gpu", words->run.gpus, "only these GPUs")->delimiter(',');
  app->add_option("--sample", words->run.sample, "rows per kernel and GPU; 0: all");
  app->add_option("--seed", words->run.seed, "of the sample");
  app->add_option("--code", words->code,
                  "machine code: imitated, sass (the vendor's compiler, found on PATH), or auto")
      ->check(CLI::IsMember({"imitated", "sass", "auto"}));
  app->add_flag("--ignore-control-words", words->run.ignore_control_words,
                "time machine code by its registers' dependences, as imitated code is");
  app->add_option("--jobs", words->run.jobs, "threads; 0 or left out: one a core");
  app->add_flag("--timing", words->timing, "processor seconds of each suite, by stage, on standard error");
  app->add_option("--format", words->format, "text, json, csv, html (plots) or svg (scatter of one suite)")
      ->check(CLI::IsMember({"text", "json", "csv", "html", "svg"}));
  app->add_option("--output", words->output, "file to write instead of standard output");
  actions.push_back({app, [words] { return validate_suites(*words); }});
}

} // namespace forewarp::cli
