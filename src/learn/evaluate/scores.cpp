#include "learn/evaluate/scores.h"

#include "learn/regression/bagging.h"

#include <algorithm>
#include <numeric>

namespace forewarp::learn {

ClassScore score_classes(const std::vector<int>& truth, const std::vector<int>& said, int number_of_classes) {
  ClassScore score;
  score.rows = truth.size();
  std::vector<double> rows(static_cast<std::size_t>(number_of_classes)), right(rows.size());
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const auto one = static_cast<std::size_t>(truth[i]);
    ++rows[one];
    right[one] += truth[i] == said[i];
  }
  const double all = static_cast<double>(truth.size());
  if (truth.empty())
    return score;
  score.accuracy = std::accumulate(right.begin(), right.end(), 0.0) / all;
  score.majority = *std::max_element(rows.begin(), rows.end()) / all;
  std::vector<double> shares;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i] > 0)
      shares.push_back(right[i] / rows[i]);
  score.balanced = mean(shares);
  if (number_of_classes == 2) {
    score.specificity = rows[0] > 0 ? right[0] / rows[0] : 0;
    score.sensitivity = rows[1] > 0 ? right[1] / rows[1] : 0;
  }
  return score;
}

double mean(const std::vector<double>& values) {
  return values.empty()
             ? 0
             : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double median(std::vector<double> values) {
  return values.empty() ? 0 : middle_mean(std::move(values), 0);
}

} // namespace forewarp::learn
