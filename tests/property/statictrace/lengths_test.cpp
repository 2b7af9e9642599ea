// Which group of a grid is the longest, found without running any: against the instructions of a run of all.
#include "simt/prepared.h"
#include "statictrace/build.h"
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace forewarp::statictrace {
namespace {

struct Found {
  std::optional<std::uint64_t> by_counting;
  std::uint64_t by_running = 0;
};

/// Work-item `i` of `groups` groups of 32 goes from `first` to below `bound`.
Found longest(const std::string& bound, std::uint64_t groups, const std::string& first = "0") {
  const auto module =
      test::compile_text("kernel void k(global int* a, global const int* b, int n) {\n"
                         "  int i = get_global_id(0), s = 0;\n"
                         "  for (int j = " +
                         first + "; j < " + bound + "; ++j) s += b[i ^ j];\n  a[i] = s;\n}\n");
  EXPECT_TRUE(module) << to_string(module.error());
  const ir::KernelSignature& kernel = module->kernels.front();
  const auto prepared = simt::PreparedKernel::prepare(*module, kernel);
  EXPECT_TRUE(prepared);
  const std::uint64_t n = 32 * groups;
  facts::Launch launch;
  launch.global_items = facts::Dim3{n, 1, 1};
  launch.group_size = facts::Dim3{32, 1, 1};
  launch.arguments = {{"a", facts::BufferValue{facts::ScalarType::i32, n, {}}},
                      {"b", facts::BufferValue{facts::ScalarType::i32, 4 * n, {}}},
                      {"n", facts::ScalarValue{std::to_string(n)}}};
  const auto analysis = Analysis::make(*module, kernel, *prepared);
  EXPECT_TRUE(analysis);
  const auto lengths = (*analysis)->lengths(launch, {});
  EXPECT_TRUE(lengths) << to_string(lengths.error());
  simt::RunOptions whole;
  whole.whole_grid = true;
  const auto run = prepared->run(launch, whole);
  EXPECT_TRUE(run) << to_string(run.error());
  const auto length = [](const facts::GroupTrace& group) { return group.warps.front().ir_instructions; };
  const auto most = std::ranges::max_element(run->trace.groups, {}, length);
  return {lengths->longest_group, most->group.x};
}

TEST(Lengths, OfTrianglesTheLongestGroupIsFound) {
  for (const char* bound : {"i", "(i < n / 4 ? 3 * i : n - i)", "(i / 32 == 5 ? n : 7)"}) {
    const Found found = longest(bound, 40);
    if (std::string(bound).starts_with("(i / 32"))
      EXPECT_EQ(found.by_counting, std::nullopt); // no group that is always sampled shows it
    else
      EXPECT_EQ(found.by_counting, found.by_running) << bound;
  }
}

// `n - i` iterations: unrolled loops whose rest counts up to zero and leaves on the overflow.
TEST(Lengths, OfTrianglesThatFallTheFirstGroupIsTheLongest) {
  for (const char* bound : {"n - i", "n - i - 1", "2 * (n - i)"}) {
    const Found found = longest(bound, 40);
    EXPECT_EQ(found.by_counting, 0U) << bound;
    EXPECT_EQ(found.by_running, 0U) << bound;
  }
}

TEST(Lengths, OfWhatStartsLaterInEachGroupTheFirstIsTheLongest) {
  const Found found = longest("n", 40, "i + 1");
  EXPECT_EQ(found.by_counting, 0U);
  EXPECT_EQ(found.by_running, 0U);
}

TEST(Lengths, AlikeGroupsHaveNoLongest) {
  EXPECT_EQ(longest("n / 8", 40).by_counting, std::nullopt);
  EXPECT_EQ(longest("(i & 31)", 40).by_counting, std::nullopt);
  EXPECT_EQ(longest("b[i]", 40).by_counting, std::nullopt); // rests on data
}

} // namespace
} // namespace forewarp::statictrace
