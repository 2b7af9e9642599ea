#include "memory/translate/translate.h"

#include "memory/l1/l1_stage.h"
#include "support/counter_random.h"
#include "unit/memory/trace_builder.h"

#include <gtest/gtest.h>

namespace forewarp::memory::test {
namespace {

/// 2-D stencil row access plus a transposed store: affine in both group indices with different coefficients.
Kernel two_dimensional() {
  Kernel k;
  k.grid = {12, 10, 1};
  k.block = {32, 4, 1};
  k.iterations = 3;
  const std::uint64_t pitch = 12 * 32 * 4 + 64, out = 1ULL << 30;
  k.regions = {{"in", facts::MemorySpace::global, 0, pitch * 64},
               {"out", facts::MemorySpace::global, out, 1 << 20}};
  k.accesses = {{load(4, "in"),
                 [=](const Thread& t, unsigned i) {
                   return (t.group.y * 4 + t.local.y + i) * pitch + (t.group.x * 32 + t.local.x) * 4;
                 }},
                {store(4, "out"), [=](const Thread& t, unsigned i) {
                   return out + ((t.group.x * 32 + t.local.x) * 40 + t.group.y * 4 + t.local.y) * 4 +
                          i * 65536;
                 }}};
  return k;
}

/// Lanes 3 and 7 at 8 KiB and 4 KiB: the base, which stands for lane 0, lies at 11 KiB.
TEST(Lanes, LowestAddressIsThatOfAnActiveLane) {
  facts::MemoryEvent event;
  event.active = 1U << 3 | 1U << 7;
  event.stride = -1024;
  event.base = 11 * 1024;
  EXPECT_EQ(lowest_address(event, {}), 4096U);
  event.stride = 1U << 20;
  event.base = 4096 - (3ULL << 20); // below 0: wraps
  EXPECT_EQ(lowest_address(event, {}), 4096U);
}

TEST(FitAffine, FindsCoefficientsAndRefusesCurves) {
  EXPECT_EQ(fit_affine(
                {{{0, 0, 0}, 5}, {{2, 0, 0}, 25}, {{1, 3, 0}, 1 * 10 + 3 * 7 + 5}, {{4, 4, 0}, 40 + 28 + 5}}),
            (std::array<std::int64_t, 3>{10, 7, 0}));
  EXPECT_FALSE(fit_affine({{{0, 0, 0}, 0}, {{1, 0, 0}, 1}, {{2, 0, 0}, 4}}));
  EXPECT_FALSE(fit_affine({}));
}

TEST(FitAffine, NearlyTakesPointsThatRoundingPutOffThePlane) {
  // floor(10.3 x): 10 a group from 0 to 1, 103 from 0 to 10.
  const std::vector<GroupBase> points = {{{0, 0, 0}, 0}, {{1, 0, 0}, 10}, {{5, 0, 0}, 51}, {{10, 0, 0}, 103}};
  EXPECT_FALSE(fit_affine(points));
  EXPECT_EQ(fit_nearly(points, 3), (Coefficients{10, 0, 0})); // off by 1 at 5, by 3 at 10
  EXPECT_FALSE(fit_nearly(points, 2));
  EXPECT_FALSE(fit_nearly({{{0, 0, 0}, 0}, {{1, 0, 0}, 10}}, 3)); // two points lie on any line
}

// Groups of 256 points of inner rows of 4094 in rows of 4096 floats: group g starts at element
// 256 g + 2 floor(256 g / 4094).
TEST(FitLine, FollowsRowsThatEndInsideGroups) {
  const auto line = fit_line({{{0, 0, 0}, 0},
                              {{5, 0, 0}, 4 * 1280},
                              {{16, 0, 0}, 4 * (4096 + 2)},
                              {{31, 0, 0}, 4 * (7936 + 2)},
                              {{48, 0, 0}, 4 * (12288 + 6)}});
  ASSERT_TRUE(line);
  EXPECT_NEAR(line->bytes_per_group, 4.0 * 12294 / 48, 1e-9);
  EXPECT_EQ(line->unit_bytes, 8);
  EXPECT_EQ(line->at(1), 1024);
  EXPECT_EQ(line->at(-48), -4 * 12294);
}

// blockIdx.x % 550, 16 KiB a group: 600 is 50 of the second round, 1200 is 100 of the third.
TEST(FitCircle, FollowsAnIndexModuloAPeriod) {
  const auto line = fit_circle({{{0, 0, 0}, 0},
                                {{600, 0, 0}, 50 * 16384},
                                {{601, 0, 0}, 51 * 16384},
                                {{1200, 0, 0}, 100 * 16384},
                                {{549, 0, 0}, 549 * 16384}});
  ASSERT_TRUE(line);
  EXPECT_EQ(line->period_groups, 550U);
  EXPECT_EQ(line->between(549, 550), -549 * 16384);
  EXPECT_EQ(line->between(10, 1111), 1 * 16384);
}

TEST(FitCircle, RefusesWhatIsNone) {
  EXPECT_FALSE(fit_circle({{{0, 0, 0}, 0}, {{1, 0, 0}, 64}, {{2, 0, 0}, 128}, {{3, 0, 0}, 192}})); // a line
  EXPECT_FALSE(fit_circle({{{0, 0, 0}, 0}, {{1, 0, 0}, 64}, {{9, 0, 0}, 64}}));                    // too few
  EXPECT_FALSE(fit_circle({{{0, 0, 0}, 0}, {{1, 0, 0}, 64}, {{5, 0, 0}, 7}, {{9, 0, 0}, 64}}));
  EXPECT_FALSE(fit_circle({{{0, 0, 0}, 8}, {{1, 0, 0}, 8}, {{2, 0, 0}, 8}, {{3, 0, 0}, 8}}));
}

TEST(FitLine, RefusesWhatIsNotNearOne) {
  EXPECT_FALSE(fit_line({{{0, 0, 0}, 0}, {{1, 0, 0}, 64}, {{2, 0, 0}, 128}})); // too few to tell
  EXPECT_FALSE(fit_line({{{0, 0, 0}, 0}, {{1, 0, 0}, 900}, {{2, 0, 0}, 130}, {{3, 0, 0}, 192}}));
  EXPECT_FALSE(fit_line({{{0, 0, 0}, 0}, {{1, 0, 0}, 64}, {{2, 1, 0}, 128}, {{3, 0, 0}, 200}}));
  EXPECT_FALSE(fit_line({{{0, 0, 0}, 8}, {{1, 0, 0}, 8}, {{2, 0, 0}, 8}, {{3, 0, 0}, 8}}));
}

TEST(Translate, SynthesisedEqualsRealForEveryGroup) {
  const Kernel k = two_dimensional();
  const facts::KernelTrace sampled = trace_of(k, sample_groups(k));
  const auto sites = sites_of(k);
  const gpu::Machine machine = volta_like();
  const Translator translator(sampled, sites);
  RequestTable requests(machine.memory, 32);
  std::vector<SampleStream> streams;
  const StreamSource source{sampled, sites, machine.memory};
  for (std::uint32_t g = 0; g < sampled.groups.size(); ++g)
    streams.push_back(make_stream(source, g, requests));
  const StageInput in{sampled, machine.memory,          translator, requests,
                      streams, {k.grid.count(), 80, 4}, {},         true};
  for (std::uint64_t g = 0; g < k.grid.count(); ++g) {
    const facts::GroupTrace real = run_group(k, group_at(k.grid, g));
    const std::uint32_t rep = translator.representative(g);
    ASSERT_EQ(streams[rep].warps.size(), real.warps.size());
    for (std::uint32_t w = 0; w < real.warps.size(); ++w)
      for (const StreamEvent& event : streams[rep].warps[w]) {
        const facts::MemoryEvent& truth = real.warps[w].events[event.event];
        const std::int64_t delta = translator.delta(rep, translator.translation(rep, w, event), event, g);
        ASSERT_EQ(event.base + static_cast<std::uint64_t>(delta), truth.base) << "group " << g;
        const PlacedRequest placed = place(in, rep, w, event, delta);
        const Request wanted =
            coalesce(expand(truth, real.warps[w].offsets, static_cast<std::int64_t>(truth.base), 4),
                     coalesce_rule(machine.memory, event.route));
        ASSERT_EQ(placed.request->blocks.size(), wanted.blocks.size());
        for (std::size_t b = 0; b < wanted.blocks.size(); ++b) {
          ASSERT_EQ(placed.block + placed.request->blocks[b].block, wanted.blocks[b].block);
          ASSERT_EQ(placed.request->blocks[b].sectors, wanted.blocks[b].sectors);
        }
      }
  }
}

TEST(Translate, DataDependentSiteStaysInsideTheRangeSeen) {
  Kernel k = two_dimensional();
  k.accesses[0].address = [](const Thread& t, unsigned i) {
    return counter_random(t.group.x * 1000 + t.group.y, t.local.x + i) % 100000 * 4;
  };
  const facts::KernelTrace sampled = trace_of(k, sample_groups(k));
  const auto sites = sites_of(k);
  const Translator translator(sampled, sites);
  EXPECT_TRUE(translator.irregular_sites()[0]);
  EXPECT_FALSE(translator.irregular_sites()[1]);
  StreamEvent event;
  event.base = sampled.groups[2].warps[0].events[0].base;
  for (std::uint64_t g = 0; g < 50; ++g) {
    const std::int64_t moved = static_cast<std::int64_t>(event.base) +
                               translator.delta(2, translator.translation(2, 0, event), event, g);
    EXPECT_GE(moved, 0);
    EXPECT_LT(moved, 400000 + 128);
  }
}

// Two copies of one load, as a loop unrolled twice has them: element i and element i + 1 of rows that start
// anywhere.
TEST(Translate, DataDependentSitesOfOneBufferKeepTheirDistance) {
  Kernel k = two_dimensional();
  const auto row = [](const Thread& t) {
    return counter_random(t.group.x * 1000 + t.group.y, t.local.x) % 100000 * 4;
  };
  k.accesses = {{load(4, "in"), [=](const Thread& t, unsigned) { return row(t); }},
                {load(4, "in"), [=](const Thread& t, unsigned) { return row(t) + 4; }}};
  const facts::KernelTrace sampled = trace_of(k, sample_groups(k));
  const auto sites = sites_of(k);
  const Translator translator(sampled, sites);
  ASSERT_TRUE(translator.irregular_sites()[0]);
  ASSERT_TRUE(translator.irregular_sites()[1]);
  const auto moved = [&](std::uint32_t site, std::uint64_t group) {
    StreamEvent event;
    event.site = site;
    event.lowest = 4096;
    return translator.delta(2, translator.translation(2, 0, event), event, group);
  };
  int elsewhere = 0;
  for (std::uint64_t g = 0; g < 50; ++g) {
    EXPECT_EQ(moved(0, g), moved(1, g));
    elsewhere += moved(0, g) != 0 ? 1 : 0;
  }
  EXPECT_GT(elsewhere, 40);
}

/// Lanes read rows of a table that are 640 bytes apart, in an order of their own for each row of the grid.
/// Groups of one row read the same; `far` puts the rows all over the buffer.
std::vector<std::int64_t> read_rows(Kernel& k, std::uint64_t far) {
  const auto first = [](std::uint64_t y) { return counter_random(y, 5) % 64 * 4096; };
  k.regions[0].size_bytes = 64 * 4096 + 32 * 640;
  k.accesses[0].address = [=](const Thread& t, unsigned i) {
    const std::uint64_t lane = t.local.x + t.local.y;
    return first(t.group.y) + (lane == 0 ? 0 : counter_random(t.group.y, lane) % 32 * far) + i * 128;
  };
  std::vector<std::int64_t> places;
  for (std::uint64_t g = 0; g < k.grid.count(); ++g)
    places.push_back(static_cast<std::int64_t>(first(g / k.grid.x)));
  return places;
}

TEST(Translate, LanesThatReadTheirRowsMoveAsWorkItem0Does) {
  Kernel k = two_dimensional();
  GroupPlaces places = {read_rows(k, 640), {}};
  const facts::KernelTrace sampled = trace_of(k, sample_groups(k));
  const auto sites = sites_of(k);
  EXPECT_TRUE(Translator(sampled, sites).irregular_sites()[0]);
  const Translator translator(sampled, sites, &places);
  EXPECT_FALSE(translator.irregular_sites()[0]);
  StreamEvent event;
  event.base = sampled.groups[2].warps[0].events[0].base;
  const std::uint64_t own = linear_index(sampled.shape.groups, sampled.groups[2].group);
  for (std::uint64_t g = 0; g < k.grid.count(); ++g)
    EXPECT_EQ(translator.delta(2, translator.translation(2, 0, event), event, g),
              places[0][g] - places[0][own]);
  places[0][own] += 128; // not what the sample does
  EXPECT_TRUE(Translator(sampled, sites, &places).irregular_sites()[0]);
}

TEST(Translate, RowsFromAllOverTheBufferMoveAtRandom) {
  Kernel k = two_dimensional();
  const GroupPlaces places = {read_rows(k, 8192), {}};
  const facts::KernelTrace sampled = trace_of(k, sample_groups(k));
  const auto sites = sites_of(k);
  EXPECT_TRUE(Translator(sampled, sites, &places).irregular_sites()[0]);
}

// Rows in an order of the index's own, of which three samples lie on a line: 1 MiB a group, 120 MiB for the
// grid, where the buffer has 3.
TEST(Translate, APlaneThatLeavesTheBufferIsNone) {
  Kernel k = two_dimensional();
  k.grid = {120, 1, 1};
  k.regions[0].size_bytes = 3 << 20;
  k.accesses[0].address = [](const Thread& t, unsigned) {
    return t.group.x % 3 * (1ULL << 20) + t.local.x * 4;
  };
  const facts::KernelTrace sampled = trace_of(k, {0, 1, 2});
  EXPECT_TRUE(Translator(sampled, sites_of(k)).irregular_sites()[0]);
  k.regions[0].size_bytes = 120ULL << 20;
  const facts::KernelTrace wide = trace_of(k, {0, 1, 2});
  EXPECT_FALSE(Translator(wide, sites_of(k)).irregular_sites()[0]);
}

/// Every group runs another number of iterations of site 0: each is a class of its own.
Kernel classes_of_one_sample() {
  Kernel k = two_dimensional();
  k.iterations = 30;
  k.accesses[0].address = [](const Thread& t, unsigned i) -> std::optional<std::uint64_t> {
    if (i > t.group.x + 2 * t.group.y)
      return std::nullopt;
    return counter_random(t.group.x, t.group.y + i) % 4096 * 4;
  };
  return k;
}

TEST(Translate, ClassesOfOneSampleShareTheSitesCoefficients) {
  Kernel k = classes_of_one_sample();
  const auto affine = k.accesses[1].address;
  k.accesses[1].address = [=](const Thread& t, unsigned i) -> std::optional<std::uint64_t> {
    return i ? std::nullopt : affine(t, i);
  };
  const facts::KernelTrace sampled = trace_of(k, {0, 13, 40, 77, 119});
  const Translator translator(sampled, sites_of(k));
  EXPECT_TRUE(translator.irregular_sites()[0]);
  EXPECT_FALSE(translator.irregular_sites()[1]);
  StreamEvent event;
  event.site = 1;
  event.base = sampled.groups[0].warps[0].events[1].base;
  EXPECT_EQ(translator.delta(0, translator.translation(0, 0, event), event, 1), 32 * 40 * 4);
  EXPECT_EQ(translator.delta(0, translator.translation(0, 0, event), event, 12), 16);
}

TEST(Translate, ClampedBordersDoNotHideTheInnerGroupsPlane) {
  // As above, and site 1's index is clamped at the lower border: inner groups tell its coefficients.
  Kernel k = classes_of_one_sample();
  const auto affine = k.accesses[1].address;
  k.accesses[1].address = [=](Thread t, unsigned i) -> std::optional<std::uint64_t> {
    if (i)
      return std::nullopt;
    t.group.y = std::max<std::uint64_t>(t.group.y, 1);
    return affine(t, i);
  };
  const facts::KernelTrace sampled = trace_of(k, {0, 13, 40, 53, 77, 119});
  const Translator translator(sampled, sites_of(k));
  EXPECT_FALSE(translator.irregular_sites()[1]);
  StreamEvent event;
  event.site = 1;
  event.base = sampled.groups[1].warps[0].events[1].base;
  EXPECT_EQ(translator.delta(1, translator.translation(1, 0, event), event, 14), 32 * 40 * 4);
  EXPECT_EQ(translator.delta(1, translator.translation(1, 0, event), event, 25), 16);
}

TEST(Translate, SamplesOnOneLineOfAGridOfTwoDimensionsDoNotSpanIt) {
  const facts::Dim3 grid{8, 8, 1};
  const GroupBase a{{0, 0, 0}, 0}, b{{4, 4, 0}, 0}, c{{7, 7, 0}, 0}, beside{{7, 4, 0}, 0};
  EXPECT_FALSE(spans(grid, {a, b, c}));
  EXPECT_TRUE(spans(grid, {a, b, c, beside}));
  EXPECT_TRUE(spans({8, 1, 1}, {a, {{3, 0, 0}, 0}}));
  EXPECT_FALSE(spans({8, 1, 8}, {a, {{3, 0, 3}, 0}}));
  EXPECT_TRUE(spans({1, 1, 1}, {a}));
}

TEST(Translate, PerEventCoefficientsWhereASiteHasSeveral) {
  // Iteration i moves by (i + 1) lines a group: affine for each event, not for the site.
  Kernel k = two_dimensional();
  k.accesses[0].address = [](const Thread& t, unsigned i) {
    return t.group.x * 128 * (i + 1) + i * 1000000 + t.local.x * 4;
  };
  const facts::KernelTrace sampled = trace_of(k, sample_groups(k));
  const Translator translator(sampled, sites_of(k));
  EXPECT_FALSE(translator.irregular_sites()[0]);
  StreamEvent event;
  event.event = 4; // iteration 2, site 0
  event.base = sampled.groups[0].warps[0].events[4].base;
  EXPECT_EQ(translator.delta(0, translator.translation(0, 0, event), event, 5), 5 * 3 * 128);
}

TEST(Translate, RoundedIndicesMoveWithTheGroupNotAtRandom) {
  // Dedispersion: rows of the grid read from a shift that is rounded down, its slope another one each turn.
  Kernel k = two_dimensional();
  k.accesses[0].address = [](const Thread& t, unsigned i) {
    const auto shift = static_cast<std::uint64_t>((t.group.y * 4 + t.local.y) * 15.87 * (1 - 0.1 * i));
    return i * 1000000 + (t.group.x * 32 + t.local.x) * 4 + shift;
  };
  const facts::KernelTrace sampled = trace_of(k, sample_groups(k));
  const Translator translator(sampled, sites_of(k));
  EXPECT_FALSE(translator.irregular_sites()[0]);
  StreamEvent event;
  event.event = 4; // iteration 2, site 0: about 50.8 bytes a row of groups
  event.base = sampled.groups[0].warps[0].events[4].base;
  const Translation& moved = translator.translation(0, 0, event);
  EXPECT_NEAR(
      static_cast<double>(translator.delta(0, moved, event, 5) - translator.delta(0, moved, event, 1)),
      4 * 128, 1e-9);
  EXPECT_NEAR(
      static_cast<double>(translator.delta(0, moved, event, 60) - translator.delta(0, moved, event, 0)),
      5 * 4 * 15.87 * 0.8, 32);
}

} // namespace
} // namespace forewarp::memory::test
