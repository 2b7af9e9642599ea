// A formula as text, JSON, a plot, or code.
#pragma once

#include "formula/crossover.h"
#include "formula/predictor_form.h"

namespace forewarp::formula {

struct Answer {
  std::vector<std::unique_ptr<Formula>> formulas;
  std::vector<std::optional<PredictorForm>> predictors; ///< by formula
  std::vector<std::string> curve_names;
  std::vector<Lead> leads; ///< empty: there is one curve
  std::string leads_of;    ///< the model behind the curves
  struct Asked {
    Point at;
    std::vector<std::string>
        from_launch; ///< symbols that no number was given for: the launch's own, see Symbol
  };
  std::optional<Asked> asked; ///< a point whose numbers are wanted
  struct Measured {
    std::int64_t at = 1; ///< of the first symbol
    double time_ms = 0;
  };
  std::vector<Measured> measured; ///< shown beside the formula; nothing is fitted to them
  double seconds = 0;             ///< for all formulas, compilation apart
};

std::string to_text(const Answer& answer);
std::string to_json(const Answer& answer);
/// t(n) of the first formula, its regimes shaded, with the measured points: the default predictor's form
/// beside Roofline; without one all models, regimes of the first.
std::string to_svg(const Answer& answer);
/// The first formula's times in milliseconds and counts as a function.
std::string to_c(const Answer& answer);
std::string to_python(const Answer& answer);

} // namespace forewarp::formula
