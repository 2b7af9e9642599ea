// The default predictor as a function of the sizes: its own predictions at chosen sizes, and between them a
// time that the closed forms give, times a factor that is linear in the size's logarithm. Never through
// measured times.
#pragma once

#include "facts/prediction.h"
#include "formula/formula.h"

namespace forewarp::formula {

/// A factor at some sizes; between them linear in the logarithm, beyond them constant.
struct FactorTrack {
  std::vector<std::int64_t> at; ///< ascending
  std::vector<double> factors;
  double value(std::int64_t size) const;
};

struct PredictorForm {
  struct Knot {
    std::int64_t at = 1;
    double time_ms = 0;
    std::string regime; ///< the predictor's limiter
    double error = 0;   ///< that the form says of itself between the knot before and this one, relative
  };
  /// Ascending in the first symbol, the others at their reference; none is a multiple of a modulus below.
  std::vector<Knot> knots;
  std::string base; ///< the closed time that the factor multiplies: of Formula::bases
  /// Rows that begin at whole sectors or lines cost less: sizes that are multiples of `modulus` (and not of
  /// a larger one here) have a factor of their own. Largest modulus first.
  struct Residue {
    std::int64_t modulus = 1;
    FactorTrack track;
  };
  std::vector<Residue> residues;
  /// Factor along each further symbol, the first at its reference; 1 at its own reference.
  std::vector<FactorTrack> others;
  /// Predictions that the form does not go through, at sizes of all symbols.
  struct Check {
    Point at;
    double time_ms = 0, error = 0;
  };
  std::vector<Check> checks;
  double largest_error = 0, median_error = 0; ///< of the form at the checks, relative
  symbolic::Program::Index time_ms = 0;       ///< in the formula's program
};

/// `predict` is asked at most `most` times (at least 16); sizes are added where the form is farthest off. The
/// base is the one under which left-out knots are met best. Errors: the first of `predict`.
Result<PredictorForm> predictor_form(Formula& formula,
                                     const std::function<Result<facts::Prediction>(const Point&)>& predict,
                                     std::size_t most = 28);

/// What the form says of its own error at a point: for sizes of the first symbol alone that of the interval,
/// else the largest of all. Twice the largest miss seen near by: at checks, and at knots while they were not
/// part of it.
double error_at(const PredictorForm& form, const Formula& formula, const Point& at);

/// Limiter of the knot nearest in the logarithm.
std::string regime_at(const PredictorForm& form, std::int64_t value);

} // namespace forewarp::formula
