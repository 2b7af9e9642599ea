// XAPP's dynamic predictor: GPU time from features of a run on the CPU (Ardalani, dissertation 2016, chapter
// 3).
#pragma once

#include "learn/model/bound.h"
#include "learn/regression/bagging.h"
#include "learn/training_rows.h"

#include <string>
#include <vector>

namespace forewarp::learn {

/// What the regressions are fitted to. All predict a time per instruction, times the number of instructions.
enum class Response : std::uint8_t {
  time,     ///< time = ninst * (constant + terms): least squares of times, X's Table 3.2 by the letter
  rate,     ///< time / ninst = constant + terms: every row counts alike, however long it runs
  log_rate, ///< ln(time / ninst) = constant + terms: least squares of relative errors; not X's
};

const char* to_string(Response response);

struct DynamicOptions {
  Response response = Response::log_rate;
  BaggingOptions bagging;
  double inclusion = 0.6;
  std::string multiplier = "ninst"; ///< or bound_column: what is learned is what the bound leaves
  BoundRates rates;                 ///< of the GPU, where the multiplier is the bound
  std::vector<std::string> only;    ///< beginnings of the names of features to learn from; empty: all
};

/// A feature as the regressions see it.
struct ModelFeature {
  std::string name;
  bool logarithm = false;         ///< ln(1 + x): in log_rate, where it is no share (a value above 1 was seen)
  double lowest = 0, highest = 0; ///< of the training rows, as extracted
  double mean = 0;                ///< of the training rows, as the regressions see it
  double seen(double extracted) const;
};

struct DynamicModel {
  Response response = Response::log_rate;
  double inclusion = 0.6;
  std::string multiplier;
  BoundRates rates;                         ///< known where the multiplier is the bound
  double lowest_rate = 0, highest_rate = 0; ///< ms an instruction, of the training rows
  std::vector<ModelFeature> features;
  std::vector<LinearModel> models;
};

/// What one feature did to an answer: the time with it, over the time if it were the training rows' mean.
struct Push {
  std::string feature;
  double value = 0; ///< as extracted
  double factor = 1;
};

struct DynamicPrediction {
  double gpu_ms = 0;
  double lowest_ms = 0, highest_ms = 0; ///< of the models that count
  std::vector<double> all_ms;           ///< of all models, as they stand in the model
  bool held =
      false; ///< the models went beyond the training rows' range of time per instruction, and were held at it
  std::vector<Push> pushes;         ///< the strongest first
  std::vector<std::string> outside; ///< features beyond what training has seen: "mem 0.9 (0.1 to 0.6)"
};

/// Names that training can use: not constant, not the multiplier.
/// Errors (bad_input): too few rows, no multiplier, no feature that varies.
Result<DynamicModel> train_dynamic(const TrainingTable& table, const DynamicOptions& options);

/// `features` as the model's names; `instructions` is the multiplier's value.
DynamicPrediction predict_dynamic(const DynamicModel& model, const std::vector<double>& features,
                                  double instructions);

/// The same for a row of a table with the model's features in any order. Errors (bad_input): a feature is
/// missing.
Result<DynamicPrediction> predict_dynamic(const DynamicModel& model, const std::vector<std::string>& names,
                                          const std::vector<double>& values);

/// |speed-up predicted - measured| / measured (section 5.2.1); the CPU time cancels.
double speedup_error(double measured_gpu_ms, double predicted_gpu_ms);

/// No learner has a use for fewer; `train` asks for some more.
inline constexpr std::size_t fewest_rows = 5;

} // namespace forewarp::learn
