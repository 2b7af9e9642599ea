// Transactions and sectors worked by hand, one block per rule.
#include "memory/coalesce/coalesce.h"
#include "memory/translate/stream.h"

#include <gtest/gtest.h>

namespace forewarp::memory {
namespace {

facts::MemoryEvent affine(std::int64_t stride, unsigned lanes = 32) {
  facts::MemoryEvent e;
  e.active = lanes == 64 ? ~0ULL : (1ULL << lanes) - 1;
  e.stride = stride;
  return e;
}

Lanes row(std::int64_t base, std::int64_t stride, unsigned width, unsigned lanes = 32) {
  return expand(affine(stride, lanes), {}, base, width);
}

/// Two rows of 16 lanes, `pitch` bytes apart (a 16x16 block).
Lanes rows16(std::int64_t base, std::int64_t stride, std::int64_t pitch, unsigned width) {
  facts::MemoryEvent e = affine(stride);
  e.pattern = facts::MemoryEvent::Pattern::affine2;
  e.row_lanes = 16;
  e.row_stride = pitch;
  return expand(e, {}, base, width);
}

gpu::MemoryTiming half_warp(unsigned segment) {
  gpu::MemoryTiming m;
  m.l1_pass_rule = gpu::L1PassRule::half_warp_segments;
  m.coalesce_segment_bytes = segment;
  m.coalesce_lanes = 16;
  return m;
}
gpu::MemoryTiming fermi() {
  gpu::MemoryTiming m;
  m.l1 = {true, 16384, 128, 128, 4, false, false, false};
  m.l2 = {true, 786432, 128, 32, 8, false, true, true};
  return m;
}
gpu::MemoryTiming volta() {
  gpu::MemoryTiming m = fermi();
  m.l1 = {true, 131072, 128, 32, 4, true, false, false};
  m.l1_pass_rule = gpu::L1PassRule::sector_banks;
  return m;
}
gpu::MemoryTiming kepler() {
  gpu::MemoryTiming m = fermi();
  m.l1_caches_global = false;
  return m;
}
gpu::MemoryTiming cdna() {
  gpu::MemoryTiming m = fermi();
  m.l1 = {true, 16384, 64, 64, 64, false, false, false};
  m.l1_pass_rule = gpu::L1PassRule::quads;
  m.coalesce_lanes = 16;
  return m;
}

gpu::MemoryTiming rdna() {
  gpu::MemoryTiming m = fermi();
  m.l1 = {true, 32768, 128, 128, 4, false, false, false};
  m.l1_pass_rule = gpu::L1PassRule::line_parts;
  m.l1_caches_global = true;
  m.coalesce_lanes = 16;
  m.l1_tag_lookups_per_cycle = 2;
  return m;
}

Request strict(const Lanes& lanes) {
  return coalesce(lanes, coalesce_rule(half_warp(64), Route::l2));
}
Request relaxed(const Lanes& lanes) {
  return coalesce(lanes, coalesce_rule(half_warp(128), Route::l2));
}
Request on_fermi(const Lanes& lanes) {
  return coalesce(lanes, coalesce_rule(fermi(), Route::l1));
}
Request on_kepler(const Lanes& lanes) {
  return coalesce(lanes, coalesce_rule(kepler(), Route::l2));
}
Request on_volta(const Lanes& lanes) {
  return coalesce(lanes, coalesce_rule(volta(), Route::l1));
}
Request on_cdna(const Lanes& lanes) {
  return coalesce(lanes, coalesce_rule(cdna(), Route::l1));
}

TEST(CoalesceStrict, AlignedFloat) { // one 64-byte segment a half-warp
  EXPECT_EQ(strict(row(0, 4, 4)).counted, 2);
  EXPECT_EQ(strict(row(0, 4, 4)).sectors, 4);
  EXPECT_TRUE(strict(row(0, 4, 4)).minimal);
}
TEST(CoalesceStrict, ShiftedByOneWordIsOneTransactionALane) {
  EXPECT_EQ(strict(row(4, 4, 4)).counted, 32);
  EXPECT_EQ(strict(row(4, 4, 4)).sectors, 32); // 32 bytes each
}
TEST(CoalesceStrict, Stride2) {
  EXPECT_EQ(strict(row(0, 8, 4)).counted, 32);
}
TEST(CoalesceStrict, Float2IsOne128ByteSegmentAndFloat4Two) {
  EXPECT_EQ(strict(row(0, 8, 8)).counted, 2);
  EXPECT_EQ(strict(row(0, 16, 16)).counted, 4);
  EXPECT_EQ(strict(row(0, 16, 16)).sectors, 16); // 512 bytes
}
TEST(CoalesceStrict, OneAddressIsNotCoalesced) {
  EXPECT_EQ(strict(row(0, 0, 4)).counted, 32);
}

TEST(CoalesceRelaxed, AlignedFloatShrinksTo64Bytes) {
  const Request r = relaxed(row(0, 4, 4));
  EXPECT_EQ(r.counted, 2);
  EXPECT_EQ(r.sectors, 4);
}
TEST(CoalesceRelaxed, ShiftedInsideTheSegment) {
  // Half-warp 0: bytes 4..67 of segment 0, both halves used: 128 bytes. Half-warp 1: bytes 68..131: 68..127
  // in the upper half of segment 0 (64 bytes), 128..131 in segment 1 (32 bytes).
  const Request r = relaxed(row(4, 4, 4));
  EXPECT_EQ(r.counted, 3);
  EXPECT_EQ(r.sectors, 4 + 2 + 1);
}
TEST(CoalesceRelaxed, OneAddressIsOne32ByteTransactionAHalfWarp) {
  EXPECT_EQ(relaxed(row(0, 0, 4)).counted, 2);
  EXPECT_EQ(relaxed(row(0, 0, 4)).sectors, 2);
}
TEST(CoalesceRelaxed, Stride32FloatsIsOneALane) {
  EXPECT_EQ(relaxed(row(0, 128, 4)).counted, 32);
}

TEST(CoalesceLine, Fermi) {
  EXPECT_EQ(on_fermi(row(0, 4, 4)).counted, 1);
  EXPECT_EQ(on_fermi(row(0, 4, 4)).sectors, 4);
  EXPECT_EQ(on_fermi(row(4, 4, 4)).counted, 2);    // misaligned: bytes 4..131
  EXPECT_EQ(on_fermi(row(4, 4, 4)).sectors, 8);    // whole lines move
  EXPECT_EQ(on_fermi(row(0, 8, 4)).counted, 2);    // stride 2: 256 bytes
  EXPECT_EQ(on_fermi(row(0, 128, 4)).counted, 32); // transposed: a line a lane
  EXPECT_EQ(on_fermi(row(0, 128, 4)).sectors, 128);
  EXPECT_EQ(on_fermi(row(0, 16, 16)).counted, 4); // float4: 4 quarter-warps of 128 bytes
  EXPECT_EQ(on_fermi(row(0, 0, 4)).counted, 1);
  EXPECT_TRUE(on_fermi(row(0, 0, 4)).uniform);
}
TEST(CoalesceLine, FermiSixteenBySixteenBlock) { // two rows of 64 bytes, 4096 apart: two lines
  EXPECT_EQ(on_fermi(rows16(0, 4, 4096, 4)).counted, 2);
}

TEST(CoalesceSector, KeplerBypassesL1) {
  EXPECT_EQ(on_kepler(row(0, 4, 4)).counted, 4);
  EXPECT_EQ(on_kepler(row(4, 4, 4)).counted, 5); // bytes 4..131: sectors 0..4
  EXPECT_EQ(on_kepler(row(0, 8, 4)).counted, 8);
  EXPECT_EQ(on_kepler(row(0, 128, 4)).counted, 32);
  EXPECT_EQ(on_kepler(row(0, 16, 16)).counted, 16);
  EXPECT_EQ(on_kepler(row(0, 0, 4)).counted, 1);
}

TEST(CoalesceSector, Volta) {
  EXPECT_EQ(on_volta(row(0, 4, 4)).counted, 4);
  EXPECT_TRUE(on_volta(row(0, 4, 4)).minimal);
  EXPECT_EQ(on_volta(row(4, 4, 4)).counted, 5);
  EXPECT_TRUE(on_volta(row(4, 4, 4)).minimal); // a contiguous row off its boundary
  EXPECT_EQ(on_volta(row(0, 8, 4)).counted, 8);
  EXPECT_FALSE(on_volta(row(0, 8, 4)).minimal);
  EXPECT_EQ(on_volta(row(0, 128, 4)).counted, 32);
  EXPECT_EQ(on_volta(row(0, 16, 16)).counted, 16);
  EXPECT_EQ(on_volta(rows16(0, 4, 4096, 4)).counted, 4); // 2 rows x 64 bytes
  EXPECT_EQ(on_volta(rows16(0, 4096, 4, 4)).counted,
            16); // transposed: 16 lanes a column; columns share sectors
  EXPECT_EQ(on_volta(row(0, 4, 4, 1)).counted, 1);
  EXPECT_EQ(on_volta(row(0, -4, 4)).counted, 5 - 0); // bytes -124..3: sectors -4..0
}

TEST(CoalesceWavefront, CdnaQuarterWavesOf64ByteLines) {
  EXPECT_EQ(on_cdna(row(0, 4, 4, 64)).counted, 4); // 16 lanes = 64 bytes = a line
  EXPECT_EQ(on_cdna(row(0, 4, 4, 64)).sectors, 8);
  EXPECT_EQ(on_cdna(row(0, 4, 4, 64)).passes, 4);
  EXPECT_EQ(on_cdna(row(0, 8, 4, 64)).counted, 8);
  EXPECT_EQ(on_cdna(row(0, 64, 4, 64)).counted, 64);
  EXPECT_EQ(on_cdna(row(0, 16, 16, 64)).counted, 16); // 4 lanes a pass
  EXPECT_EQ(on_cdna(row(0, 16, 16, 64)).passes, 16);
}

/// Lines of four lanes by number; line n is in memory n mod 4. gpu-benches' gpu-strides on MI210 has the
/// means over offsets of 0 and 32 bytes: 1.51, 2.01, 3.52 and 3.02 cycles for strides of 10, 11, 31 and 34
/// doubles.
TEST(CoalesceWavefront, CdnaMemoriesOfTags) {
  EXPECT_EQ(on_cdna(row(0, 80, 8, 4)).passes, 1);   // lines 0 1 2 3
  EXPECT_EQ(on_cdna(row(32, 80, 8, 4)).passes, 2);  // 0 1 3 4: two in memory 0
  EXPECT_EQ(on_cdna(row(0, 88, 8, 4)).passes, 2);   // 0 1 2 4
  EXPECT_EQ(on_cdna(row(0, 248, 8, 4)).passes, 3);  // 0 3 7 11
  EXPECT_EQ(on_cdna(row(32, 248, 8, 4)).passes, 4); // 0 4 8 12
  EXPECT_EQ(on_cdna(row(0, 272, 8, 4)).passes, 4);  // 0 4 8 12
  EXPECT_EQ(on_cdna(row(32, 272, 8, 4)).passes, 2); // 0 4 9 13
  EXPECT_EQ(on_cdna(row(8, 8, 8, 64)).passes, 16);  // a row off its boundary: lines in a row
}

/// Bytes: four lanes a pass, and sixteen where each four ask for four bytes in a row. A word of 16 bytes that
/// four lanes share: two passes a quad.
TEST(CoalesceWavefront, CdnaBytesAndSharedWords) {
  EXPECT_EQ(on_cdna(row(0, 1, 1, 64)).passes, 4);
  EXPECT_EQ(on_cdna(row(3, 1, 1, 64)).passes, 4); // each quad begins inside a word
  EXPECT_EQ(on_cdna(row(0, 0, 1, 64)).passes, 4);
  EXPECT_EQ(on_cdna(row(0, 2, 1, 64)).passes, 16); // a quad spans 7 bytes
  EXPECT_EQ(on_cdna(row(0, 4, 1, 64)).passes, 16);
  EXPECT_EQ(on_cdna(row(0, 2, 2, 64)).passes, 4); // halves in a row
  EXPECT_EQ(on_cdna(row(0, 0, 16, 64)).passes, 32);
  EXPECT_EQ(on_cdna(row(0, 0, 4, 64)).passes, 4);
}

/// Turing reads 16 banks a cycle, and each line of a request takes a cycle beside the first one. Rows of 16
/// lanes, as blocks of 16 x 16 threads make them; the second row lies a power of two behind the first.
TEST(CoalescePasses, OfTuringByLinesAndHalfTheBanks) {
  gpu::MemoryTiming turing = volta();
  turing.l1_banks = 16;
  turing.l1_tag_lookups_per_cycle = 1;
  turing.l1_lines_beside_data = 0;
  const CoalesceRule rule = coalesce_rule(turing, Route::l1);
  const auto passes = [&](const Lanes& lanes) {
    return sectored_passes(coalesce(lanes, rule), lanes, rule, turing);
  };
  const auto two_rows = [&](int stride) {
    Lanes lanes = row(0, stride, 4);
    for (unsigned lane = 16; lane < 32; ++lane)
      lanes.address[lane] = 65536 + stride * (lane - 16);
    return passes(lanes);
  };
  EXPECT_EQ(passes(row(0, 4, 4)), 2);     // 32 words of one line
  EXPECT_EQ(passes(row(0, 4096, 4)), 33); // 32 lines
  EXPECT_EQ(passes(row(0, 16, 16)), 8);   // 512 bytes
  EXPECT_EQ(two_rows(0), 3);              // two words, as of a naive product's left matrix
  EXPECT_EQ(two_rows(16), 8);             // 32 words in 4 banks
  EXPECT_EQ(two_rows(20), 7);             // six lines, no word in another's way
}

/// Passes of a sectored L1 against the cycles per access that gpu-benches' gpu-strides measured on A100
/// (float / double, stride in elements; data bank conflicts for even strides, tag look-ups for the others).
TEST(CoalescePasses, SectoredL1AgainstMeasuredStrides) {
  struct Row {
    int stride;
    double float_cycles;
  };
  const CoalesceRule rule = coalesce_rule(volta(), Route::l1);
  const auto passes = [&](const Lanes& lanes) {
    return sectored_passes(coalesce(lanes, rule), lanes, rule, volta());
  };
  // The program's accesses lie 0, 4, ... 28 elements off a line's begin.
  const auto mean_passes = [&](int stride) {
    float sum = 0;
    for (int first = 0; first < 32; first += 4)
      sum += passes(row(4 * first, 4 * stride, 4));
    return sum / 8;
  };
  for (const Row& r : {Row{0, 1.02},
                       {1, 1.02},
                       {2, 2.00},
                       {3, 1.63},
                       {4, 4.00},
                       {5, 2.20},
                       {7, 2.67},
                       {8, 8.0},
                       {9, 3.03},
                       {11, 3.64},
                       {12, 4.00},
                       {16, 16.0},
                       {17, 5.1},
                       {24, 8.0},
                       {31, 8.5},
                       {32, 32.0},
                       {33, 8.8}})
    EXPECT_NEAR(mean_passes(r.stride), r.float_cycles, 0.15 * r.float_cycles) << "stride " << r.stride;
  EXPECT_NEAR(passes(row(0, 8, 8)), 2.01, 0.1);
  EXPECT_NEAR(passes(row(0, 64, 8)), 16.0, 0.1);
}

/// Cycles of a load of 32 lanes (half a wavefront) at a stride, as gpu-strides measured them on MI210.
TEST(CoalescePasses, CdnaTakesFourLanesAPassUnlessTheirWordsLieInARow) {
  const auto cycles = [](const Lanes& lanes) { return on_cdna(lanes).passes / 2; };
  for (const auto& [stride, measured] : {std::pair{0, 2.18},
                                         {1, 2.18},
                                         {2, 16.1},
                                         {4, 32.2},
                                         {5, 14.1},
                                         {6, 16.1},
                                         {7, 14.1},
                                         {8, 32.2},
                                         {13, 14.1},
                                         {22, 16.1},
                                         {28, 32.2}})
    EXPECT_NEAR(cycles(row(0, 4 * stride, 4, 64)), measured, 0.15 * measured) << "stride " << stride;
  EXPECT_EQ(cycles(row(16, 4, 4, 64)), 2); // off a line's begin
  for (const auto& [stride, measured] :
       {std::pair{1, 8.1}, {2, 8.1}, {3, 8.1}, {4, 16.1}, {6, 8.1}, {8, 32.2}, {12, 16.1}, {16, 32.2}})
    EXPECT_NEAR(cycles(row(0, 8 * stride, 8, 64)), measured, 0.15 * measured) << "doubles, stride " << stride;
  // Rows of 8 lanes a long way apart: 4.03.
  facts::MemoryEvent e = affine(4, 64);
  e.pattern = facts::MemoryEvent::Pattern::affine2;
  e.row_lanes = 8;
  e.row_stride = 4098 * 4;
  EXPECT_EQ(cycles(expand(e, {}, 0, 4)), 4);
}

TEST(CoalesceLocal, SameOffsetInAllLanesIsOneLine) {
  // Private offset 8 of every lane: word 2 of 32 interleaved lanes = bytes 256..383.
  const auto memory = volta();
  RequestTable table(memory, 32);
  const Request& r = table.find(affine(0), {}, 4, Route::l1, true, 8);
  ASSERT_EQ(r.blocks.size(), 1U);
  EXPECT_EQ(r.blocks[0].block, 2);
  EXPECT_EQ(r.blocks[0].sectors, 15);
  const Request& wide = table.find(affine(0), {}, 8, Route::l1, true, 0); // two words: two lines
  EXPECT_EQ(wide.blocks.size(), 2U);
}

/// Cycles of a work-group processor (two L0) for a load of 32 lanes at a stride of floats, as gpu-strides
/// measured them on RX 6900 XT: 16 lanes a pass, 32 banks for both halves of a wavefront, two lines a pass.
TEST(Coalesce, RdnaPassesAreThoseOfBanksAndTwoLines) {
  for (const auto& [stride, cycles] : {std::pair{0, 1.00},
                                       {1, 1.00},
                                       {2, 1.99},
                                       {4, 3.98},
                                       {5, 1.99},
                                       {6, 1.99},
                                       {7, 1.99},
                                       {8, 8.0},
                                       {9, 2.99},
                                       {10, 2.99},
                                       {12, 3.98},
                                       {13, 4.01},
                                       {16, 15.9},
                                       {17, 4.98},
                                       {24, 8.0},
                                       {25, 7.0},
                                       {32, 31.9},
                                       {33, 8.0},
                                       {48, 15.9}}) {
    const Request r = coalesce(expand(affine(stride * 4), {}, 4096, 4), coalesce_rule(rdna(), Route::l1));
    EXPECT_NEAR(r.passes / 2, cycles, 0.2 * cycles) << "stride " << stride;
  }
  // 16 bytes a lane move by whole lines (gpu-cache: 200 bytes a clock of 256).
  EXPECT_EQ(coalesce(expand(affine(16), {}, 4096, 16), coalesce_rule(rdna(), Route::l1)).passes, 4);
  // Counted by the lanes that fill a line.
  EXPECT_EQ(coalesce(expand(affine(4), {}, 4096, 4), coalesce_rule(rdna(), Route::l1)).counted, 1);
  EXPECT_TRUE(l1_passes_are_bank_passes(rdna()));
  EXPECT_TRUE(l1_passes_are_bank_passes(cdna()));
  EXPECT_FALSE(l1_passes_are_bank_passes(kepler()));
}

} // namespace
} // namespace forewarp::memory
