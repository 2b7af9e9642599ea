#include "learn/classes/id3.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace forewarp::learn {
namespace {

using Rows = std::vector<std::size_t>;

std::vector<std::size_t> counts_of(const ClassData& data, const Rows& rows) {
  std::vector<std::size_t> counts(static_cast<std::size_t>(data.number_of_classes));
  for (const std::size_t row : rows)
    ++counts[static_cast<std::size_t>(data.classes[row])];
  return counts;
}

double entropy_of(const std::vector<std::size_t>& counts) {
  const auto all = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
  double sum = 0;
  for (const std::size_t count : counts)
    if (count > 0)
      sum -= static_cast<double>(count) / all * std::log2(static_cast<double>(count) / all);
  return sum;
}

struct Parts {
  Rows left, right;
};

Parts part(const ClassData& data, const Rows& rows, int feature, int most) {
  Parts parts;
  for (const std::size_t row : rows)
    (data.levels[row][static_cast<std::size_t>(feature)] <= most ? parts.left : parts.right).push_back(row);
  return parts;
}

double gain_of(const ClassData& data, const Rows& rows, const Parts& parts) {
  const auto weight = [&](const Rows& some) {
    return static_cast<double>(some.size()) / static_cast<double>(rows.size());
  };
  return entropy_of(counts_of(data, rows)) - weight(parts.left) * entropy_of(counts_of(data, parts.left)) -
         weight(parts.right) * entropy_of(counts_of(data, parts.right));
}

Rows all_rows(const ClassData& data) {
  Rows rows(data.classes.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

struct Question {
  int feature = 0, most = 0;
  Parts parts;
};

std::optional<Question> best_split(const ClassData& data, const Rows& rows) {
  std::optional<Question> best;
  double most_gain = -1;
  for (std::size_t feature = 0; feature < data.levels.front().size(); ++feature) {
    int highest = 0;
    for (const std::size_t row : rows)
      highest = std::max(highest, data.levels[row][feature]);
    for (int most = 0; most < highest; ++most) {
      Parts parts = part(data, rows, static_cast<int>(feature), most);
      if (parts.left.empty() || parts.right.empty())
        continue;
      if (const double gain = gain_of(data, rows, parts); gain > most_gain + 1e-12) {
        most_gain = gain;
        best = Question{static_cast<int>(feature), most, std::move(parts)};
      }
    }
  }
  return best;
}

int grow(const ClassData& data, const Rows& rows, std::size_t node_size, Tree& tree) {
  const std::size_t index = tree.nodes.size();
  tree.nodes.emplace_back();
  const auto counts = counts_of(data, rows);
  tree.nodes[index].leaf_class =
      static_cast<int>(std::max_element(counts.begin(), counts.end()) - counts.begin());
  if (rows.size() <= node_size || entropy_of(counts) == 0)
    return static_cast<int>(index);
  const auto split = best_split(data, rows);
  if (!split)
    return static_cast<int>(index);
  const int left = grow(data, split->parts.left, node_size, tree);
  const int right = grow(data, split->parts.right, node_size, tree);
  tree.nodes[index] = {split->feature, split->most, left, right, tree.nodes[index].leaf_class};
  return static_cast<int>(index);
}

} // namespace

double entropy(const std::vector<int>& classes, int number_of_classes) {
  std::vector<std::size_t> counts(static_cast<std::size_t>(number_of_classes));
  for (const int one : classes)
    ++counts[static_cast<std::size_t>(one)];
  return entropy_of(counts);
}

double information_gain(const ClassData& data, int feature, int most) {
  const Rows rows = all_rows(data);
  return gain_of(data, rows, part(data, rows, feature, most));
}

Tree id3_tree(const ClassData& data, std::size_t node_size) {
  Tree tree;
  grow(data, all_rows(data), node_size, tree);
  return tree;
}

} // namespace forewarp::learn
