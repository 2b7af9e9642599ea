#include "learn/classes/grow.h"

#include "support/plugin.h"

#include <algorithm>

namespace forewarp::learn {
namespace {

Result<const TreeFunctions*> functions() {
  const auto symbol = load_plugin("forewarp_trees.so", trees_symbol);
  if (!symbol)
    return fail(ErrorCode::unsupported, "forests cannot be grown: " + symbol.error().message,
                "forewarp_trees.so", "install libopencv-ml-dev and build again");
  return reinterpret_cast<TreesSymbol>(*symbol)();
}

bool one_class(const ClassData& data) {
  return std::all_of(data.classes.begin(), data.classes.end(),
                     [&](int one) { return one == data.classes.front(); });
}

Tree leaf(int leaf_class) {
  return {{TreeNode{.leaf_class = leaf_class}}};
}

} // namespace

Result<std::vector<Tree>> grow_forest(const ClassData& data, const GrowOptions& options) {
  if (one_class(data))
    return std::vector<Tree>(options.trees, leaf(data.classes.front()));
  const auto found = functions();
  FOREWARP_TRY(found);
  std::string problem;
  auto trees = (*found)->forest(data, options, problem);
  if (trees.empty())
    return fail(ErrorCode::internal, "OpenCV: " + problem);
  return trees;
}

Result<Tree> grow_cart(const ClassData& data, unsigned deepest) {
  if (one_class(data))
    return leaf(data.classes.front());
  const auto found = functions();
  FOREWARP_TRY(found);
  std::string problem;
  auto trees = (*found)->cart(data, {.trees = 1, .deepest = deepest}, problem);
  if (trees.empty())
    return fail(ErrorCode::internal, "OpenCV: " + problem);
  return std::move(trees.front());
}

std::vector<std::vector<int>> all_vectors(const std::vector<int>& levels) {
  std::vector<std::vector<int>> vectors = {{}};
  for (const int choices : levels) {
    std::vector<std::vector<int>> longer;
    for (const auto& vector : vectors)
      for (int level = 0; level < choices; ++level) {
        longer.push_back(vector);
        longer.back().push_back(level);
      }
    vectors = std::move(longer);
  }
  return vectors;
}

Result<Approximation> approximate(const std::vector<Tree>& forest, const std::vector<int>& levels,
                                  int classes, unsigned deepest) {
  ClassData space{all_vectors(levels), {}, classes};
  for (const auto& vector : space.levels)
    space.classes.push_back(winner(votes_of(forest, vector, classes)));
  auto tree = grow_cart(space, deepest);
  FOREWARP_TRY(tree);
  Approximation result{*std::move(tree), 0};
  std::size_t same = 0;
  for (std::size_t i = 0; i < space.classes.size(); ++i)
    same += result.tree.classify(space.levels[i]) == space.classes[i];
  result.fidelity = static_cast<double>(same) / static_cast<double>(space.classes.size());
  return result;
}

} // namespace forewarp::learn
