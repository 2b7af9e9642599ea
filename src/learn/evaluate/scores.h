// How right a classifier is, beside what saying always the same would be.
#pragma once

#include <vector>

namespace forewarp::learn {

struct ClassScore {
  std::size_t rows = 0;
  double accuracy = 0; ///< share of the rows whose class is right
  double majority = 0; ///< what always saying the most frequent class would score
  double balanced = 0; ///< mean over the classes that occur of the share of their rows that is right
  double sensitivity =
      0; ///< of two classes: share of the higher class's rows that is right; 0 where there is none
  double specificity = 0; ///< the same of the lower class
};

/// `truth` and `said`: a class (from 0) for each row.
ClassScore score_classes(const std::vector<int>& truth, const std::vector<int>& said, int number_of_classes);

double mean(const std::vector<double>& values);
double median(std::vector<double> values);

} // namespace forewarp::learn
