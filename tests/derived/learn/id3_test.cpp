// Entropies and gains by hand (Eq. 4.1).
#include "learn/classes/id3.h"

#include <cmath>
#include <gtest/gtest.h>

namespace forewarp::learn {
namespace {

TEST(Entropy, OfFivesAndNines) {
  // 9 of 14 and 5 of 14: -(9/14) log2(9/14) - (5/14) log2(5/14)
  //   = 0.642857 * 0.637430 + 0.357143 * 1.485427 = 0.409776 + 0.530510 = 0.940286.
  std::vector<int> classes(9, 1);
  classes.insert(classes.end(), 5, 0);
  EXPECT_NEAR(entropy(classes, 2), 0.940286, 1e-6);
}

TEST(Entropy, OfThreeEqualClassesIsLog2Of3) {
  EXPECT_NEAR(entropy({0, 1, 2}, 3), std::log2(3.0), 1e-12);
}

TEST(Entropy, OfOneClassIsNothing) {
  EXPECT_EQ(entropy({1, 1, 1}, 2), 0);
}

// Eight kernels; A: sine or cosine, B: coalesced, C: many branches. High speed-up where A, or where B and not
// C.
ClassData eight() {
  return {{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, 1, 1}, {1, 0, 0}, {1, 0, 1}, {1, 1, 0}, {1, 1, 1}},
          {0, 0, 1, 0, 1, 1, 1, 1},
          2};
}

TEST(Gain, OfEachQuestion) {
  // 5 high, 3 low: H = -(5/8) log2(5/8) - (3/8) log2(3/8) = 0.423795 + 0.530639 = 0.954434.
  // A: low 4 rows with 1 high: H = 0.811278; high 4 rows, all high: 0. Gain 0.954434 - 0.5 * 0.811278 =
  // 0.548795. B: low: 2 of 4 high: 1; high: 3 of 4: 0.811278. Gain 0.954434 - 0.5 - 0.405639 = 0.048795. C:
  // low: 3 of 4; high: 2 of 4: the same 0.048795.
  EXPECT_NEAR(information_gain(eight(), 0, 0), 0.548795, 1e-6);
  EXPECT_NEAR(information_gain(eight(), 1, 0), 0.048795, 1e-6);
  EXPECT_NEAR(information_gain(eight(), 2, 0), 0.048795, 1e-6);
}

TEST(Id3, AsksTheBestQuestionFirst) {
  // A first; without A: B gains 0.811278 - 0.5 * 1 = 0.311278, so does C: the first of equals; then C.
  EXPECT_EQ(tree_text(id3_tree(eight())), "A0B0aC0bab");
}

TEST(Id3, ALeafHasItsMostFrequentClass) {
  EXPECT_EQ(tree_text(id3_tree(eight(), 4)), "A0ab");
}

TEST(Id3, AsksAboutThreeLevels) {
  // Levels 0, 1, 2 twice; class 1 at level 2 alone: "at most 1?" parts them at once.
  const ClassData data{{{0}, {1}, {2}, {0}, {1}, {2}}, {0, 0, 1, 0, 0, 1}, 2};
  EXPECT_EQ(tree_text(id3_tree(data)), "A1ab");
}

} // namespace
} // namespace forewarp::learn
