// The default predictor as a function of one size: its own predictions at chosen sizes, and between them the
// time that the issue slots of the fullest SM need, times a factor that is linear in the size's logarithm.
// Never through measured times.
#pragma once

#include "facts/prediction.h"
#include "formula/formula.h"

namespace forewarp::formula {

struct PredictorForm {
  struct Knot {
    std::int64_t at = 1;
    double time_ms = 0;
    std::string regime; ///< the predictor's limiter
  };
  std::vector<Knot> knots;                    ///< ascending in the first symbol
  std::vector<Knot> checks;                   ///< predictions that the form does not go through
  double largest_error = 0, median_error = 0; ///< of the form at the checks, relative
  symbolic::Program::Index time_ms = 0;       ///< in the formula's program
};

/// `predict` is asked at most `most` times, along the first symbol with the others at their reference; sizes
/// are added where the form is farthest off. Errors: the first of `predict`.
Result<PredictorForm> predictor_form(Formula& formula,
                                     const std::function<Result<facts::Prediction>(const Point&)>& predict,
                                     std::size_t most = 16);

/// Limiter of the knot nearest in the logarithm.
std::string regime_at(const PredictorForm& form, std::int64_t value);

} // namespace forewarp::formula
