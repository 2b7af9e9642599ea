// forewarp train: a predictor of one's own from one's own measurements, or how good it would be.
#include "learn/train.h"
#include "cli/commands/commands.h"
#include "cli/commands/learn/evaluation_json.h"
#include "cli/commands/learn/learn_rows.h"
#include "cli/output.h"
#include "gpu/machine.h"
#include "learn/model/choose_terms.h"
#include "port/methods/bound_rates.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

namespace forewarp::cli {
namespace {

struct TrainCommandOptions {
  RowWords rows;
  std::string output, response = "log_rate";
  std::vector<double> cutoffs = {3};
  std::vector<std::string> only;
  unsigned levels = 2, models = 100, trees = 1000, split_features = 3;
  double inclusion = 0.6, interaction_gain = 0.0095, feature_gain = 0;
  std::string most_terms = "0";
  std::uint64_t seed = 1;
  bool force = false, evaluate = false;
};

Result<std::size_t> terms_of(const std::string& text) {
  if (text == "auto")
    return learn::terms_by_validation;
  std::size_t terms = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), terms);
  if (problem != std::errc{} || end != text.data() + text.size())
    return fail(ErrorCode::usage, "no number of terms: '" + text + "'", "--most-terms",
                "a number, 0 for no limit, or auto: chosen on the training rows");
  return terms;
}

Result<learn::TrainOptions> make_options(const TrainCommandOptions& words) {
  learn::TrainOptions options;
  bool known = words.response == "bound";
  for (const learn::Response response :
       {learn::Response::time, learn::Response::rate, learn::Response::log_rate})
    if (words.response == to_string(response)) {
      options.dynamic.response = response;
      known = true;
    }
  if (!known)
    return fail(ErrorCode::usage, "no response '" + words.response + "'", "--response",
                "time, rate (both X's), log_rate or bound");
  options.dynamic.bagging.models = words.models;
  const auto most_terms = terms_of(words.most_terms);
  FOREWARP_TRY(most_terms);
  options.dynamic.bagging.stepwise = {words.interaction_gain, words.feature_gain, *most_terms};
  options.dynamic.inclusion = words.inclusion;
  options.dynamic.only = words.only;
  options.statics.cutoffs = words.cutoffs;
  options.statics.levels = words.levels;
  options.statics.grow.trees = words.trees;
  options.statics.grow.features_per_split = words.split_features;
  options.seed = words.seed;
  options.force = words.force;
  FOREWARP_TRY(learn::check_static_options(options.statics));
  return options;
}

Result<void> evaluate(const TrainCommandOptions& words, const learn::TrainingTable& table,
                      const learn::TrainOptions& options) {
  const auto text = evaluation_json(table, options);
  FOREWARP_TRY(text);
  return write_output(*text, words.output);
}

std::string summary(const learn::ModelFile& model, const std::string& output) {
  const learn::Validation& validation = model.validation;
  const bool dynamic = std::string(model.kind()) == "dynamic";
  std::string text = fmt::format("{}: {} model for {}, trained on {}\n", output, model.kind(), model.gpu,
                                 model.trained_on());
  text +=
      dynamic
          ? fmt::format("mean error of the speed-up {:.1f} %, of the mean {:.1f} %", 100 * validation.score,
                        100 * validation.baseline)
          : fmt::format("{:.1f} % in the right range, balanced {:.1f} %, always the most frequent {:.1f} %",
                        100 * validation.score, 100 * validation.balanced, 100 * validation.baseline);
  text += fmt::format(" ({}; {} rows)\n", validation.protocol, validation.rows);
  if (model.forced)
    text += "forced: worse than the simplest answer; every use of it will say so\n";
  return text;
}

/// The multiplier, and the table's further columns.
Result<void> set_bound(const TrainCommandOptions& words, learn::TrainOptions& options,
                       learn::TrainingTable& table) {
  const auto catalogue = gpu::Catalogue::open_default();
  FOREWARP_TRY(catalogue);
  const auto choice = catalogue->find(words.rows.gpu);
  FOREWARP_TRY(choice);
  const auto machine = gpu::resolve(choice->file);
  FOREWARP_TRY(machine);
  options.dynamic.multiplier = learn::bound_column;
  options.dynamic.rates = port::bound_rates(*machine);
  auto with_bound = learn::with_bound(std::move(table), options.dynamic.rates);
  FOREWARP_TRY(with_bound);
  table = *std::move(with_bound);
  return {};
}

Result<void> train(const TrainCommandOptions& given) {
  TrainCommandOptions words = given;
  auto options = make_options(words);
  FOREWARP_TRY(options);
  const bool bound = words.response == "bound";
  if (bound && words.rows.gpu.empty())
    return fail(ErrorCode::usage, "no GPU was named", "--gpu", "the bound is of one GPU");
  if (bound)
    words.rows.may_lack = {"warp_"};
  auto table = read_training_rows(words.rows);
  FOREWARP_TRY(table);
  if (bound)
    FOREWARP_TRY(set_bound(words, *options, *table));
  if (!table->left_out.empty())
    print_warning(fmt::format("left out, they lack a feature: {}", fmt::join(table->left_out, ", ")));
  if (words.evaluate)
    return evaluate(words, *table, *options);
  if (words.output.empty())
    return fail(ErrorCode::usage, "no file for the model", "--output", "-o my-gpu.json");
  if (words.rows.gpu.empty())
    return fail(ErrorCode::usage, "no GPU was named", "--gpu", "the GPU whose times the rows hold");
  const auto model = learn::train(*table, *options);
  FOREWARP_TRY(model);
  if (!model->constant_features.empty())
    print_warning(
        fmt::format("the same in all rows, and of no use: {}", fmt::join(model->constant_features, ", ")));
  FOREWARP_TRY(write_output(learn::model_text(*model), words.output));
  return write_output(summary(*model, words.output));
}

void add_learner_options(CLI::App& app, TrainCommandOptions& words) {
  app.add_option("--cutoffs", words.cutoffs,
                 "static: where the ranges of the speed-up end, ascending; default 3")
      ->delimiter(',');
  app.add_option("--levels", words.levels, "static: levels of a feature, 2 or 3");
  app.add_option("--trees", words.trees, "static: trees of the forest")->check(CLI::Range(1U, 100000U));
  app.add_option("--split-features", words.split_features, "static: features drawn at each node")
      ->check(CLI::Range(1U, 26U));
  app.add_option("--response", words.response,
                 "dynamic: what is fitted: log_rate (default), the dissertation's rate or time, or bound: "
                 "what a physical bound of the GPU leaves");
  app.add_option("--only", words.only,
                 "dynamic: learn from features whose names begin so alone: bound_,phys_carried")
      ->delimiter(',');
  app.add_option("--models", words.models, "dynamic: regressions")->check(CLI::Range(1U, 10000U));
  app.add_option("--inclusion", words.inclusion,
                 "dynamic: share of the regressions around the median that count")
      ->check(CLI::Range(0.0, 1.0));
  app.add_option("--interaction-gain", words.interaction_gain, "dynamic: theta_1, gain of adjusted R^2");
  app.add_option("--feature-gain", words.feature_gain, "dynamic: theta_2, gain of adjusted R^2");
  app.add_option(
      "--most-terms", words.most_terms,
      "dynamic: terms of a regression at most; 0: no limit; auto: chosen on the training rows alone");
  app.add_option("--seed", words.seed, "of everything that is drawn");
}

} // namespace

void add_train(CLI::App& root, Actions& actions) {
  const auto words = std::make_shared<TrainCommandOptions>();
  CLI::App* app =
      root.add_subcommand("train", "A predictor of speed-ups from measured rows (docs/guide/learn.md)");
  app->allow_extras();
  app->footer("Example:\n  forewarp train rows.csv --gpu v100 --method dynamic -o v100.json");
  app->add_option("DATA", words->rows.data, "CSV of training rows, plain or gzip-compressed")->required();
  app->add_option("-g,--gpu", words->rows.gpu, "GPU whose times are learned");
  app->add_option(
      "--method", words->rows.method,
      "dynamic, static, counted (static features with counted frequencies), or workload: rows of which "
      "extractor");
  app->add_option("--times", words->rows.times,
                  "Table of times beside DATA: region, provenance, and a column for each GPU");
  app->add_option("--cpu", words->rows.cpu, "CPU over which speed-ups are, where the rows have several");
  app->add_option("--provenance", words->rows.provenance, "Only rows that are measured, or predicted");
  app->add_option("--without", words->rows.without, "Leave out features whose names begin so: warp_,alt_")
      ->delimiter(',');
  app->add_flag("--complete-only", words->rows.complete_only,
                "Leave out rows that lack a feature, in place of an error");
  app->add_option("-o,--output", words->output, "File for the model, or for the evaluation");
  app->add_flag("--force", words->force, "Write a model that is worse than the mean too, marked");
  app->add_flag("--evaluate", words->evaluate,
                "The dissertation's evaluation on these rows as JSON; no model");
  add_learner_options(*app, *words);
  actions.push_back({app, [words] { return train(*words); }});
}

} // namespace forewarp::cli
