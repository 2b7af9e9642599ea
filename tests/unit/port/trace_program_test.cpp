// Programs compiled, run and traced: counts that can be worked out by hand.
#include "port/trace_program.h"
#include "support/temporary_file.h"

#include <gtest/gtest.h>

namespace forewarp::port {
namespace {

Result<TracedProgram> trace(const std::string& text, const std::string& suffix = ".c",
                            std::vector<std::uint64_t> block = {}) {
  auto file = TemporaryFile::write(text, suffix);
  FOREWARP_TRY(file);
  ProgramRequest request;
  request.files = {file->path()};
  request.repetitions = 0;
  request.block = std::move(block);
  return trace_program(request);
}

unsigned count(const facts::RegionTrace& trace, facts::RegionOp op) {
  unsigned found = 0;
  for (const facts::RegionInstruction& instruction : trace.instructions)
    found += instruction.op == op ? 1 : 0;
  return found;
}

TEST(TraceProgram, MatrixProductHasItsLoopsOperationsAndBytes) {
  const auto program = trace("float a[40][40], b[40][40], c[40][40];\n"
                             "int main(void) {\n"
                             "#pragma forewarp parallel name(product) block(8, 4)\n"
                             "  for (int i = 0; i < 40; ++i)\n"
                             "    for (int j = 0; j < 40; ++j) {\n"
                             "      float s = 0;\n"
                             "      for (int k = 0; k < 40; ++k)\n"
                             "        s += a[i][k] * b[k][j];\n"
                             "      c[i][j] = s;\n"
                             "    }\n"
                             "  return (int)c[3][4];\n"
                             "}\n");
  ASSERT_TRUE(program.has_value()) << to_string(program.error());
  ASSERT_EQ(program->regions.size(), 1U);
  const TracedRegion& region = program->regions[0];
  EXPECT_TRUE(region.valid()) << region.problem.message;
  const facts::RegionTrace& traced = region.trace;
  EXPECT_EQ(traced.name, "product");
  EXPECT_EQ(traced.dimensions, 2U);
  EXPECT_EQ(traced.block, (std::array<std::uint64_t, 3>{8, 4, 1}));
  ASSERT_EQ(traced.loops.size(), 3U);
  EXPECT_EQ(traced.loops[2].variable, "k");
  EXPECT_EQ(traced.loops[2].iterations, 64000U);
  EXPECT_EQ(traced.sites.size(), 3U);
  EXPECT_EQ(count(traced, facts::RegionOp::fp32_fma), 1U);
  EXPECT_EQ(traced.threads.size(), 1600U);
  EXPECT_EQ(traced.addresses.size(), 1600U * 81U);
  std::uint64_t in = 0, out = 0;
  for (const facts::RegionObject& object : traced.objects) {
    in += object.copy_in_bytes;
    out += object.written_bytes;
  }
  EXPECT_EQ(in, 2U * 6400U);
  EXPECT_EQ(out, 6400U);
}

/// Ardalani's figure 4.2 and plainer ones: a variable of the program that some iterations add to, kept in a
/// register or not. What another statement reads in between, or sets, is no sum.
TEST(TraceProgram, GuardedSumsIntoAGlobalAreReductions) {
  const auto program = trace("int tree[65536], found, keys[4096];\n"
                             "int main(void) {\n"
                             "  for (int i = 0; i < 4096; ++i)\n"
                             "    keys[i] = tree[i] = i * 37 % 5000;\n"
                             "#pragma forewarp parallel name(search)\n"
                             "  for (int i = 0; i < 4096; i++) {\n"
                             "    int key = keys[i];\n"
                             "    if (key == tree[0]) {\n"
                             "      found++;\n"
                             "      continue;\n"
                             "    }\n"
                             "    for (int j = 0; j < 20; j++)\n"
                             "      if (key == tree[j * 3 + 1]) {\n"
                             "        found++;\n"
                             "        break;\n"
                             "      }\n"
                             "  }\n"
                             "#pragma forewarp parallel name(weighted)\n"
                             "  for (int i = 0; i < 4096; i++)\n"
                             "    if (keys[i] > 40)\n"
                             "      found += keys[i];\n"
                             "#pragma forewarp parallel name(numbered)\n"
                             "  for (int i = 0; i < 4096; i++)\n"
                             "    if (keys[i] > 40) {\n"
                             "      found++;\n"
                             "      tree[i] = found;\n"
                             "    }\n"
                             "#pragma forewarp parallel name(reset)\n"
                             "  for (int i = 0; i < 4096; i++)\n"
                             "    if (keys[i] > 40)\n"
                             "      found++;\n"
                             "    else if (keys[i] > 20)\n"
                             "      found = 3;\n"
                             "  return found;\n"
                             "}\n");
  ASSERT_TRUE(program.has_value()) << to_string(program.error());
  ASSERT_EQ(program->regions.size(), 4U);
  for (const std::size_t sum : {0, 1}) {
    const TracedRegion& region = program->regions[sum];
    EXPECT_TRUE(region.valid()) << region.trace.name << ": " << region.problem.message;
    ASSERT_FALSE(region.parallelism.reductions.empty()) << region.trace.name;
    for (const std::string& words : region.parallelism.reductions)
      EXPECT_TRUE(words.starts_with("+ into 'found'")) << words;
  }
  for (const std::size_t other : {2, 3})
    EXPECT_NE(program->regions[other].problem.message.find("cannot be run in parallel"), std::string::npos)
        << program->regions[other].trace.name;
}

TEST(TraceProgram, AccumulationThroughAPointerStaysInMemory) {
  const char* text = "#include <stdlib.h>\n"
                     "static void f(float *x, float *y, int n) {\n"
                     "#pragma forewarp parallel\n"
                     "  for (int i = 0; i < n; ++i)\n"
                     "    for (int j = 0; j < n; ++j)\n"
                     "      y[i] += x[i * n + j];\n"
                     "}\n"
                     "int main(void) {\n"
                     "  float *x = calloc(6400, 4), *y = calloc(80, 4);\n"
                     "  f(x, y, 80);\n"
                     "  return (int)y[3];\n"
                     "}\n";
  const auto program = trace(text);
  ASSERT_TRUE(program.has_value()) << to_string(program.error());
  const TracedRegion& region = program->regions[0];
  EXPECT_TRUE(region.valid()) << region.problem.message;
  EXPECT_EQ(region.parallelism.dimensions, 1U); // j gathers
  EXPECT_EQ(region.trace.sites.size(), 3U);
  ASSERT_EQ(region.trace.objects.size(), 2U);
  EXPECT_EQ(region.trace.objects[0].kind, facts::RegionObject::Kind::heap);
  EXPECT_EQ(region.trace.objects[0].size_bytes, 320U);
  EXPECT_EQ(region.trace.objects[0].name, "y");
}

TEST(TraceProgram, CalledFunctionsBelongToTheRegion) {
  const auto program = trace("float a[500];\n"
                             "static int depth(int n) { return n < 2 ? 1 : depth(n - 1) + depth(n - 2); }\n"
                             "int main(void) {\n"
                             "#pragma forewarp parallel\n"
                             "  for (int i = 0; i < 500; ++i)\n"
                             "    a[i] = depth(i % 6);\n"
                             "  return (int)a[3];\n"
                             "}\n");
  ASSERT_TRUE(program.has_value()) << to_string(program.error());
  const TracedRegion& region = program->regions[0];
  EXPECT_TRUE(region.valid()) << region.problem.message;
  std::uint64_t runs = 0;
  for (const facts::RegionBlock& block : region.trace.blocks)
    runs += block.runs;
  EXPECT_GT(runs, 500U * 3U); // more than the loop's own blocks
}

TEST(TraceProgram, ThreeDimensionsAndALaunchForEachExecution) {
  const auto program = trace("static float a[12][10][8], b[12][10][8];\n"
                             "int main(void) {\n"
                             "  for (int t = 0; t < 3; ++t) {\n"
                             "#pragma forewarp parallel\n"
                             "    for (int i = 1; i < 12; ++i)\n"
                             "      for (int j = 0; j < 10; ++j)\n"
                             "        for (int k = 0; k < 8; ++k)\n"
                             "          b[i][j][k] = a[i - 1][j][k] + t;\n"
                             "  }\n"
                             "  return (int)b[3][4][5];\n"
                             "}\n");
  ASSERT_TRUE(program.has_value()) << to_string(program.error());
  const facts::RegionTrace& traced = program->regions[0].trace;
  EXPECT_EQ(traced.dimensions, 3U);
  EXPECT_EQ(traced.launches.size(), 3U);
  EXPECT_EQ(traced.extents, (std::array<std::uint64_t, 3>{12, 10, 8}));
  EXPECT_EQ(traced.launches[2].threads, 880U);
  // 4096 threads are 8 of the 1 x 3 x 3 blocks of 32 x 4 x 4; the ninth has 4 x 2 x 8 iterations.
  EXPECT_EQ(traced.threads.size(), 880U - 64U);
}

TEST(TraceProgram, ArraysOnTheStackAreObjectsAndPrivateOnesAreNamed) {
  const auto program = trace("int main(void) {\n"
                             "  float a[3000], b[3000];\n"
                             "  for (int i = 0; i < 3000; ++i) a[i] = i;\n"
                             "#pragma forewarp parallel\n"
                             "  for (int i = 0; i < 3000; ++i) {\n"
                             "    float t[4];\n"
                             "    for (int j = 0; j < 4; ++j) t[j] = a[i] * j;\n"
                             "    b[i] = t[(int)a[i] & 3];\n"
                             "  }\n"
                             "  return (int)b[3];\n"
                             "}\n");
  ASSERT_TRUE(program.has_value()) << to_string(program.error());
  const facts::RegionTrace& traced = program->regions[0].trace;
  ASSERT_EQ(traced.objects.size(), 3U);
  for (const facts::RegionObject& object : traced.objects) {
    EXPECT_EQ(object.kind, facts::RegionObject::Kind::stack);
    EXPECT_EQ(object.size_bytes, object.name == "t" ? 16U : 12000U);
    EXPECT_EQ(object.privatizable, object.name == "t");
  }
}

TEST(TraceProgram, ADependenceThatBeginsLateIsFound) {
  const auto program = trace("static float a[200000], b[200000];\n"
                             "int main(void) {\n"
                             "#pragma forewarp parallel\n"
                             "  for (int i = 1; i < 199999; ++i) {\n"
                             "    b[i] = a[i - 1] + a[i + 1];\n"
                             "    if (i > 190000)\n"
                             "      a[i] = 3;\n"
                             "  }\n"
                             "  return (int)b[3];\n"
                             "}\n");
  ASSERT_TRUE(program.has_value()) << to_string(program.error());
  EXPECT_NE(program->regions[0].problem.message.find("line 5 reads what line 7 wrote in iteration i-1 ('a')"),
            std::string::npos)
      << program->regions[0].problem.message;
}

TEST(TraceProgram, SameTraceTwice) {
  const char* text =
      "float a[300], b[300];\nint main(void) {\n#pragma forewarp parallel\n"
      "  for (int i = 0; i < 300; ++i)\n    b[i] = a[i] > 0 ? a[i] : 1;\n  return (int)b[3];\n}\n";
  const auto first = trace(text), second = trace(text);
  ASSERT_TRUE(first.has_value() && second.has_value());
  EXPECT_EQ(first->regions[0].trace.steps, second->regions[0].trace.steps);
  EXPECT_EQ(first->regions[0].trace.value_count, second->regions[0].trace.value_count);
}

TEST(TraceProgram, CopiesAndFillsAreLoadsAndStores) {
  const auto program = trace("#include <string.h>\n"
                             "float a[64][96], b[64][96]; char c[64][24];\n"
                             "int main(int n, char **v) {\n"
                             "#pragma forewarp parallel\n"
                             "  for (int i = 0; i < 64; ++i) {\n"
                             "    memcpy(b[i], a[i], 4 * 96);\n"
                             "    memset(c[i], n, 20 + 3 * n);\n"
                             "  }\n"
                             "  return (int)b[3][4] + c[5][6] + v[0][0];\n"
                             "}\n");
  ASSERT_TRUE(program.has_value()) << to_string(program.error());
  const TracedRegion& region = program->regions[0];
  EXPECT_TRUE(region.valid()) << region.problem.message;
  EXPECT_EQ(region.trace.dimensions, 1U); // what a copy does inside is no loop of the source
  ASSERT_EQ(region.trace.loops.size(), 3U);
  EXPECT_EQ(region.trace.loops[1].iterations, 64U * 48); // 8 bytes at a time
  EXPECT_EQ(region.trace.loops[2].iterations, 64U * 23); // a length that nothing is known of: single bytes
  std::uint64_t written = 0;
  for (const facts::RegionObject& object : region.trace.objects)
    written += object.written_bytes;
  EXPECT_EQ(written, 64U * (384 + 23));
}

TEST(TraceProgram, EqualLoadsAreOneThatKnowsHowOftenItIsWritten) {
  // a[i] three times before the store; once more after it, where another b could have changed it.
  const auto program = trace("#include <stdlib.h>\n"
                             "static void f(float *a, float *b) {\n"
                             "#pragma forewarp parallel\n"
                             "  for (int i = 0; i < 64; ++i) {\n"
                             "    b[i] = a[i] * a[i] + 2 * a[i];\n"
                             "    b[i + 64] = a[i];\n"
                             "  }\n"
                             "}\n"
                             "int main(void) {\n"
                             "  float *m = calloc(64, 4), *n = calloc(128, 4);\n"
                             "  f(m, n);\n"
                             "  return (int)n[70];\n"
                             "}\n");
  ASSERT_TRUE(program.has_value()) << to_string(program.error());
  std::vector<std::uint32_t> written;
  for (const facts::RegionSite& site : program->regions.at(0).trace.sites)
    written.push_back(site.written);
  EXPECT_EQ(written, (std::vector<std::uint32_t>{3, 1, 1, 1}));
}

} // namespace
} // namespace forewarp::port
