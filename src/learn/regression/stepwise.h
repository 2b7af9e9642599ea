// Forward stepwise linear regression with pairwise interactions (Ardalani, dissertation 2016, section 3.3.2,
// level 1).
#pragma once

#include <cstddef>
#include <vector>

namespace forewarp::learn {

/// A feature, or the product of two.
struct Term {
  int first = 0;
  int second = -1; ///< -1: none
  bool operator==(const Term&) const = default;
};

struct LinearModel {
  double constant = 0;
  std::vector<Term> terms; ///< in the order in which they were taken
  std::vector<double> coefficients;
  std::vector<double> adjusted_r2; ///< of the model that ends with this term
  double value(const std::vector<double>& features) const;
};

struct StepwiseOptions {
  double interaction_gain = 0.0095; ///< theta_1: an interaction must raise adjusted R^2 by more
  double feature_gain = 0;          ///< theta_2: the first feature that raises it by less ends the search
  std::size_t most_terms = 0;       ///< 0: no limit but the number of different rows
};

/// One value for each row; a feature has one column.
struct RegressionData {
  std::vector<std::vector<double>> columns;
  std::vector<double> response;
  std::vector<double> scale; ///< of each row: constant and columns are multiplied by it; empty: 1
};

/// Feature after feature, the one that raises adjusted R^2 most, then its products with those that are in
/// already. `rows` says which rows are used, and how often (a bootstrap sample). R^2 is over the model that
/// has the constant alone. Columns that depend linearly on those taken are passed over. Coefficients: least
/// squares by a rank-revealing QR decomposition.
LinearModel forward_stepwise(const RegressionData& data, const std::vector<std::size_t>& rows,
                             const StepwiseOptions& options);

} // namespace forewarp::learn
