// What forewarp_trees.so offers: CART trees and random forests of OpenCV's ml module. The program itself
// knows nothing of OpenCV, whose libraries take longer to load than a prediction may; only training needs
// them.
#pragma once

#include "learn/classes/tree.h"

#include <cstdint>
#include <string>
#include <vector>

namespace forewarp::learn {

struct GrowOptions {
  unsigned trees = 1000;
  unsigned features_per_split = 3;
  unsigned deepest = 25; ///< levels below the root
  std::uint64_t seed = 1;
};

struct TreeFunctions {
  /// A random forest: each tree from a bootstrap sample, at each node the best of a few features drawn at
  /// random.
  std::vector<Tree> (*forest)(const ClassData& data, const GrowOptions& options, std::string& problem);
  /// One tree from all rows, all features at each node.
  std::vector<Tree> (*cart)(const ClassData& data, const GrowOptions& options, std::string& problem);
};

/// Name and type of the library's one symbol.
inline constexpr const char* trees_symbol = "forewarp_tree_functions";
using TreesSymbol = const TreeFunctions* (*)();

} // namespace forewarp::learn
