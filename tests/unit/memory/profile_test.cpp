#include "memory/translate/trace_addresses.h"
#include "unit/memory/trace_builder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace forewarp::memory::test {
namespace {

Kernel copy_kernel(std::uint64_t groups) {
  Kernel k;
  k.grid = {groups, 1, 1};
  k.block = {256, 1, 1};
  const std::uint64_t n = groups * 256 * 4, out = 1ULL << 32;
  k.regions = {{"in", facts::MemorySpace::global, 0, n}, {"out", facts::MemorySpace::global, out, n}};
  const auto index = [](const Thread& t) { return (t.group.x * 256 + t.local.x) * 4; };
  k.accesses = {{load(4, "in"), [=](const Thread& t, unsigned) { return index(t); }},
                {store(4, "out"), [=](const Thread& t, unsigned) { return out + index(t); }}};
  return k;
}

TEST(Profile, CopyMovesEachByteOnce) {
  const Kernel k = copy_kernel(65536);
  const auto p =
      profile(trace_of(k, {0, 1, 7, 100, 65535}), sites_of(k), volta_like(), {.active_groups_per_sm = 8});
  ASSERT_TRUE(p) << p.error().message;
  const double n = 65536.0 * 1024;
  EXPECT_NEAR(p->dram_bytes_read, n, 0.02 * n);
  // Half of what filled the 6 MiB of L2 is dirty when the kernel ends.
  EXPECT_NEAR(p->dirty_at_end_bytes, 3.0 * 1024 * 1024, 0.03 * 1024 * 1024);
  EXPECT_NEAR(p->dram_bytes_written, n - p->dirty_at_end_bytes, 0.02 * n);
  // The launch before left as much, and all of it is driven out.
  EXPECT_NEAR(p->dram_extra_bytes_written, p->dirty_at_end_bytes, 0.01 * n);
  EXPECT_NEAR(p->l2_bytes_read, n, 1);
  EXPECT_NEAR(p->footprint_bytes, 2 * n, 0.03 * 2 * n);
  EXPECT_EQ(p->sites[0].access, facts::AccessClass::coalesced);
  EXPECT_DOUBLE_EQ(p->sites[0].requests, 65536.0 * 8);
  EXPECT_DOUBLE_EQ(p->sites[0].transactions_per_request, 4);
  EXPECT_DOUBLE_EQ(p->sites[0].bytes_asked, n);
  EXPECT_NEAR(p->sites[0].l1_hit_rate, 0, 1e-9);
}

/// Two groups read each row of 1 KiB, on neighbouring multiprocessors: of four sectors of a line two come
/// from DRAM in the mean, but a warp finds all of its line in L2 or none. Where each line is read once, all
/// wait.
TEST(Profile, WaitsForDramGoByLinesNotByMeanSectors) {
  Kernel k = copy_kernel(65536);
  const auto read_once =
      profile(trace_of(k, {0, 1, 7, 100, 65535}), sites_of(k), volta_like(), {.active_groups_per_sm = 8});
  ASSERT_TRUE(read_once) << read_once.error().message;
  EXPECT_NEAR(read_once->outcomes[2][0][0].dram_wait, 1, 0.02);
  k.accesses[0].address = [](const Thread& t, unsigned) { return (t.group.x / 2 * 256 + t.local.x) * 4; };
  const auto read_twice =
      profile(trace_of(k, {0, 1, 7, 100, 65535}), sites_of(k), volta_like(), {.active_groups_per_sm = 8});
  ASSERT_TRUE(read_twice) << read_twice.error().message;
  EXPECT_NEAR(read_twice->outcomes[2][0][0].dram_sectors, 2, 0.1);
  EXPECT_NEAR(read_twice->outcomes[2][0][0].dram_wait, 0.5, 0.025);
}

TEST(Profile, AddressesMadeOnceServeOtherGpus) {
  const Kernel k = copy_kernel(4096);
  const facts::KernelTrace trace = trace_of(k, {0, 1, 7, 100, 4095});
  const TraceAddresses addresses(trace, sites_of(k));
  for (const gpu::Machine& machine : {volta_like(), fermi_like()}) {
    const ProfileOptions options{.active_groups_per_sm = 4};
    const auto made = profile(trace, sites_of(k), machine, options);
    const auto given = profile(trace, sites_of(k), machine, options, &addresses);
    ASSERT_TRUE(made && given);
    EXPECT_EQ(given->dram_bytes_read, made->dram_bytes_read);
    EXPECT_EQ(given->dram_extra_bytes_written, made->dram_extra_bytes_written);
    EXPECT_EQ(given->footprint_bytes, made->footprint_bytes);
  }
}

/// 2 MiB read and 2 MiB written fit L2's 6: the launch before wrote the same lines, and nothing is driven
/// out.
TEST(Profile, WhatFitsL2DrivesNothingOut) {
  const auto p = profile(trace_of(copy_kernel(2048), {0, 1, 7, 100, 2047}), sites_of(copy_kernel(2048)),
                         volta_like(), {.active_groups_per_sm = 8});
  ASSERT_TRUE(p) << p.error().message;
  EXPECT_NEAR(p->dirty_at_end_bytes, 2048.0 * 1024, 0.02 * 2048 * 1024);
  EXPECT_EQ(p->dram_extra_bytes_written, 0);
}

/// Site 1 is a copy of site 0 that runs only after the events that the stages hold (1e6 of 32 groups of 32
/// warps: 976 a warp): it is taken to hit L1 as its copy does, not to miss always.
TEST(Profile, CopiesOfASiteBeyondTheBudgetDoAsTheSeenOne) {
  Kernel k = copy_kernel(8192);
  k.block = {1024, 1, 1};
  k.iterations = 2000;
  const auto address = [](const Thread& t, unsigned) { return t.local.x * 4; };
  k.accesses = {{load(4, "in"),
                 [=](const Thread& t, unsigned i) {
                   return i < 1000 ? std::optional<std::uint64_t>(address(t, i)) : std::nullopt;
                 }},
                {load(4, "in"), [=](const Thread& t, unsigned i) {
                   return i < 1000 ? std::nullopt : std::optional<std::uint64_t>(address(t, i));
                 }}};
  for (Access& access : k.accesses)
    access.site.location = {0, 7, 3};
  const auto p = profile(trace_of(k, {0, 8191}), sites_of(k), volta_like(), {.active_groups_per_sm = 32});
  ASSERT_TRUE(p) << p.error().message;
  EXPECT_GT(p->sites[0].l1_hit_rate, 0.99);
  EXPECT_NEAR(p->sites[1].l1_hit_rate, p->sites[0].l1_hit_rate, 0.001);
}

/// 32 MiB read four times through 6 MiB of L2 (lines are sampled) and 64 MiB behind it: fetched once.
TEST(Profile, MemorySideCacheHoldsWhatL2DoesNot) {
  Kernel k = copy_kernel(1024);
  k.iterations = 128;
  const std::uint64_t turn = 1024ULL * 1024;
  k.regions = {{"in", facts::MemorySpace::global, 0, 32 * turn}};
  k.accesses = {{load(4, "in"), [=](const Thread& t, unsigned i) {
                   return i % 32 * turn + (t.group.x * 256 + t.local.x) * 4;
                 }}};
  gpu::Machine machine = volta_like();
  machine.memory.l3 = machine.memory.l2;
  machine.memory.l3.size_bytes = 64 << 20;
  const auto p =
      profile(trace_of(k, {0, 1, 7, 100, 1023}), sites_of(k), machine, {.active_groups_per_sm = 32});
  ASSERT_TRUE(p) << p.error().message;
  const double n = 32.0 * static_cast<double>(turn);
  EXPECT_NEAR(p->dram_bytes_read, n, 0.1 * n);
  EXPECT_NEAR(p->l3_bytes_read, 3 * n, 0.1 * 3 * n);
}

/// Groups of 64 bytes lie in the first or second half of a block; with an odd number of SMs each SM holds
/// both.
TEST(Profile, GroupsThatShareABlockReadTheirOwnHalfOfIt) {
  Kernel k = copy_kernel(16384);
  k.block = {16, 1, 1};
  const auto index = [](const Thread& t) { return (t.group.x * 16 + t.local.x) * 4; };
  k.accesses = {{load(4, "in"), [=](const Thread& t, unsigned) { return index(t); }},
                {store(4, "out"), [=](const Thread& t, unsigned) { return (1ULL << 32) + index(t); }}};
  gpu::Machine machine = volta_like();
  machine.sm_count = 81;
  const auto p =
      profile(trace_of(k, {0, 1, 8, 101, 16383}), sites_of(k), machine, {.active_groups_per_sm = 8});
  ASSERT_TRUE(p) << p.error().message;
  const double n = 16384.0 * 64;
  EXPECT_NEAR(p->dram_bytes_read, n, 0.02 * n);
  EXPECT_NEAR(p->dram_bytes_written + p->dirty_at_end_bytes, n, 0.02 * n);
}

/// Tiles of four rows read the first row of the tile below as well, which lies a row of 64 groups, eight
/// waves, away.
TEST(Profile, RowsSharedByTilesManyWavesApartAreReadOnce) {
  Kernel k;
  k.grid = {64, 256, 1};
  k.block = {32, 4, 1};
  k.iterations = 2;
  const std::uint64_t pitch = 64 * 32 * 4, rows = 256 * 4 + 1;
  k.regions = {{"in", facts::MemorySpace::global, 0, pitch * rows}};
  k.accesses = {{load(4, "in"), [=](const Thread& t, unsigned i) {
                   return (t.group.y * 4 + t.local.y + i) * pitch + (t.group.x * 32 + t.local.x) * 4;
                 }}};
  gpu::Machine machine = volta_like();
  machine.sm_count = 4;
  const auto p = profile(trace_of(k, sample_groups(k)), sites_of(k), machine, {.active_groups_per_sm = 2});
  ASSERT_TRUE(p) << p.error().message;
  EXPECT_NEAR(p->dram_bytes_read, static_cast<double>(pitch * rows),
              0.03 * static_cast<double>(pitch * rows));
}

TEST(Profile, EmptyTraceIsAnError) {
  const auto p = profile({}, {}, volta_like(), {});
  ASSERT_FALSE(p);
}

TEST(Profile, WarmCacheKeepsASmallInputInL2) {
  const Kernel k = copy_kernel(256);
  const auto cold =
      profile(trace_of(k, all_groups(k)), sites_of(k), volta_like(), {.active_groups_per_sm = 8});
  const auto warm = profile(trace_of(k, all_groups(k)), sites_of(k), volta_like(),
                            {.cache = ProfileOptions::CacheState::warm, .active_groups_per_sm = 8});
  ASSERT_TRUE(cold && warm);
  EXPECT_DOUBLE_EQ(cold->dram_bytes_read, 256 * 1024);
  EXPECT_DOUBLE_EQ(warm->dram_bytes_read, 0);
}

TEST(Profile, WarmCacheHoldsWhatManyNarrowWavesLeft) {
  const Kernel k = copy_kernel(1024); // 2 MB in all, 256 waves
  gpu::Machine machine = volta_like();
  machine.sm_count = 4;
  const auto run = [&](std::uint64_t l2_bytes) {
    machine.memory.l2.size_bytes = l2_bytes;
    return profile(trace_of(k, sample_groups(k)), sites_of(k), machine,
                   {.cache = ProfileOptions::CacheState::warm, .active_groups_per_sm = 1});
  };
  const auto fits = run(4 << 20), does_not = run(1 << 20);
  ASSERT_TRUE(fits && does_not);
  EXPECT_DOUBLE_EQ(fits->dram_bytes_read, 0);
  EXPECT_DOUBLE_EQ(fits->dram_bytes_written, 0);
  EXPECT_DOUBLE_EQ(does_not->dram_bytes_read, 1024 * 1024);
  // What the launch before left dirty is driven out by this one.
  EXPECT_NEAR(does_not->dram_bytes_written, 1024 * 1024, 1024);
}

/// Tiled matrix product, n x n floats, groups of tile x tile threads, two global loads a step.
Kernel matmul(std::uint64_t n, std::uint64_t tile) {
  Kernel k;
  k.grid = {n / tile, n / tile, 1};
  k.block = {tile, tile, 1};
  k.iterations = static_cast<unsigned>(n / tile);
  const std::uint64_t bytes = n * n * 4, b = bytes, c = 2 * bytes;
  k.regions = {{"a", facts::MemorySpace::global, 0, bytes},
               {"b", facts::MemorySpace::global, b, bytes},
               {"c", facts::MemorySpace::global, c, bytes}};
  k.accesses = {{load(4, "a"),
                 [=](const Thread& t, unsigned i) {
                   return ((t.group.y * tile + t.local.y) * n + i * tile + t.local.x) * 4;
                 }},
                {load(4, "b"),
                 [=](const Thread& t, unsigned i) {
                   return b + ((i * tile + t.local.y) * n + t.group.x * tile + t.local.x) * 4;
                 }},
                {store(4, "c"), [=](const Thread& t, unsigned i) -> std::optional<std::uint64_t> {
                   if (i + 1 < n / tile)
                     return std::nullopt;
                   return c + ((t.group.y * tile + t.local.y) * n + t.group.x * tile + t.local.x) * 4;
                 }}};
  return k;
}

TEST(Profile, TiledMatrixProductReadsItsInputsOnce) {
  // 1024^2 floats = 4 MiB each; B (4 MiB) stays in 6 MiB of L2, A and C stream through: DRAM reads = A + B.
  const Kernel k = matmul(1024, 32);
  const auto p = profile(trace_of(k, sample_groups(k)), sites_of(k), volta_like(),
                         {.active_groups_per_sm = 2, .shared_bytes_per_group = 8192});
  ASSERT_TRUE(p) << p.error().message;
  const double mb = 4.0 * 1024 * 1024;
  EXPECT_NEAR(p->dram_bytes_read, 2 * mb, 0.1 * mb);
  EXPECT_NEAR(p->dram_bytes_written + p->dirty_at_end_bytes, mb, 0.05 * mb);
  EXPECT_NEAR(p->footprint_bytes, 3 * mb, 0.1 * mb);
  // Each group asks 2 x 32 tiles of 4 KiB.
  EXPECT_DOUBLE_EQ(p->sites[0].bytes_asked, 1024 * 32 * 4096.0);
  EXPECT_DOUBLE_EQ(p->sites[2].requests, 1024 * 32.0);
}

TEST(Profile, SampledGroupsGiveWhatTheWholeGridGives) {
  const Kernel k = matmul(256, 16);
  const ProfileOptions options{.active_groups_per_sm = 2, .shared_bytes_per_group = 2048};
  gpu::Machine small = volta_like();
  small.sm_count = 8;
  small.memory.l2.size_bytes = 131072;
  const auto whole = profile(trace_of(k, all_groups(k)), sites_of(k), small, options);
  const auto part = profile(trace_of(k, sample_groups(k)), sites_of(k), small, options);
  ASSERT_TRUE(whole && part);
  EXPECT_NEAR(part->dram_bytes_read, whole->dram_bytes_read, 0.02 * whole->dram_bytes_read);
  EXPECT_NEAR(part->dram_bytes_written, whole->dram_bytes_written, 0.05 * whole->dram_bytes_written);
  EXPECT_NEAR(part->l2_bytes_read, whole->l2_bytes_read, 0.02 * whole->l2_bytes_read);
}

TEST(Profile, HitRatesOfAnEventAreSharedByTheGroupsOfAnSm) {
  // All groups read one 4 KiB table: the first on each SM misses, the others of the SM hit L1.
  Kernel k = copy_kernel(640);
  k.accesses[0].address = [](const Thread& t, unsigned) { return t.local.x * 4; };
  k.regions[0].size_bytes = 1024;
  const auto p =
      profile(trace_of(k, {0, 1, 100, 639}), sites_of(k), volta_like(), {.active_groups_per_sm = 8});
  ASSERT_TRUE(p);
  EXPECT_NEAR(p->sites[0].l1_hit_rate, 7.0 / 8, 1e-6);
  EXPECT_NEAR(p->outcomes[0][0][0].l2_sectors, 4.0 / 8, 1e-6);
  EXPECT_NEAR(p->sites[0].bytes_dram, 1024, 1);
}

TEST(Profile, BypassedLoadsDoNotMeetL1ButReadOnlyOnesDo) {
  Kernel k = copy_kernel(80);
  k.iterations = 2; // the same line twice
  gpu::Machine kepler = volta_like();
  kepler.memory.l1_caches_global = false;
  kepler.memory.l1_pass_rule = gpu::L1PassRule::lines;
  const auto plain = profile(trace_of(k, {0, 1, 79}), sites_of(k), kepler, {});
  k.accesses[0].site.read_only_path = true;
  const auto read_only = profile(trace_of(k, {0, 1, 79}), sites_of(k), kepler, {});
  ASSERT_TRUE(plain && read_only);
  EXPECT_TRUE(plain->outcomes[0][0][0].l1_bypass);
  EXPECT_FLOAT_EQ(plain->outcomes[0][0][2].l2_sectors, 4);
  EXPECT_FALSE(read_only->outcomes[0][0][0].l1_bypass);
  EXPECT_FLOAT_EQ(read_only->outcomes[0][0][2].l2_sectors, 0);
}

TEST(Profile, UnknownAddressesAreScatteredAndSaidSo) {
  Kernel k = copy_kernel(1024);
  k.accesses[0].unknown = true;
  const auto p =
      profile(trace_of(k, {0, 1, 5, 1023}), sites_of(k), volta_like(), {.active_groups_per_sm = 8});
  ASSERT_TRUE(p);
  EXPECT_EQ(p->sites[0].access, facts::AccessClass::unknown);
  EXPECT_GT(p->sites[0].transactions_per_request, 30);
  ASSERT_FALSE(p->notes.empty());
  EXPECT_EQ(p->notes[0].severity, facts::Note::Severity::assumption);
  EXPECT_NE(p->notes[0].text.find("'in'"), std::string::npos);
}

// Four words of each thread: 512 bytes a warp, whichever of them a lane reads, and no other thread's.
TEST(Profile, UnknownAddressesOfPrivateMemoryStayThere) {
  Kernel k;
  k.grid = {64, 1, 1};
  k.block = {32, 1, 1};
  k.iterations = 16;
  k.regions = {{"other", facts::MemorySpace::global, 0, 1ULL << 30},
               {"private memory", facts::MemorySpace::local, 1ULL << 40, 16}};
  k.accesses = {{load(4, "t"), [](const Thread&, unsigned) { return 1ULL << 40; }, true}};
  k.accesses[0].site.space = facts::MemorySpace::local;
  const auto p = profile(trace_of(k, {0, 1, 63}), sites_of(k), volta_like(), {.active_groups_per_sm = 8});
  ASSERT_TRUE(p);
  EXPECT_DOUBLE_EQ(p->footprint_bytes, 64.0 * 512);
  EXPECT_GT(p->sites[0].l1_hit_rate, 0.9);
}

TEST(Profile, AtomicsOnOneCounterAreCountedOverTheGrid) {
  Kernel k = copy_kernel(1000);
  k.accesses[1] = {site(facts::AccessKind::atomic, facts::MemorySpace::global, 4, "out"),
                   [](const Thread&, unsigned) { return 1ULL << 32; }};
  const auto p =
      profile(trace_of(k, {0, 1, 500, 999}), sites_of(k), volta_like(), {.active_groups_per_sm = 8});
  ASSERT_TRUE(p);
  EXPECT_DOUBLE_EQ(p->sites[1].hottest_address_operations, 256000);
  EXPECT_DOUBLE_EQ(p->sites[1].hottest_slice_cycles, 0); // not bound on this GPU
  EXPECT_FLOAT_EQ(p->outcomes[0][0][1].transactions, 32);
  EXPECT_NEAR(p->sites[1].bytes_dram, 32, 1); // one sector read; it stays in L2
}

TEST(Profile, AtomicsJoinedOverTheWarpCountOnce) {
  Kernel k = copy_kernel(1000);
  k.accesses[1] = {site(facts::AccessKind::atomic, facts::MemorySpace::global, 4, "out"),
                   [](const Thread&, unsigned) { return 1ULL << 32; }};
  auto sites = sites_of(k);
  sites[1].one_per_warp = true;
  const auto p = profile(trace_of(k, {0, 1, 500, 999}), sites, volta_like(), {.active_groups_per_sm = 8});
  ASSERT_TRUE(p);
  EXPECT_DOUBLE_EQ(p->sites[1].hottest_address_operations, 256000 / 32);
}

// Lanes 0 to 30 count in one word, lane 31 in another of the same bank: 32 turns, or two where those who
// count in one word take one together (ATOMS.POPC.INC).
TEST(Profile, CountsInOneWordOfSharedMemoryAreMergedWhereTheGpuDoesThat) {
  Kernel k = copy_kernel(1000);
  k.accesses[1] = {site(facts::AccessKind::atomic, facts::MemorySpace::shared, 4, "bins"),
                   [](const Thread& t, unsigned) { return t.local.x % 32 == 31 ? 128ULL : 0ULL; }};
  const auto turns = [&](bool counts, bool merged) {
    auto sites = sites_of(k);
    sites[1].counts = counts;
    gpu::Machine machine = volta_like();
    machine.memory.shared_increments_merged = merged;
    return profile(trace_of(k, {0, 1, 500, 999}), sites, machine, {.active_groups_per_sm = 8})
        .value()
        .outcomes[0][0][1]
        .transactions;
  };
  EXPECT_FLOAT_EQ(turns(true, true), 2);
  EXPECT_FLOAT_EQ(turns(true, false), 32);
  EXPECT_FLOAT_EQ(turns(false, true), 32);
}

/// 8000 warps, four sectors each, 1.25 cycles a sector.
TEST(Profile, AtomicsOnAWordEachOfOneLineContendForItsSlice) {
  Kernel k = copy_kernel(1000);
  k.accesses[1] = {site(facts::AccessKind::atomic, facts::MemorySpace::global, 4, "out"),
                   [](const Thread& t, unsigned) { return (1ULL << 32) + 4 * (t.local.x % 32); }};
  gpu::Machine bound = volta_like();
  bound.memory.atomic_slice_sector_cycles = 1.25;
  const auto p = profile(trace_of(k, {0, 1, 500, 999}), sites_of(k), bound, {.active_groups_per_sm = 8});
  ASSERT_TRUE(p);
  EXPECT_DOUBLE_EQ(p->sites[1].hottest_address_operations, 8000);
  EXPECT_DOUBLE_EQ(p->sites[1].hottest_slice_cycles, 8000 * 4 * 1.25);
}

/// 8000 warps of a machine whose loads pass L1 by read one and the same line, four sectors each. Where groups
/// read lines of their own, no line counts.
TEST(Profile, LoadsOfOneLineByAllGroupsMeetInOneSlice) {
  Kernel k = copy_kernel(1000);
  gpu::Machine bypassing = volta_like();
  bypassing.memory.l1_caches_global = false;
  bypassing.memory.l1_pass_rule = gpu::L1PassRule::lines;
  const std::vector<std::uint64_t> samples = {0, 1, 500, 999};
  const auto apart = profile(trace_of(k, samples), sites_of(k), bypassing, {.active_groups_per_sm = 8});
  ASSERT_TRUE(apart);
  EXPECT_DOUBLE_EQ(apart->sites[0].hottest_line_sectors, 0);
  k.accesses[0] = {load(4, "in"), [](const Thread& t, unsigned) { return 4 * (t.local.x % 32); }};
  const auto together = profile(trace_of(k, samples), sites_of(k), bypassing, {.active_groups_per_sm = 8});
  ASSERT_TRUE(together);
  EXPECT_DOUBLE_EQ(together->sites[0].hottest_line_sectors, 8000 * 4);
  const auto kept = profile(trace_of(k, samples), sites_of(k), volta_like(), {.active_groups_per_sm = 8});
  ASSERT_TRUE(kept);
  EXPECT_LT(kept->sites[0].hottest_line_sectors, 8000); // L1 keeps it
}

TEST(Profile, WithoutCachesEveryTransactionGoesToDram) {
  gpu::Machine g80 = volta_like();
  g80.memory = {};
  g80.memory.l1_pass_rule = gpu::L1PassRule::half_warp_segments;
  g80.memory.coalesce_segment_bytes = 64;
  g80.memory.coalesce_lanes = 16;
  Kernel k = copy_kernel(64);
  const auto base = k.accesses[0].address;
  k.accesses[0].address = [=](const Thread& t, unsigned i) {
    return *base(t, i) + 4;
  }; // shifted: not coalesced
  const auto p = profile(trace_of(k, {0, 1, 63}), sites_of(k), g80, {});
  ASSERT_TRUE(p) << p.error().message;
  EXPECT_DOUBLE_EQ(p->sites[0].transactions_per_request, 32);
  EXPECT_DOUBLE_EQ(p->dram_bytes_read, 64 * 8 * 32 * 32.0);
  EXPECT_DOUBLE_EQ(p->dram_bytes_written, 64 * 1024.0);
}

TEST(Profile, SameInputsSameBytes) {
  const Kernel k = matmul(256, 16);
  const auto run = [&] {
    return profile(trace_of(k, sample_groups(k)), sites_of(k), volta_like(), {.active_groups_per_sm = 4});
  };
  const auto a = run(), b = run();
  EXPECT_EQ(a->dram_bytes_read, b->dram_bytes_read);
  EXPECT_EQ(a->l2_bytes_read, b->l2_bytes_read);
  EXPECT_EQ(a->sites[0].l1_hit_rate, b->sites[0].l1_hit_rate);
}

} // namespace
} // namespace forewarp::memory::test
