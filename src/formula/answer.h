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
    std::vector<std::string> broken; ///< constraints that do not hold there
  };
  std::optional<Asked> asked; ///< a point whose numbers are wanted
  double seconds = 0;         ///< for all formulas, compilation apart
};

std::string to_text(const Answer& answer);
std::string to_json(const Answer& answer);
/// t(n) of all models of the first formula, a line for each regime.
std::string to_svg(const Answer& answer);
/// The first formula's times in milliseconds and counts as a function.
std::string to_c(const Answer& answer);
std::string to_python(const Answer& answer);

} // namespace forewarp::formula
