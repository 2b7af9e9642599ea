// Loops whose iterations are written instead of run, at the edges of what may be: the trace, the note and the
// error have to be those of a run of every iteration.
#include "unit/simt/kernel_runner.h"

#include <gtest/gtest.h>

#include <ostream>

namespace forewarp::simt {
namespace {

using namespace test;

struct Case {
  const char* name;
  const char*
      body; ///< of kernel k(global int* a, global int* b, int n, uint step), 64 work-items in 2 groups
  int n = 200;
  unsigned step = 1;
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

/// What a run left, as text: equal texts, equal runs.
std::string outcome_of(const ir::KernelModule& module, const Case& c, bool replay) {
  const auto kernel = frontend::select_kernel(module, "");
  std::vector<std::int32_t> ones(4096, 1);
  const auto launch = launch_of({64, 1, 1}, {32, 1, 1},
                                {{"a", ints(ones)},
                                 {"b", ints(ones)},
                                 {"n", scalar(std::to_string(c.n))},
                                 {"step", scalar(std::to_string(c.step))}});
  RunOptions options;
  options.replay_loops = replay;
  options.asked_values_only = replay;
  const auto result = run(module, **kernel, launch, options);
  if (!result)
    return to_string(result.error());
  std::string text;
  for (const facts::GroupTrace& group : result->trace.groups)
    for (const facts::WarpTrace& warp : group.warps) {
      text += std::to_string(warp.ir_instructions) + ':';
      for (const facts::BlockStep& step : warp.steps)
        text += ' ' + std::to_string(step.block) + '/' + std::to_string(step.active) + '@' +
                std::to_string(step.first_event);
      for (const facts::MemoryEvent& event : warp.events)
        text += ' ' + std::to_string(event.site) + '=' + std::to_string(event.base) + '+' +
                std::to_string(event.stride);
      text += '\n';
    }
  for (const facts::Note& note : result->trace.notes)
    text += note.text + '\n';
  return text;
}

class ReplayEdges : public testing::TestWithParam<Case> {};

TEST_P(ReplayEdges, AreAsWhenEveryIterationIsRun) {
  const auto module =
      compile_cl(std::string("__kernel void k(__global int* a, __global int* b, int n, uint step) {\n") +
                 GetParam().body + "\n}\n");
  const std::string run = outcome_of(module, GetParam(), false);
  EXPECT_EQ(outcome_of(module, GetParam(), true), run);
  EXPECT_GT(run.size(), 50U);
}

#define ID "int i = get_global_id(0); "
const Case cases[] = {
    {"sum", ID "int s = 0; for (int k = 0; k < n; ++k) s += a[k * 4 + i]; b[i] = s;"},
    {"backwards", ID "int s = 0; for (int k = n; k > 3; k -= 3) s ^= a[k + i]; b[i] = s;"},
    {"until_equal", ID "int s = 0; for (int k = 0; k != n; k += 2) s ^= a[k + i]; b[i] = s;"},
    {"lanes_leave_one_by_one", ID "for (int k = i; k < n; k += 7) b[k] = k;"},
    {"groups_differ", ID "for (int k = get_group_id(0) * 100; k < n; ++k) b[k + i] = k;"},
    {"nested", ID
     "int s = 0; for (int k = 0; k < n; ++k) for (int m = 0; m < 9; ++m) s += a[k * 9 + m + i]; b[i] = s;"},
    {"triangle",
     ID "int s = 0; for (int k = 0; k < 60; ++k) for (int m = 0; m < k; ++m) s += a[k + m + i]; b[i] = s;"},
    {"beyond_the_end", ID "int s = 0; for (int k = 0; k < n; ++k) s += a[k * 64 + i]; b[i] = s;"},
    {"beyond_the_end_half_way",
     ID "int s = 0; for (int k = 0; k < n; ++k) s += a[(k & 127) * 64 + i]; b[i] = s;"},
    {"address_wraps",
     "uint i = get_global_id(0), s = 0; for (int k = 0; k < n; ++k) s += a[(uint)(k * step + i) >> 20]; b[i] "
     "= s;",
     200, 40000000},
    {"extension_wraps",
     "uchar i = get_local_id(0); int s = 0; for (int k = 0; k < n; ++k) s += a[(uchar)(k + i)]; b[i] = s;",
     600},
    {"sum_decides",
     ID "int s = 0; for (int k = 0; k < n; ++k) { s += a[k + i]; if (s > 150) b[i + k] = s; }"},
    {"sum_decides_behind", ID "int s = 0; for (int k = 0; k < n; ++k) s += a[k + i]; if (s > 150) b[i] = s;"},
    {"sum_is_an_index_behind", ID "int s = 0; for (int k = 0; k < n; ++k) s += a[k + i]; b[s] = i;"},
    {"memory_decides_behind",
     ID "for (int k = 0; k < n; ++k) b[k * 4 + i] = 2; if (b[100 * 4 + i] == 2) a[i] = 1;"},
    {"shared_decides_behind", "__local int t[256]; int i = get_local_id(0); for (int k = 0; k < n; ++k) t[(k "
                              "+ i) & 255] = k; barrier(CLK_LOCAL_MEM_FENCE); if (t[150] > 100) b[i] = 1;"},
    {"barrier_inside",
     "__local int t[32]; int i = get_local_id(0), s = 0; for (int k = 0; k < n; ++k) { t[i] = a[k * 8 + i]; "
     "barrier(CLK_LOCAL_MEM_FENCE); s += t[31 - i]; barrier(CLK_LOCAL_MEM_FENCE); } b[i] = s;"},
    {"barriers_as_often_as_a_quotient_says",
     "__local int t[32]; int i = get_local_id(0), s = 0; for (int k = 0; k < n / 16; ++k) { t[i] = a[k * 8 + "
     "i]; barrier(CLK_LOCAL_MEM_FENCE); s += t[31 - i]; barrier(CLK_LOCAL_MEM_FENCE); } b[i] = s;"},
    {"own_variable_is_only_read",
     "volatile int tid = get_local_id(0); __local int t[32]; int s = 0; for (int k = 0; k < n; ++k) { t[tid] "
     "= a[k * 8 + tid / 4]; barrier(CLK_LOCAL_MEM_FENCE); s += t[31 - tid]; barrier(CLK_LOCAL_MEM_FENCE); } "
     "b[tid] = s;"},
    {"own_variable_grows",
     "volatile int at = get_global_id(0); int s = 0; for (int k = 0; k < n; ++k) { s += "
     "a[at]; at = at + 3; } b[at] = s;"},
    {"own_variable_is_written_by_an_outer_loop", ID
     "volatile int at = i; int s = 0; for (int m = 0; m < 6; ++m) { for (int k = 0; k < n; ++k) s += a[k + "
     "at]; at = s & 63; } b[i] = s;"},
    {"parity",
     ID "int s = 0; for (int k = 0; k < n; ++k) if (k & 1) s += a[k + i]; else s -= b[k + i]; b[i] = s;"},
    {"breaks", ID "int s = 0; for (int k = 0; k < n; ++k) { if (a[k + i] == 5) break; s += k; } b[i] = s;"},
    {"unknown_decides", ID
     "__private int t[8]; int s = 0; for (int k = 0; k < n; ++k) if (t[k & 7] > 3) s += a[k + i]; b[i] = s;"},
    {"doubling", ID "int s = 0; for (uint k = 1; k < 4000; k *= 2) s += a[k + i]; b[i] = s;"},
    {"pointer_walk",
     "__global int* p = a + get_global_id(0); int s = 0; for (int k = 0; k < n; ++k, p += step) s += *p; "
     "b[get_global_id(0)] = s;",
     200, 16},
};
#undef ID

INSTANTIATE_TEST_SUITE_P(Loops, ReplayEdges, testing::ValuesIn(cases),
                         [](const testing::TestParamInfo<Case>& c) { return std::string(c.param.name); });

/// What may be written is not run: more iterations than any budget of time allows.
TEST(ReplayBehindTheRecord, BarriersAndOwnVariablesAreNoHindrance) {
  const auto module = compile_cl(
      "__kernel void k(__global int* a, __global int* b, int n) { volatile int tid = get_local_id(0);\n"
      "__local int t[32]; int s = 0; for (int k = 0; k < n / 16; ++k) { t[tid] = a[tid / 4];\n"
      "barrier(CLK_LOCAL_MEM_FENCE); s += t[31 - tid]; barrier(CLK_LOCAL_MEM_FENCE); } b[tid] = s; }\n");
  facts::Launch launch = launch_of({32}, {32},
                                   {{"a", unknown(facts::ScalarType::i32, 32)},
                                    {"b", unknown(facts::ScalarType::i32, 32)},
                                    {"n", scalar("2000000000")}});
  RunOptions options;
  options.max_trace_bytes = 200'000;
  options.max_instructions = 1'000'000'000'000;
  const RunResult replayed = must(run(module, module.kernels.front(), launch, options));
  EXPECT_GT(replayed.trace.groups[0].warps[0].ir_instructions, 1'000'000'000U);
}

/// Two loops in one another with far more iterations than the trace has room for.
RunResult run_cut(const std::string& n, bool replay) {
  static const ir::KernelModule module = compile_cl(
      "__kernel void k(__global int* a, __global int* b, int n) { int i = get_global_id(0), s = 0;\n"
      "for (int k = 0; k < n; ++k) for (int m = 0; m < n; ++m) s += a[(k + i) * n + m]; b[i] = s; }\n");
  facts::Launch launch = launch_of({64}, {32},
                                   {{"a", unknown(facts::ScalarType::i32, 1ULL << 32)},
                                    {"b", unknown(facts::ScalarType::i32, 64)},
                                    {"n", scalar(n)}});
  RunOptions options;
  options.replay_loops = replay;
  options.max_trace_bytes = 200'000;
  options.max_instructions = 1'000'000'000'000;
  return must(run(module, module.kernels.front(), launch, options));
}

TEST(ReplayBehindTheRecord, CountsTheSame) {
  const RunResult run = run_cut("301", false), replayed = run_cut("301", true);
  const facts::WarpTrace &all = run.trace.groups[0].warps[0], &counted = replayed.trace.groups[0].warps[0];
  EXPECT_EQ(counted.ir_instructions, all.ir_instructions);
  EXPECT_LT(all.recorded_share, 0.1);
  EXPECT_NEAR(counted.recorded_share, all.recorded_share, 0.03 * all.recorded_share);
}

// A thousand million iterations: of each inner loop five are run.
TEST(ReplayBehindTheRecord, IsNotRun) {
  const RunResult replayed = run_cut("32768", true);
  EXPECT_GT(replayed.trace.groups[0].warps[0].ir_instructions, 1'000'000'000U);
}

// The first group has twice the iterations of the second; both records end early in the first rows.
TEST(ReplayBehindTheRecord, GroupsOfUnequalWorkAreNotOfOneClass) {
  const ir::KernelModule module = compile_cl(
      "__kernel void k(__global int* a, __global int* b, int n) { int i = get_global_id(0), s = 0;\n"
      "int rows = get_group_id(0) == 0 ? 2 * n : n;\n"
      "for (int k = 0; k < rows; ++k) for (int m = 0; m < n; ++m) s += a[(k + i) * n + m]; b[i] = s; }\n");
  facts::Launch launch = launch_of({64}, {32},
                                   {{"a", unknown(facts::ScalarType::i32, 1ULL << 32)},
                                    {"b", unknown(facts::ScalarType::i32, 64)},
                                    {"n", scalar("512")}});
  RunOptions options;
  options.max_trace_bytes = 200'000;
  const RunResult cut = must(run(module, module.kernels.front(), launch, options));
  ASSERT_EQ(cut.trace.groups.size(), 2U);
  EXPECT_EQ(cut.trace.classes.size(), 2U);
  const double first = static_cast<double>(cut.trace.groups[0].warps[0].ir_instructions);
  EXPECT_NEAR(first / static_cast<double>(cut.trace.groups[1].warps[0].ir_instructions), 2, 0.01);
}

} // namespace
} // namespace forewarp::simt
