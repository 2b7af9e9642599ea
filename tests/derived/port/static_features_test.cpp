// Static features (Ardalani, dissertation 2016, tables 4.1 and 4.2) of texts that can be worked out by hand.
#include "port/features/text/static_features.h"
#include "support/temporary_file.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace forewarp::port {
namespace {

Result<StaticAnswer> describe(const std::string& text, StaticAssumptions assume = {}) {
  auto file = TemporaryFile::write(text, ".c");
  FOREWARP_TRY(file);
  SourceTree tree;
  tree.files = {file->path()};
  tree.all_loops = false;
  tree.assume = assume;
  return static_features(tree);
}

double value(const StaticLoop& loop, const std::string& name) {
  for (const facts::Feature& feature : loop.row.features)
    if (feature.name == name)
      return feature.value;
  return -1;
}

/// A thread's operations: two loads, multiplication, addition, store. Nothing is unknown.
TEST(StaticFeatures, SaxpyHasFiveOperationsAThread) {
  const auto answer = describe("float x[1000], y[1000];\n"
                               "void saxpy(float a) {\n"
                               "#pragma forewarp parallel name(saxpy)\n"
                               "  for (int i = 0; i < 1000; ++i)\n"
                               "    y[i] = a * x[i] + y[i];\n"
                               "}\n");
  ASSERT_TRUE(answer.has_value()) << to_string(answer.error());
  ASSERT_EQ(answer->loops.size(), 1U);
  const StaticLoop& loop = answer->loops[0];
  EXPECT_EQ(loop.variants.size(), 1U);
  EXPECT_TRUE(loop.concerns.empty());
  EXPECT_TRUE(loop.row.assumed.empty());
  EXPECT_EQ(value(loop, "ksize"), 5);
  EXPECT_EQ(value(loop, "coalesced"), 1);
  EXPECT_EQ(value(loop, "diverging"), 0);
  EXPECT_EQ(value(loop, "parallelism"), 1000);
  EXPECT_DOUBLE_EQ(value(loop, "arith_intensity"), 2.0 / 3);
  EXPECT_DOUBLE_EQ(value(loop, "muldiv_intensity"), 1.0 / 5);
}

constexpr const char* product = "float a[40][40], b[40][40], c[40][40];\n"
                                "void multiply(void) {\n"
                                "#pragma forewarp parallel\n"
                                "  for (int i = 0; i < 40; ++i)\n"
                                "    for (int j = 0; j < 40; ++j) {\n"
                                "      float s = 0;\n"
                                "      for (int k = 0; k < 40; ++k)\n"
                                "        s += a[i][k] * b[k][j];\n"
                                "      c[i][j] = s;\n"
                                "    }\n"
                                "}\n";

/// i and j are the parallel loops. A thread: 40 times (2 loads, *, +, k + 1, comparison, branch) and a store.
TEST(StaticFeatures, AMatrixProductHasTwoParallelLoops) {
  const auto answer = describe(product);
  ASSERT_TRUE(answer.has_value()) << to_string(answer.error());
  const StaticLoop& loop = answer->loops.at(0);
  EXPECT_EQ(loop.parallel_loops, 2U);
  EXPECT_EQ(value(loop, "parallelism"), 1600);
  EXPECT_EQ(value(loop, "ksize"), 40 * 7 + 1);
  // a[i][k] is one address for a warp, b[k][j] and c[i][j] are neighbours.
  EXPECT_EQ(value(loop, "coalesced"), 1);
  EXPECT_EQ(value(loop, "diverging"), 0); // the only branch ends the loop over k, for all threads at one time
  EXPECT_DOUBLE_EQ(value(loop, "ctrl_intensity"), 40.0 / 281);
  EXPECT_DOUBLE_EQ(value(loop, "arith_intensity"), 160.0 / 81); // *, +, k + 1, comparison to 81 accesses
}

/// By the letter, what moves with the outer parallel loop i is not coalesced: a and c. b stays, 40 of 81.
TEST(StaticFeatures, CoalescedByTheLetterForbidsTheOuterIndex) {
  StaticAssumptions assume;
  assume.as_published = true;
  const auto answer = describe(product, assume);
  ASSERT_TRUE(answer.has_value());
  EXPECT_DOUBLE_EQ(value(answer->loops.at(0), "coalesced"), 40.0 / 81);
}

/// A row for each thread: neighbours are 160 bytes apart.
TEST(StaticFeatures, RowsForThreadsAreNotCoalesced) {
  const auto answer = describe("float m[40][40], s[40];\n"
                               "void sums(void) {\n"
                               "#pragma forewarp parallel\n"
                               "  for (int i = 0; i < 40; ++i) {\n"
                               "    float t = 0;\n"
                               "    for (int j = 0; j < 40; ++j)\n"
                               "      t += m[i][j];\n"
                               "    s[i] = t;\n"
                               "  }\n"
                               "}\n");
  ASSERT_TRUE(answer.has_value());
  EXPECT_DOUBLE_EQ(value(answer->loops.at(0), "coalesced"), 1.0 / 41); // the store of s[i]
}

/// The loop over k runs n times, which nobody knows: four answers, of which the lower median (10) is the
/// row's.
TEST(StaticFeatures, UnknownTripsAreTriedAndCanBeGiven) {
  const std::string text = "float a[1000], b[1000];\n"
                           "void f(int n) {\n"
                           "#pragma forewarp parallel\n"
                           "  for (int i = 0; i < 1000; ++i) {\n"
                           "    float s = 0;\n"
                           "    TRIPS\n"
                           "    for (int k = 0; k < n; ++k)\n"
                           "      s += b[k];\n"
                           "    a[i] = s;\n"
                           "  }\n"
                           "}\n";
  const auto with = [&](const std::string& words) {
    std::string own = text;
    return own.replace(own.find("TRIPS"), 5, words);
  };
  // load, +, k + 1, comparison, branch: 5 for each iteration; the store; the test before the loop (is n > 0?)
  // is invariant and stands before the parallel loop or costs the same in all.
  const auto open = describe(with(""));
  ASSERT_TRUE(open.has_value()) << to_string(open.error());
  EXPECT_EQ(open->loops.at(0).variants.size(), 4U);
  const double ten = value(open->loops[0], "ksize");
  StaticAssumptions assume;
  assume.trip_count = 100;
  const auto given = describe(with(""), assume);
  ASSERT_TRUE(given.has_value());
  EXPECT_EQ(given->loops.at(0).variants.size(), 1U);
  EXPECT_EQ(value(given->loops[0], "ksize") - ten, 90 * 5);
  const auto said = describe(with("#pragma forewarp trips(16)"));
  ASSERT_TRUE(said.has_value()) << to_string(said.error());
  EXPECT_EQ(said->loops.at(0).variants.size(), 1U);
  EXPECT_EQ(value(said->loops[0], "ksize") - ten, 6 * 5);
}

/// Ardalani's figure 4.2: a search in a tree for each key.
constexpr const char* tree = "int tree[65536], found;\n"
                             "void search(int num_elements, int depth) {\n"
                             "#pragma forewarp parallel trips(1048576)\n"
                             "  for (int i = 0; i < num_elements; i++) {\n"
                             "    int key = i, j = 0;\n"
                             "    if (key == tree[0]) {\n"
                             "      found++;\n"
                             "      continue;\n"
                             "    }\n"
                             "#pragma forewarp trips(16)\n"
                             "    for (j = 0; j < depth - 1; j++) {\n"
                             "      j = (j * 2) + 1 + (key > tree[j]);\n"
                             "      if (key == tree[j]) {\n"
                             "        found++;\n"
                             "        break;\n"
                             "      }\n"
                             "    }\n"
                             "  }\n"
                             "}\n";

TEST(StaticFeatures, HerTreeSearchDivergesAndScatters) {
  const auto answer = describe(tree);
  ASSERT_TRUE(answer.has_value()) << to_string(answer.error());
  const StaticLoop& loop = answer->loops.at(0);
  EXPECT_EQ(value(loop, "parallelism"), 1048576);
  EXPECT_LT(value(loop, "coalesced"), 0.5); // tree[j] is not, tree[0] is
  EXPECT_GT(value(loop, "diverging"), 0.5); // every condition compares the key
  EXPECT_EQ(value(loop, "sincos_intensity"), 0);
}

TEST(StaticFeatures, AFileThatDoesNotCompileIsNamedAndPassedOver) {
  const auto good =
      TemporaryFile::write("void f(float *x) { for (int i = 0; i < 9; ++i) x[i] = 1; }\n", ".c");
  const auto bad = TemporaryFile::write("#include \"nowhere.h\"\n", ".c");
  ASSERT_TRUE(good.has_value() && bad.has_value());
  SourceTree sources;
  sources.files = {bad->path(), good->path()};
  const auto answer = static_features(sources);
  ASSERT_TRUE(answer.has_value()) << to_string(answer.error());
  ASSERT_EQ(answer->skipped.size(), 1U);
  EXPECT_EQ(answer->skipped[0].file, bad->path());
  EXPECT_NE(answer->skipped[0].why.find("nowhere.h"), std::string::npos);
  EXPECT_EQ(answer->loops.size(), 1U);
}

TEST(StaticFeatures, TheListOfCommandsSaysHowFilesAreCompiled) {
  const auto file = TemporaryFile::write("float x[COUNT];\n"
                                         "void f(void) { for (int i = 0; i < COUNT; ++i) x[i] = 1; }\n",
                                         ".c");
  ASSERT_TRUE(file.has_value());
  const auto list = TemporaryFile::write("[{\"directory\": \"/\", \"file\": \"" + file->path() +
                                             "\", \"command\": \"cc -O2 -DCOUNT=77 -c file.c\"}]\n",
                                         ".json");
  ASSERT_TRUE(list.has_value());
  SourceTree sources;
  sources.compile_commands = list->path();
  const auto answer = static_features(sources);
  ASSERT_TRUE(answer.has_value()) << to_string(answer.error());
  ASSERT_EQ(answer->loops.size(), 1U);
  EXPECT_EQ(value(answer->loops[0], "parallelism"), 77);
}

} // namespace
} // namespace forewarp::port
