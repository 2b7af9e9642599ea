// Unknown values, faults, arguments, sizes, sampling, and the trace's invariants.
#include "unit/simt/kernel_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace forewarp::simt::test {
namespace {

using Pattern = facts::MemoryEvent::Pattern;

const char* const add_source =
    "__kernel void add(__global const float* a, __global const float* b, __global float* c, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < n)\n"
    "    c[i] = a[i] + b[i];\n"
    "}\n";

facts::Launch add_launch(std::uint64_t items, std::uint64_t buffer, const std::string& n) {
  const auto f32 = facts::ScalarType::f32;
  return launch_of({items, 1, 1}, {64, 1, 1},
                   {{"a", unknown(f32, buffer)},
                    {"b", unknown(f32, buffer)},
                    {"c", unknown(f32, buffer)},
                    {"n", scalar(n)}});
}

Result<RunResult> run_sample(const ir::KernelModule& module, const facts::Launch& launch,
                             RunOptions options = {}) {
  return run(module, module.kernels.front(), launch, options);
}

// 200 groups of which the last has one busy work-item. Traces of equal groups are dropped after the first 64;
// what they were charged is given back and no more, so that the border's is kept.
TEST(Run, WholeGridsKeepTheGroupAtTheBorder) {
  const auto module = compile_cl(add_source);
  const RunResult result = must(run_whole(module, add_launch(200 * 64, 200 * 64, "12737")));
  ASSERT_EQ(result.trace.classes.size(), 2U);
  EXPECT_EQ(result.trace.classes[0].weight_groups, 199);
  EXPECT_EQ(result.trace.classes[1].weight_groups, 1);
}

// A grid of 100 x 4 like groups: the first 64 lie in one row, so that those of a sample are kept beside them;
// they tell how addresses move from row to row.
TEST(Run, WholeGridsKeepGroupsOfEachDimension) {
  const auto module = compile_cl("__kernel void add(__global float* a, int n) {\n"
                                 "  a[get_global_id(1) * n + get_global_id(0)] += 1.0f;\n"
                                 "}\n");
  const RunResult result = must(
      run_whole(module, launch_of({6400, 4, 1}, {64, 1, 1},
                                  {{"a", unknown(facts::ScalarType::f32, 25600)}, {"n", scalar("6400")}})));
  const auto& groups = result.trace.groups;
  EXPECT_LT(groups.size(), 100U);
  EXPECT_TRUE(std::ranges::any_of(groups, [](const auto& g) { return g.group.y == 2; }));
  EXPECT_TRUE(std::ranges::any_of(groups, [](const auto& g) { return g.group.y == 3; }));
  ASSERT_EQ(result.trace.classes.size(), 1U);
  EXPECT_EQ(result.trace.classes[0].weight_groups, 400);
}

TEST(Run, MissingArgumentsAreAllNamedWithExamples) {
  const auto module = compile_cl(add_source);
  const auto result =
      run_sample(module, launch_of({64, 1, 1}, {64, 1, 1}, {{"b", unknown(facts::ScalarType::f32, 64)}}));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::launch);
  EXPECT_NE(result.error().message.find("a, c, n"), std::string::npos) << result.error().message;
  EXPECT_NE(result.error().hint.find("--arg a=buffer:f32[1024]"), std::string::npos) << result.error().hint;
  EXPECT_NE(result.error().hint.find("--arg n=1024"), std::string::npos) << result.error().hint;
}

TEST(Run, AnOptionForALineWithoutALoopIsNamed) {
  const auto module = compile_cl("__kernel void k(__global int* a, __global const int* n) {\n"
                                 "  int s = 0;\n"
                                 "  for (int i = 0; i < n[0]; ++i)\n"
                                 "    s += a[i];\n"
                                 "  a[0] = s;\n"
                                 "}\n");
  const auto launch =
      launch_of({32, 1, 1}, {32, 1, 1},
                {{"a", unknown(facts::ScalarType::i32, 4096)}, {"n", unknown(facts::ScalarType::i32, 1)}});
  const auto idle_notes = [&](std::uint32_t line) {
    RunOptions options;
    options.unknown.trip_counts[line] = 5;
    const auto result = must(run_sample(module, launch, options));
    return std::count_if(result.trace.notes.begin(), result.trace.notes.end(), [](const facts::Note& note) {
      return note.text.find("has no effect") != std::string::npos;
    });
  };
  EXPECT_EQ(idle_notes(3), 0);
  EXPECT_EQ(idle_notes(5), 1);
}

TEST(Run, WorkItemsThatReturnedBeforeABarrierAreNoted) {
  const std::string head =
      "__kernel void k(__global int* a, int n) { __local int t[64]; int i = get_local_id(0);\n";
  const auto noted = [&](const std::string& n) {
    const auto module = compile_cl(head + "if (i >= n) return; t[i] = i; barrier(CLK_LOCAL_MEM_FENCE);\n"
                                          "a[i] = t[n - 1 - i]; }");
    const auto result =
        must(run_sample(module, launch_of({64, 1, 1}, {64, 1, 1},
                                          {{"a", unknown(facts::ScalarType::i32, 64)}, {"n", scalar(n)}})));
    return std::any_of(result.trace.notes.begin(), result.trace.notes.end(), [](const facts::Note& note) {
      return note.text.find("have returned before this barrier") != std::string::npos;
    });
  };
  EXPECT_TRUE(noted("40"));
  EXPECT_TRUE(noted("32"));
  EXPECT_FALSE(noted("64"));
}

TEST(Run, WrongArgumentsAreNamed) {
  const auto module = compile_cl(add_source);
  auto launch = add_launch(64, 64, "1.5");
  launch.arguments["m"] = scalar("1");
  launch.arguments["a"] = unknown(facts::ScalarType::f64, 64);
  const auto result = run_sample(module, launch);
  ASSERT_FALSE(result);
  for (const char* part :
       {"'1.5' is not an integer", "'m' is no parameter", "points to f32, but the buffer holds f64"})
    EXPECT_NE(result.error().message.find(part), std::string::npos) << result.error().message;
}

// AMD's copies to shared memory, and LLVM IR in general, move bytes and halves as words.
TEST(Run, WordsOfLlvmIrMoveSmallerElements) {
  const auto module = compile_text(R"(
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %a) {
  %word = load i32, ptr addrspace(1) %a, align 4
  store i32 %word, ptr addrspace(1) %a, align 4
  ret void
}
)",
                                   ".ll", "", ir::TargetFamily::nvidia);
  const auto launch_with = [](facts::ScalarType type) {
    return launch_of({32, 1, 1}, {32, 1, 1}, {{"a", unknown(type, 64)}});
  };
  EXPECT_TRUE(run_sample(module, launch_with(facts::ScalarType::u8)));
  EXPECT_TRUE(run_sample(module, launch_with(facts::ScalarType::f16)));
  EXPECT_FALSE(run_sample(module, launch_with(facts::ScalarType::f64)));
}

TEST(Run, OutOfBoundsStoreNamesLineWorkItemAndIndex) {
  const auto module = compile_cl(add_source);
  const auto result = run_sample(module, add_launch(128, 100, "128"));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kernel_fault);
  EXPECT_NE(result.error().message.find("index 100"), std::string::npos) << result.error().message;
  EXPECT_NE(result.error().message.find("work-item (100, 0, 0)"), std::string::npos)
      << result.error().message;
  EXPECT_NE(result.error().where.find(":4:"), std::string::npos) << result.error().where;
}

TEST(Run, BarrierThatLiveLanesDisagreeOnIsAFault) {
  const auto module = compile_cl("__kernel void k(__global int* out) {\n"
                                 "  __local int t[64];\n"
                                 "  int l = get_local_id(0);\n"
                                 "  t[l] = l;\n"
                                 "  if (l < 7)\n"
                                 "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                 "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                                 "  out[get_global_id(0)] = t[63 - l];\n"
                                 "}\n");
  const auto result =
      run_sample(module, launch_of({64, 1, 1}, {64, 1, 1}, {{"out", unknown(facts::ScalarType::i32, 64)}}));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kernel_fault) << to_string(result.error());
}

TEST(Run, UnknownBranchRunsBothSidesAndSaysSo) {
  const auto module =
      compile_cl("__kernel void k(__global const int* a, __global int* out, __global int* other) {\n"
                 "  int i = get_global_id(0);\n"
                 "  int v = 1;\n"
                 "  if (a[i] > 3)\n"
                 "    other[i] = 5;\n"
                 "  else\n"
                 "    other[i + 64] = 6;\n"
                 "  out[i] = i;\n"
                 "}\n");
  const auto run = must(run_whole(module, launch_of({64, 1, 1}, {64, 1, 1},
                                                    {{"a", unknown(facts::ScalarType::i32, 64)},
                                                     {"out", unknown(facts::ScalarType::i32, 64)},
                                                     {"other", unknown(facts::ScalarType::i32, 128)}})));
  const auto other = result_of<std::int32_t>(run, "other");
  // Either the compiler kept the branch (both sides write) or chose the address (nothing is known to be
  // written).
  const bool branched = std::any_of(run.trace.notes.begin(), run.trace.notes.end(),
                                    [](const facts::Note& n) { return n.remedy == "--branch 4=P"; });
  if (branched) {
    EXPECT_EQ(other[0], 5);
    EXPECT_EQ(other[64], 6);
  }
  EXPECT_EQ(result_of<std::int32_t>(run, "out")[63], 63);
  EXPECT_FALSE(run.trace.notes.empty());
}

TEST(Run, AnUnknownBranchWithAHintTakesTheExpectedWay) {
  const auto module =
      compile_cl("__kernel void k(__global const int* a, __global int* usual, __global float* rare) {\n"
                 "  int i = get_global_id(0);\n"
                 "  if (__builtin_expect(a[i] > 3, 1))\n"
                 "    usual[i] = 5;\n"
                 "  else\n"
                 "    rare[i] = 6;\n"
                 "}\n");
  const auto run = must(run_whole(module, launch_of({64, 1, 1}, {64, 1, 1},
                                                    {{"a", unknown(facts::ScalarType::i32, 64)},
                                                     {"usual", unknown(facts::ScalarType::i32, 64)},
                                                     {"rare", unknown(facts::ScalarType::f32, 64)}})));
  EXPECT_EQ(result_of<std::int32_t>(run, "usual")[63], 5);
  EXPECT_EQ(result_of<float>(run, "rare")[63], 0); // not written: unknown
  EXPECT_TRUE(std::any_of(run.trace.notes.begin(), run.trace.notes.end(),
                          [](const facts::Note& n) { return n.remedy == "--branch 3=P"; }));
}

// 24 times `if (a) { if (b) goto end; }` on unknown values: 2^24 ways lead to the last one. A warp goes 32 at
// most, so that what lies behind is run some 64 times.
TEST(Run, WaysThatMeetAreRunAsOneBeyondALaneEach) {
  std::string steps;
  for (int k = 0; k < 24; ++k)
    steps += fmt::format("  if (v & {}) {{ s += o[{}]; if (s == w) goto end; }}\n", 1U << k, k);
  const auto module = compile_cl("__kernel void k(__global const int* a, __global int* o) {\n"
                                 "  int v = a[0], w = a[1], s = 0;\n" +
                                 steps + "end:\n  o[64] = s;\n}\n");
  RunOptions options;
  options.max_instructions = 100'000;
  const auto run = must(run_sample(
      module,
      launch_of({32, 1, 1}, {32, 1, 1},
                {{"a", unknown(facts::ScalarType::i32, 64)}, {"o", unknown(facts::ScalarType::i32, 65)}}),
      options));
  EXPECT_TRUE(std::ranges::any_of(run.trace.notes, [](const facts::Note& n) {
    return n.text.find("more ways lead here") != std::string::npos;
  }));
  EXPECT_GE(run.trace.groups.front().warps.front().steps.size(), 48U);
}

TEST(Run, UnknownTripCountFollowsThePolicy) {
  const auto module = compile_cl("__kernel void k(__global const int* count, __global float* out) {\n"
                                 "  int i = get_global_id(0), n = count[i];\n"
                                 "  float x = i;\n"
                                 "#pragma unroll 1\n"
                                 "  for (int k = 0; k < n; ++k)\n"
                                 "    x = sqrt(x) + k;\n"
                                 "  out[i] = x;\n"
                                 "}\n");
  const auto launch = launch_of(
      {32, 1, 1}, {32, 1, 1},
      {{"count", unknown(facts::ScalarType::i32, 32)}, {"out", unknown(facts::ScalarType::f32, 32)}});
  auto most_often = [](const RunResult& run) {
    std::map<std::uint32_t, std::size_t> times;
    for (const auto& step : run.trace.groups.at(0).warps.at(0).steps)
      ++times[step.block];
    std::size_t most = 0;
    for (const auto& [block, n] : times)
      most = std::max(most, n);
    return most;
  };
  EXPECT_EQ(most_often(must(run_whole(module, launch))), 16U);
  RunOptions options;
  options.unknown.trip_counts[5] = 40;
  const auto run = must(run_whole(module, launch, options));
  EXPECT_EQ(most_often(run), 40U);
  EXPECT_FALSE(run.trace.notes.empty());
}

// A group takes about 64 x 1000 instructions; the sample is all 40 groups, the budget has room for some.
TEST(Run, TheSampleEndsBeforeTheInstructionBudgetDoes) {
  const ir::KernelModule module =
      compile_cl("__kernel void k(__global int* a, int n) { int s = a[get_global_id(0)];\n"
                 "for (int k = 0; k < n; ++k) s = s * s + a[k]; a[get_global_id(0)] = s; }\n");
  const facts::Launch launch =
      launch_of({40 * 64}, {64}, {{"a", unknown(facts::ScalarType::i32, 40 * 64)}, {"n", scalar("1000")}});
  RunOptions options;
  options.max_instructions = 100'000;
  const RunResult result = must(run(module, module.kernels.front(), launch, options));
  EXPECT_GE(result.trace.groups.size(), 1U);
  EXPECT_LT(result.trace.groups.size(), 40U);
  EXPECT_TRUE(std::ranges::any_of(result.trace.notes, [](const facts::Note& note) {
    return note.text.starts_with("the instruction budget held");
  }));
  options.sample_groups = 30; // asked for: an error, not fewer
  EXPECT_FALSE(run(module, module.kernels.front(), launch, options).has_value());
}

TEST(Run, EndlessLoopEndsInABudgetError) {
  const auto module = compile_cl("__kernel void k(__global volatile int* p) { while (p[0] == 0) ; }");
  RunOptions options;
  options.max_instructions = 100'000;
  options.max_trace_bytes = 1'000'000'000;
  const auto result = run_whole(module, launch_of({32, 1, 1}, {32, 1, 1}, {{"p", ints({0})}}), options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::budget);
}

TEST(Run, ZerosAreReadUntilSomethingIsWritten) {
  const auto module = compile_cl("__kernel void k(__global int* a, __global int* b, int n) {"
                                 " int i = get_global_id(0); b[i] = a[i * n] + 5; a[i * n] = i + 1;"
                                 " barrier(CLK_GLOBAL_MEM_FENCE); b[i] += a[(31 - i) * n]; }");
  const auto launch = [](const std::string& n) {
    facts::BufferValue zeros = unknown(facts::ScalarType::i32, 32 * 500);
    zeros.contents.kind = facts::BufferContents::Kind::zeros;
    return launch_of({32, 1, 1}, {32, 1, 1},
                     {{"a", zeros}, {"b", unknown(facts::ScalarType::i32, 32)}, {"n", scalar(n)}});
  };
  const auto sums = result_of<std::int32_t>(must(run_whole(module, launch("500"))), "b");
  ASSERT_EQ(sums.size(), 32U);
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(sums[static_cast<std::size_t>(i)], 5 + 32 - i);
  const auto beyond = run_whole(module, launch("520")); // work-item 31 reads element 16,120 of 16,000
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().code, ErrorCode::kernel_fault);
}

TEST(Run, TraceHasOneEventForEachSiteOfEachRunBlock) {
  const auto module = compile_cl(add_source);
  const auto run = must(run_whole(module, add_launch(128, 100, "100")));
  const auto& function_sites = run.trace.groups;
  ASSERT_EQ(function_sites.size(), 2U);
  const auto& full = run.trace.groups[0].warps[0];
  ASSERT_EQ(full.events.size(), 3U);
  EXPECT_EQ(full.events[0].pattern, Pattern::affine);
  EXPECT_EQ(full.events[0].stride, 4);
  EXPECT_EQ(full.events[0].active, 0xFFFF'FFFFU);
  EXPECT_EQ(full.events[0].base, run.trace.regions.at(0).base);
  EXPECT_EQ(full.events[2].site, 2U);
  const auto& last = run.trace.groups[1].warps[1]; // work-items 96..127: four of them below 100
  ASSERT_EQ(last.events.size(), 3U);
  EXPECT_EQ(last.events[0].active, 0xFU);
  EXPECT_EQ(last.events[0].stride, 4);
}

TEST(Run, RowsOfATileAreAffineInTwoDimensions) {
  const auto module =
      compile_cl("__kernel void k(__global const float* a, __global float* out) {"
                 " int x = get_global_id(0), y = get_global_id(1); out[y * 64 + x] = a[x * 64 + y]; }");
  const auto f32 = facts::ScalarType::f32;
  const auto run = must(run_whole(
      module, launch_of({16, 16, 1}, {16, 16, 1}, {{"a", unknown(f32, 4096)}, {"out", unknown(f32, 4096)}})));
  const auto& warp = run.trace.groups[0].warps[0];
  ASSERT_EQ(warp.events.size(), 2U);
  EXPECT_EQ(warp.events[0].pattern, Pattern::affine2);
  EXPECT_EQ(warp.events[0].row_lanes, 16);
  EXPECT_EQ(warp.events[0].stride, 256);
  EXPECT_EQ(warp.events[0].row_stride, 4);
  EXPECT_EQ(warp.events[1].stride, 4);
  EXPECT_EQ(warp.events[1].row_stride, 256);
}

TEST(Run, RowsOfATileWithAnIdleRimAreAffineInTwoDimensions) {
  const auto module = compile_cl("__kernel void k(__global float* out) {"
                                 " int x = get_global_id(0), y = get_global_id(1);"
                                 " if (x >= 2 && x < 14 && y != 0) out[y * 64 + x] = x; }");
  const auto run = must(run_whole(
      module, launch_of({16, 16, 1}, {16, 16, 1}, {{"out", unknown(facts::ScalarType::f32, 1024)}})));
  const std::uint64_t base = run.trace.regions.at(0).base;
  const auto& half = run.trace.groups[0].warps[0]; // row 0 idle: one row, plain
  EXPECT_EQ(half.events.at(0).pattern, Pattern::affine);
  const auto& warp = run.trace.groups[0].warps[1]; // rows 2 and 3
  ASSERT_EQ(warp.events.size(), 1U);
  EXPECT_EQ(warp.events[0].active, 0x3FFC'3FFCU);
  EXPECT_EQ(warp.events[0].pattern, Pattern::affine2);
  EXPECT_EQ(warp.events[0].row_lanes, 16);
  EXPECT_EQ(warp.events[0].stride, 4);
  EXPECT_EQ(warp.events[0].row_stride, 256);
  EXPECT_EQ(warp.events[0].base, base + 2 * 256); // of lane 0, idle or not
}

TEST(Run, WavesOf64LanesOnAmd) {
  const auto module = compile_cl(add_source, "CL1.2", ir::TargetFamily::amd);
  std::vector<float> a(256), b(256);
  for (int i = 0; i < 256; ++i)
    a[i] = static_cast<float>(i), b[i] = 0.5F;
  const auto run = must(run_whole(module, launch_of({256, 1, 1}, {128, 1, 1},
                                                    {{"a", floats(a)},
                                                     {"b", floats(b)},
                                                     {"c", unknown(facts::ScalarType::f32, 256)},
                                                     {"n", scalar("256")}})));
  EXPECT_EQ(run.trace.warp_width, 64U);
  ASSERT_EQ(run.trace.groups[0].warps.size(), 2U);
  const auto c = result_of<float>(run, "c");
  for (int i = 0; i < 256; ++i)
    ASSERT_EQ(c[i], a[i] + b[i]);
}

TEST(Run, SampleOfALargeGridWeighsItsClasses) {
  const auto module = compile_cl(add_source);
  const std::uint64_t n = 1 << 20;
  const auto run = must(run_sample(module, add_launch(n, n, std::to_string(n - 5))));
  EXPECT_FALSE(run.trace.whole_grid);
  EXPECT_LE(run.trace.groups.size(), 16U);
  ASSERT_EQ(run.trace.classes.size(), 2U);
  // Only the last group has lanes beyond n.
  EXPECT_DOUBLE_EQ(run.trace.classes[0].weight_groups, static_cast<double>(n / 64 - 1));
  EXPECT_DOUBLE_EQ(run.trace.classes[1].weight_groups, 1);
}

TEST(Run, SameInputsGiveTheSameTrace) {
  const auto module = compile_cl(add_source);
  const auto launch = add_launch(1 << 16, 1 << 16, "60000");
  const auto first = must(run_sample(module, launch)), second = must(run_sample(module, launch));
  ASSERT_EQ(first.trace.groups.size(), second.trace.groups.size());
  for (std::size_t g = 0; g < first.trace.groups.size(); ++g) {
    EXPECT_EQ(first.trace.groups[g].group, second.trace.groups[g].group);
    EXPECT_EQ(first.trace.groups[g].behaviour, second.trace.groups[g].behaviour);
  }
}

TEST(Run, EventsOfPrivateMemoryTellThePlaceInTheFrame) {
  const auto module = compile_cl(R"(
    __kernel void k(__global int* out, int n) {
      int own[8];
      for (int k = 0; k < 8; ++k) own[k] = out[k * 64 + get_global_id(0)];
      out[get_global_id(0)] = own[n & 7];
    })");
  const auto run =
      must(run_whole(module, launch_of({64, 1, 1}, {64, 1, 1},
                                       {{"out", unknown(facts::ScalarType::i32, 512)}, {"n", scalar("2")}})));
  const auto frame = std::find_if(run.trace.regions.begin(), run.trace.regions.end(), [](const auto& region) {
    return region.space == facts::MemorySpace::local;
  });
  ASSERT_TRUE(frame != run.trace.regions.end());
  EXPECT_EQ(frame->size_bytes, 32U);
  std::vector<std::uint64_t> places;
  for (const facts::WarpTrace& warp : run.trace.groups[0].warps)
    for (const facts::MemoryEvent& event : warp.events)
      if (event.space == facts::MemorySpace::local) {
        EXPECT_EQ(event.pattern, Pattern::affine);
        EXPECT_EQ(event.stride, 0);
        places.push_back(event.base - frame->base);
      }
  // Eight stores and the load of own[2], the same in both warps.
  EXPECT_EQ(places,
            (std::vector<std::uint64_t>{0, 4, 8, 12, 16, 20, 24, 28, 8, 0, 4, 8, 12, 16, 20, 24, 28, 8}));
}

TEST(Run, PrivateArraysOfFourElementsStayInRegisters) {
  const auto module = compile_cl(R"(
    __kernel void k(__global int* out, int n) {
      int own[4];
      for (int k = 0; k < 4; ++k) own[k] = out[k * 64 + get_global_id(0)];
      own[n & 3] += 1000;
      out[get_global_id(0)] = own[(n + 1) & 3] - own[n & 3];
    })");
  std::vector<std::int32_t> values(256);
  std::iota(values.begin(), values.end(), 0);
  const auto run =
      must(run_whole(module, launch_of({64, 1, 1}, {64, 1, 1}, {{"out", ints(values)}, {"n", scalar("2")}})));
  for (const facts::WarpTrace& warp : run.trace.groups[0].warps)
    for (const facts::MemoryEvent& event : warp.events)
      EXPECT_NE(event.space, facts::MemorySpace::local);
  // own = {0, 64, 128, 192} + id; own[2] += 1000; own[3] - own[2] = 64 - 1000
  EXPECT_EQ(result_of<std::int32_t>(run, "out")[0], 64 - 1000);
}

TEST(Shape, OpenCl12NeedsADivisibleGlobalSize) {
  const auto module = compile_cl(add_source);
  const auto result = resolve_shape(module, module.kernels.front(), launch_of({100, 1, 1}, {64, 1, 1}, {}));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::launch);
  EXPECT_NE(result.error().hint.find("128"), std::string::npos);
}

TEST(Shape, RequiredSizeAndConflictingSizes) {
  const auto module = compile_cl("__attribute__((reqd_work_group_size(8, 8, 1))) __kernel void k(__global "
                                 "int* p) { p[get_global_id(0)] = 1; }");
  facts::Launch launch;
  launch.global_items = facts::Dim3{64, 64, 1};
  EXPECT_EQ(resolve_shape(module, module.kernels.front(), launch)->group_size, (facts::Dim3{8, 8, 1}));
  launch.group_size = facts::Dim3{16, 16, 1};
  EXPECT_FALSE(resolve_shape(module, module.kernels.front(), launch));
  launch.group_size.reset();
  launch.groups = facts::Dim3{8, 8, 1};
  EXPECT_FALSE(resolve_shape(module, module.kernels.front(), launch));
  launch.groups.reset();
  launch.global_items.reset();
  EXPECT_FALSE(resolve_shape(module, module.kernels.front(), launch));
}

} // namespace
} // namespace forewarp::simt::test
