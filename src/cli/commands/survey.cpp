// forewarp survey: which kernels of a folder get a first answer, and why the others do not.
#include "cli/survey/survey.h"
#include "cli/commands/commands.h"
#include "cli/commands/predict_options.h"
#include "cli/output.h"

#include <CLI/CLI.hpp>
#include <memory>

namespace forewarp::cli {
namespace {

struct Words {
  std::string format = "text", output;
  std::vector<std::string> folders, gpus;
  std::uint64_t draw = 0, seed = 1;
  double seconds = 60;
};

Result<void> run_survey(const Words& words) {
  survey::Options options;
  options.folders = words.folders;
  auto gpus = choose_gpus(words.gpus);
  FOREWARP_TRY(gpus);
  options.gpus = *std::move(gpus);
  options.cache_folder = engine::default_cache_folder();
  options.draw = words.draw;
  options.seed = words.seed;
  options.seconds = words.seconds;
  std::string text;
  {
    Progress progress;
    options.progress = [&progress](const std::string& what) { progress.say(what); };
    options.answered = [](const survey::Answer& answer) { print_note(survey::line_of(answer) + "\n"); };
    const auto found = survey::survey(options);
    FOREWARP_TRY(found);
    text = survey::written(*found, options, words.format);
  }
  return write_output(text, words.output);
}

} // namespace

void add_survey(CLI::App& root, Actions& actions) {
  const auto words = std::make_shared<Words>();
  CLI::App* app = root.add_subcommand(
      "survey", "Asks every kernel below the folders for a first answer, and says why some have none");
  app->allow_extras();
  app->footer("Example:\n  forewarp survey my-kernels --gpu h100,v100 --format markdown -o survey.md");
  app->add_option("FOLDER", words->folders, "Folders of kernel files")->required();
  app->add_option("-g,--gpu", words->gpus, "GPUs, with commas or repeated")
      ->allow_extra_args(false)
      ->delimiter(',');
  app->add_option("--draw", words->draw, "Draw this many kernels, one a file, instead of taking all");
  app->add_option("--seed", words->seed, "Seed of the draw (default 1)");
  app->add_option("--seconds", words->seconds, "Processor time for each kernel (default 60)")
      ->check(CLI::PositiveNumber);
  app->add_option("--format", words->format, "text (default), json or markdown")
      ->check(CLI::IsMember({"text", "json", "markdown"}));
  app->add_option("-o,--output", words->output, "File for the answer instead of standard output");
  actions.push_back({app, [words] { return run_survey(*words); }});
}

} // namespace forewarp::cli
