// Runs that compute only what addresses and branches rest on: trace, notes and errors have to be those of a
// run that computes everything.
#include "unit/simt/kernel_runner.h"

#include <gtest/gtest.h>

#include <ostream>

namespace forewarp::simt {
namespace {

using namespace test;

struct Case {
  const char* name;
  const char* body; ///< of kernel k(int* a, int* b, float* f, int n), 64 work-items in 2 groups
  const char* before = "";
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

void add(std::string& text, const facts::WarpTrace& warp) {
  text += std::to_string(warp.ir_instructions) + ':';
  for (const facts::BlockStep& step : warp.steps)
    text += ' ' + std::to_string(step.block) + '/' + std::to_string(step.active);
  for (const facts::MemoryEvent& event : warp.events) {
    text += ' ' + std::to_string(event.site) + '@' + std::to_string(static_cast<int>(event.pattern)) + '=' +
            std::to_string(event.base) + '+' + std::to_string(event.stride) + '&' +
            std::to_string(event.active) + ' ' + std::string(facts::to_string(event.space));
    if (event.pattern == facts::MemoryEvent::Pattern::explicit_offsets)
      for (unsigned lane = 0; lane < 32; ++lane)
        text += ',' + std::to_string(warp.offsets[event.first_offset + lane]);
  }
  text += '\n';
}

/// What a run left, as text.
std::string outcome_of(const ir::KernelModule& module, bool asked_only,
                       std::uint64_t max_trace_bytes = RunOptions().max_trace_bytes) {
  std::vector<std::int32_t> numbers(1024);
  for (std::size_t k = 0; k < numbers.size(); ++k)
    numbers[k] = static_cast<std::int32_t>(k * 37 % 101);
  const auto launch = launch_of({64, 1, 1}, {32, 1, 1},
                                {{"a", ints(numbers)},
                                 {"b", ints(numbers)},
                                 {"f", floats(std::vector<float>(1024, 0.5F))},
                                 {"n", scalar("40")}});
  RunOptions options;
  options.replay_loops = false;
  options.asked_values_only = asked_only;
  options.max_trace_bytes = max_trace_bytes;
  const auto result = run(module, **frontend::select_kernel(module, "k"), launch, options);
  if (!result)
    return to_string(result.error());
  std::string text;
  for (const facts::GroupTrace& group : result->trace.groups)
    for (const facts::WarpTrace& warp : group.warps)
      add(text, warp);
  for (const facts::Note& note : result->trace.notes)
    text += note.text + '\n';
  for (const facts::SlowDivision& division : result->slow_divisions)
    text += "slow division in block " + std::to_string(division.block) + '\n';
  return text;
}

class AskedValues : public testing::TestWithParam<Case> {
protected:
  static ir::KernelModule compiled() {
    return compile_cu(
        std::string(GetParam().before) +
        "\nextern \"C\" __global__ void k(int* a, int* b, float* f, int n) { int i = blockIdx.x * 32 + "
        "threadIdx.x;\n" +
        GetParam().body + "\n}\n");
  }
};

// What is left out of a long record is not computed either: what is in it must not hang on that.
TEST_P(AskedValues, LeaveTheRecordsPiecesAsTheyAre) {
  const auto module = compiled();
  constexpr std::uint64_t few_bytes = 30'000; // some ten steps a warp
  EXPECT_EQ(outcome_of(module, true, few_bytes), outcome_of(module, false, few_bytes));
}

TEST_P(AskedValues, LeaveTheTraceOfARunThatComputesEverything) {
  const auto module = compiled();
  const std::string everything = outcome_of(module, false);
  EXPECT_EQ(outcome_of(module, true), everything);
  EXPECT_GT(everything.size(), 50U);
}

const Case cases[] = {
    {"a_sum_that_is_stored", "float s = 0; for (int k = 0; k < n; ++k) s += f[k * 3 + i] * s; f[i] = s;"},
    {"an_index_out_of_memory", "b[a[i]] = 1;"},
    {"an_index_that_was_stored_before", "a[i] = (i * 7) & 63; __syncthreads(); b[a[63 - i]] = 1;"},
    {"an_index_stored_through_a_walking_pointer",
     "int* p = a + i; for (int k = 0; k < 4; ++k, p += 64) *p = k * i; __syncthreads(); b[a[i + 128]] = 1;"},
    {"an_index_stored_through_either_pointer",
     "int* p = i & 1 ? a : b; p[i] = 500 - i; __syncthreads(); f[a[i]] = 1;"},
    {"an_index_out_of_shared_memory",
     "__shared__ int t[32]; t[threadIdx.x] = a[i]; __syncthreads(); b[t[31 - threadIdx.x]] = 1;"},
    {"two_arrays_in_one_place",
     "extern __shared__ int t[]; int* u = t + 8; u[threadIdx.x & 7] = i; __syncthreads(); b[t[8 + (i & 7)]] "
     "= 1;"},
    {"an_index_in_a_private_array",
     "int t[40]; for (int k = 0; k < n; ++k) t[k] = a[k] + i; int s = 0; for (int k = 0; k < 4; ++k) s = "
     "t[(a[i] + s) % 40]; b[s & 127] = 1;"},
    {"an_index_that_others_added_up", "int at = atomicAdd(a, 3); b[at] = i; b[a[0]] = 2;"},
    {"an_index_that_was_shuffled", "int v = a[i]; b[__shfl_xor_sync(~0u, v, 5)] = 1;"},
    {"a_sum_that_was_shuffled",
     "int v = a[i]; for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d); if (i == 0) b[0] = v;"},
    {"a_branch_on_a_sum", "int s = 0; for (int k = 0; k < n; ++k) s += a[k + i]; if (s & 1) b[i] = s;"},
    {"a_vote", "if (__any_sync(~0u, a[i] > 99)) b[i] = 1;"},
    {"a_switch",
     "switch (a[i] & 3) { case 0: b[i] = 1; break; case 1: b[i + 64] = 1; break; case 2: f[i] = 1; }"},
    {"a_function_of_an_index", "b[static_cast<int>(sqrtf(f[i]) * 100 + i)] = 1;"},
    {"a_slow_division", "f[i] = f[i + 64] / (f[i] - 0.5f);"},
    {"a_copy", "b[v.at[i & 7]] = 1;",
     "struct V { int at[8]; }; __device__ V v = {{1, 9, 2, 8, 3, 7, 4, 6}};"},
    {"a_structure_that_is_moved",
     "V t = v[i & 3]; v[(i + 1) & 3] = t; __syncthreads(); b[v[i & 3].at[i & 7]] = 1;",
     "struct V { int at[16]; }; __device__ V v[4];"},
    {"a_load_beyond_the_end", "f[i] = f[i * 40];"},
    {"a_store_beyond_the_end", "f[i * 40] = 1;"},
    {"an_index_made_in_a_block_before",
     "for (int k = 0; k < 10 * n; ++k) { int x = a[(k * 5 + i) % 1000]; if (b[k] % 3 == 1) f[x * 3] = 1; "
     "else f[x + 7] = b[x] * f[x]; }"},
    {"a_place_that_moves_on",
     "int* p = a + i; for (int k = 0; k < 10 * n; ++k) { p += b[k] & 1; if (k % 7 == b[k] % 5) f[*p] = 1; }"},
    {"a_store_to_an_unknown_place", "__shared__ int t[4]; f[t[0]] = 1;"},
};

INSTANTIATE_TEST_SUITE_P(Kernels, AskedValues, testing::ValuesIn(cases),
                         [](const testing::TestParamInfo<Case>& c) { return std::string(c.param.name); });

} // namespace
} // namespace forewarp::simt
