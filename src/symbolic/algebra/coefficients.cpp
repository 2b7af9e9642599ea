#include "symbolic/algebra/coefficients.h"

#include <algorithm>

namespace forewarp::symbolic {

Wide denominator_of(const Expression& a) {
  Wide common = 1;
  for (const auto& [key, term] : a.terms())
    common =
        common / greatest_divisor(common, term.coefficient.denominator()) * term.coefficient.denominator();
  return common;
}

Wide content_of(const Expression& a) {
  Wide common = 0;
  for (const auto& [key, term] : a.terms())
    if (!key.empty())
      common = greatest_divisor(common, term.coefficient.numerator());
  return common;
}

bool has_whole_coefficients(const Expression& a) {
  return std::all_of(a.terms().begin(), a.terms().end(),
                     [](const auto& term) { return term.second.coefficient.whole(); });
}

} // namespace forewarp::symbolic
