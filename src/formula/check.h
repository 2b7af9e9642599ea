// A formula held against what it stands for, at random sizes: the published models on traces, and the default
// predictor.
#pragma once

#include "formula/predictor_form.h"

namespace forewarp::formula {

struct CheckRequest {
  std::size_t points = 200;
  std::size_t executed_points = 20; ///< at the first of them warps are run, too
  std::uint64_t seed = 1;
  /// Warp instructions of a grid that a trace is made of, at most: sizes above are not drawn for the models.
  double most_instructions = 2e5;
  /// As `forewarp models` and `forewarp predict` would be asked at a point, for the formula's GPU alone.
  std::function<Result<engine::PredictRequest>(const Point&)> request_at;
  std::function<Result<facts::Prediction>(const Point&)> predict; ///< empty: the predictor's form is left out
};

/// Relative errors |form / model - 1|.
struct Spread {
  std::size_t points = 0;
  double median = 0, percentile_95 = 0, largest = 0;
  Point worst; ///< where the largest is
};

struct FormulaCheck {
  struct Row {
    std::string model;
    /// Whole grids by source-level analysis, and run. The second is empty where a condition rests on data.
    Spread on_static, on_executed;
  };
  std::vector<Row> models;
  std::optional<Spread> predictor;
  double within_5 = 0, within_15 = 0; ///< shares of the predictor's points
  double beyond_said = 0;             ///< share whose error is above what the form says of itself there
  double beyond_15_unsaid = 0;        ///< share above 15 % where the form says less than 15 %
  double evaluate_us = 0;             ///< processor time of one point among many, the models' times alone
  std::size_t steps = 0;              ///< of arithmetic for these
  std::vector<std::string> left_out;  ///< why points could not be compared, each reason once
};

/// Points are drawn evenly from the symbols' ranges, those that break a constraint drawn anew. Models are
/// asked on the context-independent mapper; Volkov's without an instruction graph, which a closed form does
/// not have. `form` may be empty.
FormulaCheck check(const Formula& formula, const std::optional<PredictorForm>& form,
                   const CheckRequest& request);

std::string to_text(const FormulaCheck& check, const Formula& formula);
std::string to_json(const FormulaCheck& check, const Formula& formula);

} // namespace forewarp::formula
