// The record of a long warp: pieces evenly spread over its life.
#include "simt/sampling/record_pieces.h"

#include "unit/simt/kernel_runner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace forewarp::simt {
namespace {

using namespace test;
using Pattern = facts::MemoryEvent::Pattern;

constexpr unsigned lanes = 32;
constexpr std::uint64_t step_bytes = 100;

/// A warp whose step k has the block number k, k % 3 events at the base k (offsets that are k, too) and k % 5
/// instructions.
struct Recorded {
  facts::WarpTrace trace;
  std::uint64_t instructions = 0, bytes = 0;
};
Recorded record_steps(std::uint32_t steps, std::uint64_t most_bytes, std::uint32_t shorten_at = 0) {
  Recorded out;
  RecordPieces pieces;
  pieces.start(most_bytes, lanes);
  if (shorten_at == 0)
    pieces.shorten(out.trace, out.instructions);
  for (std::uint32_t k = 0; k < steps; ++k) {
    if (k > 0 && k == shorten_at)
      pieces.shorten(out.trace, out.instructions);
    if (!pieces.hold(step_bytes, out.trace, out.instructions))
      continue;
    out.trace.steps.push_back({k, k, 1, static_cast<std::uint32_t>(out.trace.events.size())});
    for (std::uint32_t e = 0; e < k % 3; ++e) {
      facts::MemoryEvent event;
      event.base = k;
      event.pattern = Pattern::explicit_offsets;
      event.first_offset = static_cast<std::uint32_t>(out.trace.offsets.size());
      if (e == 0)
        out.trace.offsets.insert(out.trace.offsets.end(), lanes, k);
      else
        event.first_offset -= lanes; // those of the event before
      out.trace.events.push_back(event);
    }
    out.instructions += k % 5;
  }
  out.bytes = pieces.held_bytes();
  return out;
}

TEST(RecordPieces, AShortRecordHoldsEveryStep) {
  const Recorded all = record_steps(320, 32'000);
  ASSERT_EQ(all.trace.steps.size(), 320U);
  EXPECT_EQ(all.bytes, 32'000U);
}

TEST(RecordPieces, ARecordThatIsNotToBeShortHoldsEveryStep) {
  EXPECT_EQ(record_steps(10'000, 32'000, 10'000).trace.steps.size(), 10'000U);
}

// Warps that ran alike hold the same, whether it was known from the start that they are long or not.
TEST(RecordPieces, AreTheSameWheneverTheRecordIsShortened) {
  const Recorded early = record_steps(12'345, 32'000);
  for (const std::uint32_t shorten_at : {1U, 555U, 5000U, 12'344U}) {
    const Recorded late = record_steps(12'345, 32'000, shorten_at);
    ASSERT_EQ(late.trace.steps.size(), early.trace.steps.size());
    for (std::size_t s = 0; s < early.trace.steps.size(); ++s) {
      EXPECT_EQ(late.trace.steps[s].block, early.trace.steps[s].block);
      EXPECT_EQ(late.trace.steps[s].first_event, early.trace.steps[s].first_event);
    }
    EXPECT_EQ(late.trace.offsets, early.trace.offsets);
    EXPECT_EQ(late.instructions, early.instructions);
    EXPECT_EQ(late.bytes, early.bytes);
  }
}

TEST(RecordPieces, ALongRecordStaysWithinItsBytes) {
  for (const std::uint32_t steps : {321U, 1000U, 12'345U, 400'000U}) {
    const Recorded some = record_steps(steps, 32'000);
    EXPECT_LE(some.bytes, 32'000U);
    EXPECT_GE(some.bytes, 14'000U); // near a half at least
    EXPECT_EQ(some.bytes, some.trace.steps.size() * step_bytes);
  }
}

TEST(RecordPieces, EveryHeldStepKeepsItsEventsAndOffsets) {
  const Recorded some = record_steps(12'345, 32'000);
  std::uint64_t instructions = 0;
  for (std::size_t s = 0; s < some.trace.steps.size(); ++s) {
    const facts::BlockStep& step = some.trace.steps[s];
    instructions += step.block % 5;
    const std::size_t end =
        s + 1 < some.trace.steps.size() ? some.trace.steps[s + 1].first_event : some.trace.events.size();
    ASSERT_EQ(end - step.first_event, step.block % 3);
    for (std::size_t e = step.first_event; e < end; ++e) {
      EXPECT_EQ(some.trace.events[e].base, step.block);
      EXPECT_EQ(some.trace.offsets.at(some.trace.events[e].first_offset + lanes - 1), step.block);
    }
  }
  EXPECT_EQ(some.instructions, instructions);
  EXPECT_LT(some.trace.offsets.size(), some.trace.events.size() * lanes); // shared ones stay shared
}

// Of 400,000 steps each eighth holds its share, about.
TEST(RecordPieces, AreSpreadOverTheWholeLife) {
  const Recorded some = record_steps(400'000, 32'000);
  std::array<unsigned, 8> of_eighth{};
  for (const facts::BlockStep& step : some.trace.steps)
    ++of_eighth[step.block / 50'000];
  const double even = static_cast<double>(some.trace.steps.size()) / 8;
  for (const unsigned held : of_eighth)
    EXPECT_NEAR(held, even, 0.5 * even);
}

// Whichever turn a step takes in an iteration of two steps, it is held as often.
TEST(RecordPieces, DoNotBeatWithLoops) {
  const Recorded some = record_steps(400'000, 6400); // two steps a piece
  double odd = 0;
  for (const facts::BlockStep& step : some.trace.steps)
    odd += step.block % 2;
  EXPECT_NEAR(odd / static_cast<double>(some.trace.steps.size()), 0.5, 0.01);
  const Recorded single = record_steps(400'000, 3200); // one step a piece
  odd = 0;
  for (const facts::BlockStep& step : single.trace.steps)
    odd += step.block % 2;
  EXPECT_NEAR(odd / static_cast<double>(single.trace.steps.size()), 0.5, 0.4);
}

TEST(RecordPieces, AStepLongerThanTheRecordIsHeldAlone) {
  Recorded out;
  RecordPieces pieces;
  pieces.start(10, lanes);
  pieces.shorten(out.trace, out.instructions);
  for (std::uint32_t k = 0; k < 1000; ++k)
    if (pieces.hold(step_bytes, out.trace, out.instructions))
      out.trace.steps.push_back({k, k, 1, 0});
  EXPECT_GE(out.trace.steps.size(), 1U);
  EXPECT_LE(out.trace.steps.size(), 32U);
}

/// Rows that get shorter: a thread reads as many lines at first and only one at the end (the shift of a
/// channel).
RunResult run_fan(std::uint64_t max_trace_bytes) {
  const auto module = compile_cu(
      "extern \"C\" __global__ void k(const unsigned char* a, const float* shift, float* out, int n) {\n"
      "float s = 0; for (int c = 0; c < n; ++c) s += a[c * 4096 + (int)(threadIdx.x * shift[c])];\n"
      "out[blockIdx.x * 32 + threadIdx.x] = s; }\n");
  std::vector<float> shifts(1024);
  for (std::size_t c = 0; c < shifts.size(); ++c)
    shifts[c] = 100.0F * static_cast<float>(1024 - c) / 1024;
  const auto launch = launch_of({320, 1, 1}, {32, 1, 1},
                                {{"a", unknown(facts::ScalarType::u8, 1025 * 4096)},
                                 {"shift", floats(shifts)},
                                 {"out", unknown(facts::ScalarType::f32, 320)},
                                 {"n", scalar("1024")}});
  RunOptions options;
  options.max_trace_bytes = max_trace_bytes;
  return must(run(module, module.kernels.front(), launch, options));
}

/// Of a loop over c[0] to c[3999], with a budget for a few hundred iterations: how far what was recorded of c
/// reaches, over how far it would if that were the first iterations.
double reach_of_record(const std::string& body) {
  const auto module =
      compile_cu("extern \"C\" __global__ void k(const int* c, const int* a, int* b, int n) {\n"
                 "int s = threadIdx.x; for (int k = 0; k < n; ++k) " +
                 body + "\nb[threadIdx.x] = s; }\n");
  std::vector<std::int32_t> next(4096);
  for (std::size_t k = 0; k < next.size(); ++k)
    next[k] = static_cast<std::int32_t>((k * 5 + 1) % next.size());
  RunOptions options;
  options.max_trace_bytes = 200'000;
  const auto launch = launch_of({32, 1, 1}, {32, 1, 1},
                                {{"a", ints(next)},
                                 {"b", unknown(facts::ScalarType::i32, 32)},
                                 {"c", ints(next)},
                                 {"n", scalar("4000")}});
  const RunResult run = must(simt::run(module, module.kernels.front(), launch, options));
  const facts::MemoryRegion& c = *std::ranges::find(run.trace.regions, "c", &facts::MemoryRegion::name);
  const facts::WarpTrace& warp = run.trace.groups[0].warps[0];
  EXPECT_LT(warp.recorded_share, 0.4);
  std::uint64_t bytes = 0;
  for (const facts::MemoryEvent& event : warp.events)
    if (event.base - c.base < c.size_bytes)
      bytes = std::max(bytes, event.base - c.base);
  return static_cast<double>(bytes) / (16'000 * warp.recorded_share);
}

// What a chase comes back to shows in how much of it was seen without a gap.
TEST(RecordPieces, AChaseKeepsItsFirstPart) {
  EXPECT_NEAR(reach_of_record("s = a[s ^ (c[k] & 1)];"), 1, 0.1);
  EXPECT_NEAR(reach_of_record("s = a[(s ^ c[k]) & 255] ^ s >> 8;"), 1, 0.1);
}

TEST(RecordPieces, AWalkByTheCounterKeepsItsFirstPart) {
  EXPECT_NEAR(reach_of_record("s += c[k];"), 1, 0.1);
}

// Warps that search the same list share what they read: nothing differs but the end.
TEST(RecordPieces, ASearchByTheCounterKeepsItsFirstPart) {
  EXPECT_NEAR(reach_of_record("{ if (c[k] < -s) break; s += 3; }"), 1, 0.1);
}

TEST(RecordPieces, PlacesThatWereLoadedAreSeenAllAlong) {
  EXPECT_GT(reach_of_record("s += a[c[k]];"), 2);
}

double mean_spread(const RunResult& run) {
  double sum = 0, count = 0;
  const facts::WarpTrace& warp = run.trace.groups[0].warps[0];
  for (const facts::MemoryEvent& event : warp.events)
    if (event.active == 0xFFFF'FFFFU && run.trace.regions[0].base <= event.base &&
        event.base < run.trace.regions[0].base + run.trace.regions[0].size_bytes) {
      sum += static_cast<double>(event.pattern == Pattern::explicit_offsets
                                     ? warp.offsets[event.first_offset + 31]
                                     : 31 * event.stride);
      count += 1;
    }
  return sum / count;
}

// Lanes 0 and 31 lie 31 * 100 bytes apart in the first channel, none in the last: 1550 in the mean.
TEST(RecordPieces, StandForALoopWhoseAddressesChange) {
  const RunResult whole = run_fan(50'000'000), pieces = run_fan(600'000);
  EXPECT_NEAR(mean_spread(whole), 1550, 20);
  const facts::WarpTrace& warp = pieces.trace.groups[0].warps[0];
  EXPECT_LT(warp.recorded_share, 0.5);
  EXPECT_NEAR(mean_spread(pieces), 1550, 200);
  EXPECT_EQ(warp.ir_instructions, whole.trace.groups[0].warps[0].ir_instructions);
  EXPECT_GE(pieces.trace.groups.size(), 3U); // so that both neighbours of a group are known
  EXPECT_EQ(pieces.trace.classes.size(), 1U);
}

} // namespace
} // namespace forewarp::simt
