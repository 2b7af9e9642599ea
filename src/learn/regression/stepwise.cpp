#include "learn/regression/stepwise.h"

#include <Eigen/Dense>
#include <algorithm>
#include <limits>
#include <set>

namespace forewarp::learn {
namespace {

using Eigen::VectorXd;

/// A column of which less than this remains beside those taken is a combination of them.
constexpr double dependent = 1e-9;

/// The columns that may be taken, each made orthogonal to those that were: what a column would explain is
/// then its projection on the residual, without another fit.
class Search {
public:
  Search(const RegressionData& data, const std::vector<std::size_t>& rows, const StepwiseOptions& options)
      : data_(data), rows_(rows), options_(options), scale_(VectorXd::Ones(size())), response_(size()) {
    for (long i = 0; i < size(); ++i) {
      const std::size_t row = rows[static_cast<std::size_t>(i)];
      response_[i] = data.response[row];
      if (!data.scale.empty())
        scale_[i] = data.scale[row];
    }
    residual_ = response_;
    take(scale_);
    total_ = error_ = residual_.squaredNorm();
    for (std::size_t feature = 0; feature < data.columns.size(); ++feature)
      candidates_.push_back(orthogonal(column({static_cast<int>(feature), -1})));
    const std::size_t different = std::set<std::size_t>(rows.begin(), rows.end()).size();
    most_terms_ = different < 3 ? 0 : different - 3;
    if (options.most_terms > 0)
      most_terms_ = std::min(most_terms_, options.most_terms);
  }

  LinearModel run() {
    while (add_feature())
      add_interactions();
    fit();
    return std::move(model_);
  }

private:
  long size() const { return static_cast<long>(rows_.size()); }

  VectorXd column(const Term& term) const {
    VectorXd values(size());
    for (long i = 0; i < size(); ++i) {
      const std::size_t row = rows_[static_cast<std::size_t>(i)];
      values[i] = scale_[i] * data_.columns[static_cast<std::size_t>(term.first)][row];
      if (term.second >= 0)
        values[i] *= data_.columns[static_cast<std::size_t>(term.second)][row];
    }
    return values;
  }

  /// What is left of a column beside those taken; empty: nothing.
  VectorXd orthogonal(VectorXd values) const {
    const double whole = values.norm();
    for (const VectorXd& direction : taken_)
      values -= direction.dot(values) * direction;
    return values.norm() <= dependent * whole ? VectorXd() : values;
  }

  void take(const VectorXd& values) {
    const VectorXd direction = values.normalized();
    residual_ -= direction.dot(residual_) * direction;
    for (VectorXd& candidate : candidates_) {
      if (candidate.size() == 0)
        continue;
      const double before = candidate.norm();
      candidate -= direction.dot(candidate) * direction;
      if (candidate.norm() <= dependent * before)
        candidate.resize(0);
    }
    taken_.push_back(direction);
  }

  /// Adjusted R^2 with `terms` terms that leave the squared error `error`.
  double adjusted(double error, std::size_t terms) const {
    const double n = static_cast<double>(size()), left = n - static_cast<double>(terms) - 1;
    return total_ <= 0 || left <= 0 ? -std::numeric_limits<double>::infinity()
                                    : 1 - error / left / (total_ / (n - 1));
  }

  double current() const { return adjusted(error_, model_.terms.size()); }

  /// Adjusted R^2 with one more column, which is orthogonal to those taken.
  double with(const VectorXd& values) const {
    if (values.size() == 0)
      return -std::numeric_limits<double>::infinity();
    const double projection = values.dot(residual_);
    return adjusted(error_ - projection * projection / values.squaredNorm(), model_.terms.size() + 1);
  }

  void add(const Term& term, const VectorXd& values) {
    take(values);
    error_ = residual_.squaredNorm();
    model_.terms.push_back(term);
    model_.adjusted_r2.push_back(current());
  }

  bool full() const { return model_.terms.size() >= most_terms_ || error_ <= 1e-18 * total_; }

  bool add_feature() {
    if (full())
      return false;
    std::size_t best = candidates_.size();
    double reached = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < candidates_.size(); ++i)
      if (const double now = with(candidates_[i]); now > reached) {
        reached = now;
        best = i;
      }
    if (best == candidates_.size() || reached - current() < options_.feature_gain)
      return false;
    const VectorXd values = candidates_[best];
    candidates_[best].resize(0);
    add({static_cast<int>(best), -1}, values);
    features_.push_back(static_cast<int>(best));
    return true;
  }

  /// Products of the newest feature with the earlier ones, the best first.
  void add_interactions() {
    std::vector<int> others(features_.begin(), features_.end() - 1);
    while (!full() && !others.empty()) {
      std::size_t best = others.size();
      double reached = current() + options_.interaction_gain;
      VectorXd values;
      for (std::size_t i = 0; i < others.size(); ++i) {
        VectorXd product = orthogonal(column({features_.back(), others[i]}));
        if (const double now = with(product); now > reached) {
          reached = now;
          best = i;
          values = std::move(product);
        }
      }
      if (best == others.size())
        return;
      add({features_.back(), others[best]}, values);
      others.erase(others.begin() + static_cast<long>(best));
    }
  }

  void fit() {
    Eigen::MatrixXd columns(size(), static_cast<long>(model_.terms.size()) + 1);
    columns.col(0) = scale_;
    for (std::size_t i = 0; i < model_.terms.size(); ++i)
      columns.col(static_cast<long>(i) + 1) = column(model_.terms[i]);
    // Features differ by many orders of magnitude: columns of length 1 keep the decomposition's rank honest.
    Eigen::RowVectorXd lengths = columns.colwise().norm();
    for (long i = 0; i < lengths.size(); ++i)
      if (lengths[i] > 0)
        columns.col(i) /= lengths[i];
      else
        lengths[i] = 1;
    const VectorXd solution = columns.colPivHouseholderQr().solve(response_);
    model_.constant = solution[0] / lengths[0];
    for (long i = 1; i < solution.size(); ++i)
      model_.coefficients.push_back(solution[i] / lengths[i]);
  }

  const RegressionData& data_;
  const std::vector<std::size_t>& rows_;
  const StepwiseOptions& options_;
  VectorXd scale_, response_, residual_;
  std::vector<VectorXd> taken_, candidates_;
  std::vector<int> features_;
  double total_ = 0, error_ = 0;
  std::size_t most_terms_ = 0;
  LinearModel model_;
};

} // namespace

double LinearModel::value(const std::vector<double>& features) const {
  double sum = constant;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    double product = features[static_cast<std::size_t>(terms[i].first)];
    if (terms[i].second >= 0)
      product *= features[static_cast<std::size_t>(terms[i].second)];
    sum += coefficients[i] * product;
  }
  return sum;
}

LinearModel forward_stepwise(const RegressionData& data, const std::vector<std::size_t>& rows,
                             const StepwiseOptions& options) {
  return Search(data, rows, options).run();
}

} // namespace forewarp::learn
