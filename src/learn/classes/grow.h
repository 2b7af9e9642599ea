// Random forests and CART trees, grown by OpenCV's ml module from forewarp_trees.so beside the program.
#pragma once

#include "learn/opencv/functions.h"
#include "support/result.h"

namespace forewarp::learn {

/// Errors: unsupported (no forewarp_trees.so: built without OpenCV), internal (what OpenCV says).
Result<std::vector<Tree>> grow_forest(const ClassData& data, const GrowOptions& options);
Result<Tree> grow_cart(const ClassData& data, unsigned deepest);

/// All rows of levels: 2^10 = 1024 for ten features of two levels. `levels[i]`: number of levels of feature
/// i.
std::vector<std::vector<int>> all_vectors(const std::vector<int>& levels);

/// The single tree that approximates a forest (section 6.2.5): CART over every possible vector with the
/// forest's answer.
struct Approximation {
  Tree tree;
  double fidelity = 0; ///< share of the vectors to which both give the same class
};
Result<Approximation> approximate(const std::vector<Tree>& forest, const std::vector<int>& levels,
                                  int classes, unsigned deepest);

} // namespace forewarp::learn
