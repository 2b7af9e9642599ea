// Values that all lanes share are computed in lane 0, also while lane 0 takes no part.
#include "unit/simt/kernel_runner.h"

namespace forewarp::simt::test {
namespace {

std::vector<std::int32_t> run_ints(const std::string& source, std::int32_t n) {
  const auto module = compile_cl(source);
  const auto run = must(run_whole(module, launch_of({64, 1, 1}, {64, 1, 1},
                                                    {{"out", ints(std::vector<std::int32_t>(64, 7))},
                                                     {"n", scalar(std::to_string(n))}})));
  return result_of<std::int32_t>(run, "out");
}

TEST(Uniform, LoopCounterOfLanesWithoutLaneZero) {
  for (const std::int32_t n : {3, 4, 24, 25}) {
    const auto out = run_ints("__kernel void k(__global int* out, int n) {"
                              " int x = get_global_id(0); if (x < 1 || x >= n - 1) return;"
                              " for (int z = 1; z < n - 1; ++z) out[x] = out[x] * 3 + z; }",
                              n);
    for (std::int32_t x = 0; x < 64; ++x) {
      std::int32_t expected = 7;
      if (x >= 1 && x < n - 1)
        for (std::int32_t z = 1; z < n - 1; ++z)
          expected = static_cast<std::int32_t>(static_cast<std::uint32_t>(expected) * 3U +
                                               static_cast<std::uint32_t>(z));
      ASSERT_EQ(out[static_cast<std::size_t>(x)], expected) << n << ' ' << x;
    }
  }
}

// `step` is the same for all lanes that compute it, in a loop, without lane 0, and read in a later block.
TEST(Uniform, ValueOfABranchInsideALoopWithoutLaneZero) {
  const auto out = run_ints(R"(
    __kernel void k(__global int* out, int n) {
      int x = get_global_id(0);
      for (int i = 0; i < n; ++i) {
        if (x & 1) {
          int step = i * i + n;
          for (int j = 0; j < i % 3; ++j) {
            out[x] += step;
            step = step ^ (j + 5);
          }
          out[x] ^= step;
        }
      }
    })",
                            9);
  for (std::int32_t x = 0; x < 64; ++x) {
    std::int32_t expected = 7;
    for (std::int32_t i = 0; (x & 1) != 0 && i < 9; ++i) {
      std::int32_t step = i * i + 9;
      for (std::int32_t j = 0; j < i % 3; ++j) {
        expected += step;
        step = step ^ (j + 5);
      }
      expected ^= step;
    }
    ASSERT_EQ(out[static_cast<std::size_t>(x)], expected) << x;
  }
}

// Lanes leave at different iterations: what they take with them is theirs, not that of the last lane.
TEST(Uniform, CounterReadAfterALoopThatLanesLeaveApart) {
  const auto out = run_ints("__kernel void k(__global int* out, int n) {"
                            " int x = get_global_id(0), i = 0, s = 0;"
                            " for (; i < n; ++i) { s += i * 2; if (i == x) break; }"
                            " out[x] = i * 1000 + s; }",
                            20);
  for (std::int32_t x = 0; x < 64; ++x) {
    std::int32_t i = 0, s = 0;
    for (; i < 20; ++i) {
      s += i * 2;
      if (i == x)
        break;
    }
    ASSERT_EQ(out[static_cast<std::size_t>(x)], i * 1000 + s) << x;
  }
}

// Each value is read twice by the next: 2^40 ways through them, 40 values.
TEST(Uniform, ChainOfValuesThatAreReadTwice) {
  std::string source = "__kernel void k(__global int* out, int n) { int i = get_global_id(0);"
                       " for (int j = 0; j < n; ++j) { float x = out[i];";
  for (int step = 0; step < 40; ++step)
    source += " x = fma(x, x, -x);";
  source += " out[i] = (int)x; } }";
  EXPECT_EQ(run_ints(source, 1)[5], run_ints(source, 1)[6]);
}

} // namespace
} // namespace forewarp::simt::test
