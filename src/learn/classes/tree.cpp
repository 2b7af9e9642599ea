#include "learn/classes/tree.h"

#include <algorithm>
#include <fmt/format.h>

namespace forewarp::learn {
namespace {

void write(const Tree& tree, int at, std::string& text) {
  const TreeNode& node = tree.nodes[static_cast<std::size_t>(at)];
  if (node.feature < 0) {
    text += static_cast<char>('a' + node.leaf_class);
    return;
  }
  text += static_cast<char>('A' + node.feature);
  text += static_cast<char>('0' + node.most);
  write(tree, node.left, text);
  write(tree, node.right, text);
}

class Reader {
public:
  Reader(const std::string& text, std::size_t features, int classes)
      : text_(text), features_(features), classes_(classes) {}

  Result<Tree> read() {
    if (!node(0) || at_ != text_.size())
      return fail(ErrorCode::bad_input, fmt::format("'{}' is no tree (character {})", text_, at_ + 1));
    return std::move(tree_);
  }

private:
  bool node(unsigned depth) {
    if (at_ >= text_.size() || depth > 64)
      return false;
    const std::size_t index = tree_.nodes.size();
    tree_.nodes.emplace_back();
    const char letter = text_[at_];
    if (letter >= 'a' && letter <= 'z' && letter - 'a' < classes_) {
      tree_.nodes[index].leaf_class = letter - 'a';
      ++at_;
      return true;
    }
    if (letter < 'A' || letter > 'Z' || static_cast<std::size_t>(letter - 'A') >= features_ ||
        at_ + 1 >= text_.size() || text_[at_ + 1] < '0' || text_[at_ + 1] > '9')
      return false;
    tree_.nodes[index].feature = letter - 'A';
    tree_.nodes[index].most = text_[at_ + 1] - '0';
    at_ += 2;
    tree_.nodes[index].left = static_cast<int>(tree_.nodes.size());
    if (!node(depth + 1))
      return false;
    tree_.nodes[index].right = static_cast<int>(tree_.nodes.size());
    return node(depth + 1);
  }

  const std::string& text_;
  std::size_t features_, at_ = 0;
  int classes_;
  Tree tree_;
};

} // namespace

int Tree::classify(const std::vector<int>& levels) const {
  std::size_t at = 0;
  while (nodes[at].feature >= 0)
    at = static_cast<std::size_t>(levels[static_cast<std::size_t>(nodes[at].feature)] <= nodes[at].most
                                      ? nodes[at].left
                                      : nodes[at].right);
  return nodes[at].leaf_class;
}

std::vector<TreeStep> path_of(const Tree& tree, const std::vector<int>& levels) {
  std::vector<TreeStep> steps;
  std::size_t at = 0;
  while (tree.nodes[at].feature >= 0) {
    const TreeNode& node = tree.nodes[at];
    const bool at_most = levels[static_cast<std::size_t>(node.feature)] <= node.most;
    steps.push_back({node.feature, node.most, at_most});
    at = static_cast<std::size_t>(at_most ? node.left : node.right);
  }
  return steps;
}

std::string tree_text(const Tree& tree) {
  std::string text;
  write(tree, 0, text);
  return text;
}

Result<Tree> parse_tree(const std::string& text, std::size_t features, int classes) {
  return Reader(text, features, classes).read();
}

std::vector<unsigned> votes_of(const std::vector<Tree>& forest, const std::vector<int>& levels, int classes) {
  std::vector<unsigned> votes(static_cast<std::size_t>(classes));
  for (const Tree& tree : forest)
    ++votes[static_cast<std::size_t>(tree.classify(levels))];
  return votes;
}

int winner(const std::vector<unsigned>& votes) {
  return static_cast<int>(std::max_element(votes.begin(), votes.end()) - votes.begin());
}

} // namespace forewarp::learn
