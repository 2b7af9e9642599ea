// Loops recorded as runs give what the same loops give iteration by iteration.
#include "port/helper/recorder.h"
#include "support/counter_random.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

namespace forewarp::port {
namespace {

constexpr std::uint64_t entry = 1ULL << 63, run = 1ULL << 62;
constexpr unsigned rows = 5;

/// for i { for j: block 1 with its sites } ; candidates: both loops, or i alone. With `paths`, j's body is
/// block 1, in some iterations block 2, then block 3.
struct Nest {
  RegionPlan plan;
  unsigned columns = 12; ///< 40: long enough for the shadow to keep the run as it is
  std::vector<std::int64_t> first, row_stride, stride;
  bool paths = false;
  std::uint64_t ways = 0; ///< bit j: iteration j runs block 2
  /// Without paths: bit s: site s goes anywhere.
  std::uint64_t scattered = 0;
  std::uint64_t even = 0; ///< of them: bit s: by one stride all the same
};

Nest random_nest(std::uint64_t seed) {
  std::uint64_t at = 0;
  const auto pick = [&](std::uint64_t count) {
    return static_cast<std::int64_t>(counter_random(seed, at++) % count);
  };
  Nest nest;
  nest.columns = pick(2) == 0 ? 12 : 40;
  const unsigned columns = nest.columns;
  RegionPlan& plan = nest.plan;
  plan.candidates = plan.dimensions = 1 + static_cast<unsigned>(pick(2));
  plan.loop_steps = {1, 1};
  plan.innermost = {false, true};
  nest.paths = pick(2) == 0;
  nest.ways = counter_random(seed, at++) & (pick(2) == 0 ? ~0ULL : 0xf0f0f0f0f0f0f0f0ULL);
  const auto sites = static_cast<std::uint32_t>(1 + pick(4));
  const int level = plan.candidates == 2 ? 1 : 0;
  const std::uint32_t in_header = nest.paths ? sites / 3 : sites, in_branch = nest.paths ? sites / 2 : 0;
  plan.blocks = {{0, 0, 0, true, 0}, {0, in_header, 1, true, level}};
  plan.runs = {{{{1, -1}}, sites, false}};
  nest.scattered = nest.paths || pick(2) == 0 ? 0 : counter_random(seed, at++);
  nest.even = counter_random(seed, at++);
  for (std::uint32_t s = 0; s < sites; ++s)
    if ((nest.scattered >> s & 1) != 0)
      plan.runs[0].scattered.push_back(s);
  if (nest.paths) {
    const std::uint32_t before_last = in_header + in_branch;
    plan.blocks.push_back({in_header, in_branch, 1, false, level});
    plan.blocks.push_back({before_last, sites - before_last, 1, false, level});
    plan.runs = {{{{1, -1}, {2, 0}, {3, -1}}, sites, true}};
  }
  plan.block = {4, 1, 1};
  plan.extents = {rows, plan.candidates == 2 ? columns : 1U, 1};
  plan.detail_blocks = 2;
  plan.quick_reads = false;
  for (std::uint32_t s = 0; s < sites; ++s) {
    const std::uint32_t width = pick(4) == 0 ? 8 : 4;
    plan.sites.push_back({pick(3) == 0, width, "a", "", false});
    nest.first.push_back(0x100000 + 0x2000 * pick(2) + 4 * pick(3));
    nest.row_stride.push_back(
        std::vector<std::int64_t>{0, 4, 64, 0x200, 0x200}[static_cast<std::size_t>(pick(5))]);
    nest.stride.push_back(std::vector<std::int64_t>{0, 4, 8, -4, 4}[static_cast<std::size_t>(pick(5))]);
    nest.first.back() += nest.stride.back() < 0 ? 4 * columns : 0;
  }
  return nest;
}

/// Equal iterations in a row are one word, as the recording code leaves them.
void add_ways(std::uint64_t ways, unsigned columns, std::vector<std::uint64_t>& words) {
  std::uint64_t now = path_mask;
  for (unsigned j = 0; j < columns; ++j) {
    const std::uint64_t way = ways >> j & 1;
    if ((now & path_mask) != way) {
      words.push_back(now);
      now = way;
    }
    now += one_iteration;
  }
  words.insert(words.end(), {now, end_of_run});
}

std::vector<std::uint64_t> words_of(const Nest& nest, bool as_runs, std::uint64_t moved) {
  const unsigned columns = nest.columns;
  std::vector<std::uint64_t> words = {entry | 0, 0};
  const auto address = [&](std::size_t s, unsigned i, unsigned j) {
    if ((nest.scattered & ~nest.even) >> s & 1)
      return moved + static_cast<std::uint64_t>(nest.first[s]) + 4 * (counter_random(7 * s + i, j) % columns);
    return moved + static_cast<std::uint64_t>(nest.first[s] + i * nest.row_stride[s] + j * nest.stride[s]);
  };
  for (unsigned i = 0; i < rows; ++i) {
    words.insert(words.end(), {0, entry | 1, 0});
    if (as_runs) {
      words.push_back(run | 0);
      if (!nest.paths)
        words.push_back(columns);
      for (std::size_t s = 0; s < nest.first.size(); ++s)
        words.insert(words.end(), {address(s, i, 0), static_cast<std::uint64_t>(nest.stride[s])});
      for (unsigned j = 0; j < columns; ++j)
        for (const std::uint32_t s : nest.plan.runs[0].scattered)
          words.push_back(address(s, i, j));
      if (nest.paths)
        add_ways(nest.ways >> i, nest.columns, words);
      continue;
    }
    for (unsigned j = 0; j < columns; ++j)
      for (std::uint64_t block = 1; block < nest.plan.blocks.size(); ++block) {
        if (block == 2 && (nest.ways >> i >> j & 1) == 0)
          continue;
        words.push_back(block);
        const BlockPlan& plan = nest.plan.blocks[block];
        for (std::size_t s = plan.first_site; s < plan.first_site + plan.site_count; ++s)
          words.push_back(address(s, i, j));
      }
  }
  return words;
}

facts::RegionTrace record(const Nest& nest, RunKind kind, bool as_runs) {
  const Objects objects;
  const Budget budget;
  RegionRecorder recorder(nest.plan, kind, objects, budget);
  for (std::uint64_t launch = 0; launch < 3; ++launch) { // the second one's arrays are others
    const auto words = words_of(nest, as_runs, launch == 1 ? 0x200000 : 0);
    recorder.begin();
    // The buffer may be full anywhere between the ways of a run.
    const std::uint64_t* const last = words.data() + words.size();
    const std::size_t scattered = nest.plan.runs[0].scattered.size();
    const std::uint64_t* const cut = !as_runs ? last : nest.paths ? last - 2 : last - 3 * scattered;
    recorder.words(words.data(), cut);
    recorder.words(cut, last);
    recorder.end();
  }
  facts::RegionTrace trace;
  recorder.finish(trace);
  return trace;
}

/// Kind, loop, privatizable. Not how often, nor through which of several sites: two that read one cell in one
/// iteration are told apart by the order alone.
using Dependences = std::set<std::tuple<int, unsigned, bool>>;
Dependences dependences(const facts::RegionTrace& trace) {
  Dependences out;
  for (const facts::RegionDependence& d : trace.dependences)
    out.insert({static_cast<int>(d.kind), d.loop, d.privatizable});
  return out;
}

TEST(RecordedRuns, SurveyFindsTheSame) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Nest nest = random_nest(seed);
    const facts::RegionTrace each = record(nest, RunKind::survey, false),
                             runs = record(nest, RunKind::survey, true);
    EXPECT_EQ(dependences(each), dependences(runs)) << seed;
    ASSERT_EQ(each.objects.size(), runs.objects.size()) << seed;
    for (std::size_t o = 0; o < each.objects.size(); ++o) {
      EXPECT_EQ(each.objects[o].read_bytes, runs.objects[o].read_bytes) << seed;
      EXPECT_EQ(each.objects[o].written_bytes, runs.objects[o].written_bytes) << seed;
      EXPECT_EQ(each.objects[o].copy_in_bytes, runs.objects[o].copy_in_bytes) << seed;
    }
    for (std::size_t l = 0; l < each.loops.size(); ++l)
      EXPECT_EQ(each.loops[l].iterations, runs.loops[l].iterations) << seed;
    for (std::size_t b = 0; b < each.blocks.size(); ++b)
      EXPECT_EQ(each.blocks[b].runs, runs.blocks[b].runs) << seed;
    EXPECT_EQ(each.launches[1].extents, runs.launches[1].extents) << seed;
    EXPECT_EQ(each.launches[1].block_runs, runs.launches[1].block_runs) << seed;
  }
}

TEST(RecordedRuns, DetailHoldsTheSameEvents) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Nest nest = random_nest(seed);
    const facts::RegionTrace each = record(nest, RunKind::detail, false),
                             runs = record(nest, RunKind::detail, true);
    EXPECT_EQ(each.addresses, runs.addresses) << seed;
    EXPECT_EQ(each.steps, runs.steps) << seed;
    EXPECT_EQ(each.threads.size(), runs.threads.size()) << seed;
    EXPECT_EQ(each.launches[1].threads, runs.launches[1].threads) << seed;
    EXPECT_EQ(each.launches[1].extents, runs.launches[1].extents) << seed;
  }
}

} // namespace
} // namespace forewarp::port
