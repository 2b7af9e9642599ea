// A decision tree over levels of features, and many of them that vote.
#pragma once

#include "support/result.h"

#include <string>
#include <vector>

namespace forewarp::learn {

/// Rows of levels (0, 1, 2) with a class each.
struct ClassData {
  std::vector<std::vector<int>> levels; ///< by row, then by feature
  std::vector<int> classes;             ///< by row, from 0
  int number_of_classes = 0;
};

struct TreeNode {
  int feature = -1; ///< -1: a leaf
  int most = 0;     ///< levels up to this one go left
  int left = 0, right = 0;
  int leaf_class = 0;
};

/// Node 0 is the root.
struct Tree {
  std::vector<TreeNode> nodes;
  int classify(const std::vector<int>& levels) const;
};

/// One question on the way from the root to a leaf.
struct TreeStep {
  int feature = 0;
  int most = 0;
  bool at_most = false; ///< the answer
};
std::vector<TreeStep> path_of(const Tree& tree, const std::vector<int>& levels);

/// Root, left part, right part: a split is the feature's letter (A, B, ...) and the level that goes left at
/// most, a leaf the letter of its class (a, b, ...): "D0aF0ab".
std::string tree_text(const Tree& tree);

/// Errors (bad_input): not such a text, a feature or a class beyond the given numbers.
Result<Tree> parse_tree(const std::string& text, std::size_t features, int classes);

/// Votes for each class.
std::vector<unsigned> votes_of(const std::vector<Tree>& forest, const std::vector<int>& levels, int classes);

/// Class with the most votes; the lower one of equals (a forest that cannot say promises less).
int winner(const std::vector<unsigned>& votes);

} // namespace forewarp::learn
