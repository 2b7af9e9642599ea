// OpenCV's ml module behind the functions that the program calls.
#include "learn/opencv/functions.h"

#include "support/counter_random.h"

#include <algorithm>
#include <cmath>
#include <opencv2/ml.hpp>

namespace {

using forewarp::learn::ClassData;
using forewarp::learn::GrowOptions;
using forewarp::learn::Tree;

cv::Ptr<cv::ml::TrainData> train_data(const ClassData& data) {
  const int rows = static_cast<int>(data.classes.size()),
            features = static_cast<int>(data.levels.front().size());
  cv::Mat samples(rows, features, CV_32F), responses(rows, 1, CV_32S);
  for (int i = 0; i < rows; ++i) {
    const auto row = static_cast<std::size_t>(i);
    for (int j = 0; j < features; ++j)
      samples.at<float>(i, j) = static_cast<float>(data.levels[row][static_cast<std::size_t>(j)]);
    responses.at<int>(i) = data.classes[row];
  }
  cv::Mat kinds(features + 1, 1, CV_8U, cv::Scalar(cv::ml::VAR_ORDERED));
  kinds.at<unsigned char>(features) = cv::ml::VAR_CATEGORICAL;
  return cv::ml::TrainData::create(samples, cv::ml::ROW_SAMPLE, responses, cv::noArray(), cv::noArray(),
                                   cv::noArray(), kinds);
}

int copy_node(const cv::ml::DTrees& model, int at, Tree& tree) {
  const cv::ml::DTrees::Node& node = model.getNodes()[static_cast<std::size_t>(at)];
  const auto index = tree.nodes.size();
  tree.nodes.emplace_back();
  tree.nodes[index].leaf_class = static_cast<int>(std::lround(node.value));
  if (node.split < 0)
    return static_cast<int>(index);
  const cv::ml::DTrees::Split& split = model.getSplits()[static_cast<std::size_t>(node.split)];
  int left = node.left, right = node.right;
  if (split.inversed)
    std::swap(left, right);
  const int new_left = copy_node(model, left, tree), new_right = copy_node(model, right, tree);
  tree.nodes[index].feature = split.varIdx;
  // A threshold between two levels.
  tree.nodes[index].most = static_cast<int>(std::floor(split.c));
  tree.nodes[index].left = new_left;
  tree.nodes[index].right = new_right;
  return static_cast<int>(index);
}

std::vector<Tree> copy_trees(const cv::ml::DTrees& model) {
  std::vector<Tree> trees;
  for (const int root : model.getRoots())
    copy_node(model, root, trees.emplace_back());
  return trees;
}

void prepare(cv::ml::DTrees& model, const GrowOptions& options) {
  model.setMinSampleCount(1);
  model.setMaxDepth(static_cast<int>(options.deepest));
  model.setCVFolds(0);
  model.setUseSurrogates(false);
}

std::vector<Tree> forest(const ClassData& data, const GrowOptions& options, std::string& problem) {
  try {
    const auto model = cv::ml::RTrees::create();
    prepare(*model, options);
    model->setActiveVarCount(static_cast<int>(options.features_per_split));
    model->setCalculateVarImportance(false);
    model->setTermCriteria(cv::TermCriteria(cv::TermCriteria::MAX_ITER, static_cast<int>(options.trees), 0));
    // What is drawn comes from the thread's generator.
    cv::theRNG().state = forewarp::counter_random(options.seed, 0);
    model->train(train_data(data));
    return copy_trees(*model);
  } catch (const std::exception& failure) {
    problem = failure.what();
    return {};
  }
}

std::vector<Tree> cart(const ClassData& data, const GrowOptions& options, std::string& problem) {
  try {
    const auto model = cv::ml::DTrees::create();
    prepare(*model, options);
    model->train(train_data(data));
    return copy_trees(*model);
  } catch (const std::exception& failure) {
    problem = failure.what();
    return {};
  }
}

} // namespace

extern "C" const forewarp::learn::TreeFunctions* forewarp_tree_functions() {
  static const forewarp::learn::TreeFunctions functions = {forest, cart};
  return &functions;
}
