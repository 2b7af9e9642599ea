#include "learn/train.h"

#include <fmt/format.h>

namespace forewarp::learn {
namespace {

constexpr std::size_t most_families = 64, groups = 10;

std::string protocol(const TrainingTable& table, std::size_t splits) {
  const bool measured = table.rows[judged_rows(table).front()].provenance == Provenance::measured;
  return fmt::format("{} groups of whole families left out in turn, judged on {} rows", splits,
                     measured ? "measured" : "predicted");
}

Result<Validation> validate_dynamic(const TrainingTable& table, const DynamicOptions& options,
                                    std::uint64_t seed) {
  const auto splits = leave_families_out(table, most_families, groups, seed);
  const auto tested = test_dynamic(table, splits, options);
  FOREWARP_TRY(tested);
  const TimeScore score = score_times(*tested);
  return Validation{protocol(table, splits.size()), score.rows, score.mean_error,
                    score.baseline_error,           0,          score.mean_error > score.baseline_error};
}

Result<Validation> validate_static(const TrainingTable& table, const StaticOptions& options,
                                   std::uint64_t seed) {
  const auto splits = leave_families_out(table, most_families, groups, seed);
  const auto tested = test_static(table, splits, options);
  FOREWARP_TRY(tested);
  const ClassScore score =
      score_classes(tested->truth, tested->said, static_cast<int>(options.cutoffs.size()) + 1);
  return Validation{
      protocol(table, splits.size()), score.rows, score.accuracy, score.majority, score.balanced,
      score.accuracy < score.majority};
}

std::string verdict(const ModelFile& file) {
  const Validation& validation = file.validation;
  if (file.model.index() == 0)
    return fmt::format(
        "its cross-validation calls the model worse than the mean: {:.1f} % against {:.1f} % mean "
        "error of the speed-up ({} rows)",
        100 * validation.score, 100 * validation.baseline, validation.rows);
  return fmt::format(
      "its cross-validation calls the model worse than always saying the most frequent range: {:.1f} % "
      "against {:.1f} % right ({} rows)",
      100 * validation.score, 100 * validation.baseline, validation.rows);
}

/// Models and validation; the rest is the same for both kinds.
Result<void> fill(ModelFile& file, const TrainingTable& table, const TrainOptions& options) {
  if (table.extractor.starts_with("static")) {
    StaticOptions statics = options.statics;
    statics.grow.seed = options.seed;
    auto model = train_static(table, statics);
    FOREWARP_TRY(model);
    file.model = *std::move(model);
    const auto validation = validate_static(table, statics, options.seed);
    FOREWARP_TRY(validation);
    file.validation = *validation;
    return {};
  }
  DynamicOptions dynamic = options.dynamic;
  dynamic.bagging.seed = options.seed;
  auto model = train_dynamic(table, dynamic);
  FOREWARP_TRY(model);
  file.model = *std::move(model);
  const auto validation = validate_dynamic(table, dynamic, options.seed);
  FOREWARP_TRY(validation);
  file.validation = *validation;
  return {};
}

} // namespace

Result<ModelFile> train(const TrainingTable& table, const TrainOptions& options) {
  if (table.rows.size() < fewest_training_rows)
    return fail(ErrorCode::bad_input,
                fmt::format("{} training rows; {} is the least", table.rows.size(), fewest_training_rows),
                table.source, "measure more kernels, or other sizes of these");
  ModelFile file;
  file.extractor = table.extractor;
  file.seed = options.seed;
  file.gpu = table.rows.front().gpu;
  for (const TrainingRow& row : table.rows) {
    file.rows.push_back({row.region, row.family, row.provenance});
    if (file.cpu.empty() && row.cpu_ms > 0)
      file.cpu = row.cpu;
  }
  file.constant_features = constant_features(table);
  FOREWARP_TRY(fill(file, table, options));
  if (file.validation.worse_than_baseline && !options.force)
    return fail(ErrorCode::bad_input, verdict(file), table.source,
                "add rows of other kernels, or write it all the same, marked, with --force");
  file.forced = file.validation.worse_than_baseline;
  return file;
}

} // namespace forewarp::learn
