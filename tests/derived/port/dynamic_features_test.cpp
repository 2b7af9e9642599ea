// Dynamic features (Ardalani, dissertation 2016, table 3.1) of programs that can be worked out by hand.
// Readings: docs/models/xapp_features.md.
#include "port/features/dynamic_features.h"
#include "support/temporary_file.h"

#include <gtest/gtest.h>

namespace forewarp::port {
namespace {

class Features {
public:
  explicit Features(const std::string& text, FeatureDetail detail = FeatureDetail::full) {
    auto file = TemporaryFile::write(text, ".c");
    if (!file)
      return;
    DynamicRequest request;
    request.program.files = {file->path()};
    request.program.repetitions = 0;
    request.detail = detail;
    auto answer = dynamic_features(request);
    if (answer && answer->rows.size() == 1) {
      problem = answer->rows[0].problem.message;
      row_ = answer->rows[0].row;
      counted_ = answer->rows[0].counted;
    } else if (!answer)
      problem = to_string(answer.error());
  }
  double operator[](const std::string& name) const { return of(row_, name); }
  double counted(const std::string& name) const { return of(counted_, name); }
  std::string problem = "no row";

private:
  static double of(const facts::FeatureRow& row, const std::string& name) {
    for (const facts::Feature& feature : row.features)
      if (feature.name == name)
        return feature.value;
    return -1;
  }
  facts::FeatureRow row_, counted_;
};

/// An iteration is load, store, i + 1, comparison, branch: 5 instructions, of which 2 memory, 1 control, 2
/// integer.
TEST(DynamicFeatures, ACopyReadsAndWritesEachBlockOnce) {
  const Features copy("float a[4096], b[4096];\n"
                      "int main(void) {\n"
                      "#pragma forewarp parallel\n"
                      "  for (int i = 0; i < 4096; ++i)\n"
                      "    b[i] = a[i];\n"
                      "  return (int)b[7];\n"
                      "}\n");
  ASSERT_EQ(copy.problem, "");
  EXPECT_EQ(copy["ninst"], 5 * 4096);
  EXPECT_DOUBLE_EQ(copy["mem"], 2.0 / 5);
  EXPECT_DOUBLE_EQ(copy["ctrl"], 1.0 / 5);
  EXPECT_DOUBLE_EQ(copy["int"], 2.0 / 5);
  EXPECT_DOUBLE_EQ(copy["arith"], 2.0 / 5);
  EXPECT_EQ(copy["fp"], 0);
  EXPECT_EQ(copy["div"], 0);
  // Two arrays of 16,384 B are 2 x 128 blocks of 128 B and 2 x 4 pages of 4 KB; 8192 accesses, 256 of them
  // the first to their block.
  EXPECT_EQ(copy["blocks"], 256);
  EXPECT_EQ(copy["pages"], 8);
  EXPECT_DOUBLE_EQ(copy["coldRef"], 256.0 / 8192);
  EXPECT_DOUBLE_EQ(copy["alt_blocks"], 32);
  // Load and store take turns: each finds its own block behind one other (distance 1), but for the first to a
  // block.
  EXPECT_DOUBLE_EQ(copy["reuseDist2"], (8192.0 - 256) / 8192);
  EXPECT_DOUBLE_EQ(copy["alt_reuseDist1"], (8192.0 - 256) / 8192);
  // 32 floats side by side are one block of 128 B: the arrays begin at a block's begin.
  EXPECT_DOUBLE_EQ(copy["coalesced"], 1);
  EXPECT_DOUBLE_EQ(copy["gMemBW"], 1);
  EXPECT_DOUBLE_EQ(copy["noConflict"], 1);
  EXPECT_DOUBLE_EQ(copy["shMemBW"], 1);
  EXPECT_EQ(copy["stride0"], 0);
  // The loop's branch goes back 4095 times, then out: the last window of each size holds both.
  EXPECT_DOUBLE_EQ(copy["Lbdiv16"], 1.0 / 256);
  EXPECT_DOUBLE_EQ(copy["Lbdiv1024"], 1.0 / 4);
  // i is ready in cycle k of iteration k (from 0). i + 1: k + 1; comparison: k + 2; branch: k + 3. All 20,480
  // instructions lie in one window of 65,536, whose longest chain ends with the last branch in cycle 4098.
  EXPECT_DOUBLE_EQ(copy["ilp65536"], 20480.0 / 4098);
  EXPECT_GT(copy["ilpRate"], 1);
  // As a text: the thread's own operations are load and store, both coalesced; 4096 threads.
  EXPECT_EQ(copy.counted("ksize"), 2);
  EXPECT_EQ(copy.counted("coalesced"), 1);
  EXPECT_EQ(copy.counted("parallelism"), 4096);
}

/// One load in 64 rows of 256 B, and an addition that waits for the one before.
TEST(DynamicFeatures, AColumnTakesATransactionForEachElement) {
  const Features column("float m[64][64], sum;\n"
                        "int main(void) {\n"
                        "  float s = 0;\n"
                        "#pragma forewarp parallel\n"
                        "  for (int i = 0; i < 64; ++i)\n"
                        "    s += m[i][3];\n"
                        "  sum = s;\n"
                        "  return 0;\n"
                        "}\n");
  ASSERT_EQ(column.problem, "");
  // Two windows of 32 loads; each of the loads lies in a block of its own.
  EXPECT_DOUBLE_EQ(column["gMemBW"], 1.0 / 32);
  EXPECT_EQ(column["coalesced"], 0);
  EXPECT_EQ(column["blocks"], 64);
  EXPECT_EQ(column["pages"], 4);
  EXPECT_EQ(column["coldRef"], 1);
  EXPECT_EQ(column["reuseDist2"], 0);
  // A stride of 64 words: all in one of 32 banks. The other reading knows strides up to 32 only.
  EXPECT_DOUBLE_EQ(column["shMemBW"], 1.0 / 32);
  EXPECT_EQ(column["noConflict"], 0);
  EXPECT_EQ(column["alt_shMemBW"], 0);
  // load, add, i + 1, comparison, branch
  EXPECT_EQ(column["ninst"], 5 * 64);
  EXPECT_DOUBLE_EQ(column["fp"], 1.0 / 5);
  EXPECT_EQ(column["mulf"], 0);
}

/// x[i] = *c + y[i], where c may point into x: it is read again in each iteration.
TEST(DynamicFeatures, OneAddressForAllIsAThirdOfTheWindows) {
  const Features scaled("#include <stdlib.h>\n"
                        "static void f(float *x, float *y, float *c) {\n"
                        "#pragma forewarp parallel\n"
                        "  for (int i = 0; i < 320; ++i)\n"
                        "    x[i] = *c + y[i];\n"
                        "}\n"
                        "int main(int argc, char **argv) {\n"
                        "  float *x = calloc(400, 4), *y = calloc(400, 4), *c = calloc(argc, 4);\n"
                        "  f(x, y, c);\n"
                        "  return (int)x[5];\n"
                        "}\n");
  ASSERT_EQ(scaled.problem, "");
  EXPECT_DOUBLE_EQ(scaled["stride0"], 1.0 / 3); // 30 windows, 10 of them of c
  EXPECT_DOUBLE_EQ(scaled["noConflict"], 2.0 / 3);
  EXPECT_DOUBLE_EQ(scaled["coalesced"], 1); // one address is one transaction
  EXPECT_EQ(scaled["blocks"], 10 + 10 + 1);
  EXPECT_EQ(scaled["pages"], 3);
}

/// The condition alternates: all its windows are mixed; of the loop's own branch one in 256 is.
TEST(DynamicFeatures, AlternatingBranchesAreMixedInEveryWindow) {
  const Features odd("int k[4096], x[4096];\n"
                     "int main(void) {\n"
                     "  for (int i = 0; i < 4096; ++i)\n"
                     "    k[i] = i;\n"
                     "#pragma forewarp parallel\n"
                     "  for (int i = 0; i < 4096; ++i)\n"
                     "    if (k[i] & 1)\n"
                     "      x[i] = 1;\n"
                     "  return x[3];\n"
                     "}\n");
  ASSERT_EQ(odd.problem, "");
  EXPECT_DOUBLE_EQ(odd["Lbdiv16"], (256.0 + 1) / 512);
  EXPECT_DOUBLE_EQ(odd["Lbdiv1024"], (4.0 + 1) / 8);
  // load, and, comparison, branch, (store half of the time), i + 1, comparison, branch
  EXPECT_EQ(odd["ninst"], 4096 * 7 + 2048);
  // 128 windows of the load: one block each; 64 of the store, whose stride is 2 elements: two blocks each.
  EXPECT_DOUBLE_EQ(odd["coalesced"], 128.0 / 192);
  EXPECT_DOUBLE_EQ(odd["gMemBW"], (128.0 + 64 * 0.5) / 192);
  EXPECT_DOUBLE_EQ(odd["noConflict"], 128.0 / 192);
  EXPECT_DOUBLE_EQ(odd["shMemBW"], (128.0 + 64 * 0.5) / 192);
}

/// sin, exp, sqrt, *, /, +: six operations in single precision.
TEST(DynamicFeatures, TranscendentalsAreCountedApart) {
  const Features special("#include <math.h>\n"
                         "float x[64], y[64];\n"
                         "int main(void) {\n"
                         "#pragma forewarp parallel\n"
                         "  for (int i = 0; i < 64; ++i)\n"
                         "    y[i] = sinf(x[i]) + expf(x[i]) * sqrtf(x[i]) / 3.0f;\n"
                         "  return (int)y[9];\n"
                         "}\n");
  ASSERT_EQ(special.problem, "");
  for (const char* name : {"mulf", "divf", "sqrtf", "expf", "sincosf"})
    EXPECT_DOUBLE_EQ(special[name], 1.0 / 6) << name;
  // load, the six, store, i + 1, comparison, branch
  EXPECT_EQ(special["ninst"], 64 * 11);
  EXPECT_DOUBLE_EQ(special["fp"], 6.0 / 11);
  EXPECT_DOUBLE_EQ(special["div"], 1.0 / 11);
}

/// Each iteration reads what the one before wrote: refused as parallel, and yet it has features. The value
/// stays in a register: load b[i], add, store, i + 1, comparison, branch; the addition of iteration k waits
/// for that of k - 1.
TEST(DynamicFeatures, LoopsThatAreNotParallelHaveThemToo) {
  const Features prefix("float a[1025], b[1025];\n"
                        "int main(void) {\n"
                        "#pragma forewarp parallel\n"
                        "  for (int i = 1; i < 1025; ++i)\n"
                        "    a[i] = a[i - 1] + b[i];\n"
                        "  return (int)a[9];\n"
                        "}\n");
  ASSERT_EQ(prefix.problem, "");
  EXPECT_GT(prefix["ninst"], 1024 * 5);
  EXPECT_DOUBLE_EQ(prefix["fp"] * prefix["ninst"], 1024);
  EXPECT_LT(prefix["ilp65536"], 7);
}

/// Some windows stand for all: 1.9 million instructions of a matrix product, 28 windows.
TEST(DynamicFeatures, SamplesAgreeWithTheWholeRun) {
  const char* text = "float a[64][64], b[64][64], c[64][64];\n"
                     "int main(void) {\n"
                     "#pragma forewarp parallel\n"
                     "  for (int i = 0; i < 64; ++i)\n"
                     "    for (int j = 0; j < 64; ++j) {\n"
                     "      float s = 0;\n"
                     "      for (int k = 0; k < 64; ++k)\n"
                     "        s += a[i][k] * b[k][j];\n"
                     "      c[i][j] = s;\n"
                     "    }\n"
                     "  return (int)c[3][4];\n"
                     "}\n";
  const Features whole(text), sampled(text, FeatureDetail::sampled);
  ASSERT_EQ(whole.problem, "");
  ASSERT_EQ(sampled.problem, "");
  for (const char* name : dynamic_feature_names) {
    const std::string word = name;
    const bool looked_at = word.starts_with("ilp") || word == "reuseDist2";
    EXPECT_NEAR(sampled[word], whole[word], looked_at ? 0.03 * whole[word] : 0) << word;
  }
}

} // namespace
} // namespace forewarp::port
