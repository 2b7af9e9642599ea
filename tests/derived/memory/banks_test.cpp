// Shared-memory passes worked by hand.
#include "memory/coalesce/banks.h"
#include "memory/coalesce/constant.h"

#include <gtest/gtest.h>

namespace forewarp::memory {
namespace {

Lanes bank_row(std::int64_t stride, unsigned width, unsigned lanes = 32) {
  facts::MemoryEvent e;
  e.active = lanes == 64 ? ~0ULL : (1ULL << lanes) - 1;
  e.stride = stride;
  return expand(e, {}, 0, width);
}
unsigned passes(const Lanes& lanes, const gpu::MemoryTiming& m = {}, bool atomic = false) {
  return bank_passes(lanes, m, atomic).passes;
}
gpu::MemoryTiming eight_byte_banks() {
  gpu::MemoryTiming m;
  m.shared_bank_bytes = 8;
  return m;
}
gpu::MemoryTiming sixteen_banks() {
  gpu::MemoryTiming m;
  m.shared_banks = m.shared_lanes_per_pass = 16;
  m.l1_pass_rule = gpu::L1PassRule::half_warp_segments;
  return m;
}

TEST(Banks, PowerOfTwoStridesConflictAsOftenAsTheyDivide32) {
  // Stride s words: lanes 32/gcd(s,32) apart meet in a bank, gcd(s, 32) of them.
  for (unsigned s = 1; s <= 32; s *= 2)
    EXPECT_EQ(passes(bank_row(4 * s, 4)), s);
  EXPECT_EQ(passes(bank_row(4 * 3, 4)), 1U);
  EXPECT_EQ(passes(bank_row(4 * 6, 4)), 2U);
}
TEST(Banks, PaddedColumnIsFree) {
  EXPECT_EQ(passes(bank_row(4 * 33, 4)), 1U);
}
TEST(Banks, Broadcast) {
  EXPECT_EQ(passes(bank_row(0, 4)), 1U);
  EXPECT_TRUE(bank_passes(bank_row(0, 4), {}, false).one_address);
}
TEST(Banks, MulticastOfTwoWordsInOneBankTakesTwo) { // lanes 0-15 word 0, lanes 16-31 word 32
  facts::MemoryEvent e;
  e.active = 0xFFFFFFFF;
  e.pattern = facts::MemoryEvent::Pattern::affine2;
  e.row_lanes = 16;
  e.row_stride = 128;
  EXPECT_EQ(passes(expand(e, {}, 0, 4)), 2U);
  e.row_stride = 4; // different banks
  EXPECT_EQ(passes(expand(e, {}, 0, 4)), 1U);
}
TEST(Banks, WideAccessesTakePhases) {
  EXPECT_EQ(passes(bank_row(8, 8)), 2U);   // 64-bit: half-warps
  EXPECT_EQ(passes(bank_row(16, 16)), 4U); // 128-bit: quarters
  EXPECT_EQ(bank_passes(bank_row(16, 16), {}, false).phases, 4U);
  EXPECT_EQ(passes(bank_row(8 * 33, 8)),
            2U); // padded double column: 16 lanes, words 66k, 66k+1: banks 2k, 2k+1
  EXPECT_EQ(passes(bank_row(8 * 32, 8)), 32U); // all 16 lanes of a half in two banks: 16 passes each
}
TEST(Banks, EightByteMode) {
  EXPECT_EQ(passes(bank_row(8, 8), eight_byte_banks()), 1U); // Kepler: doubles at full rate
  EXPECT_EQ(passes(bank_row(16, 8), eight_byte_banks()), 2U);
  EXPECT_EQ(passes(bank_row(8, 4), eight_byte_banks()),
            1U); // stride 2 of 4-byte words: one 8-byte word a bank
  EXPECT_EQ(passes(bank_row(4, 4), eight_byte_banks()), 1U); // two lanes share an 8-byte word
}
// 32 lanes of 16 bytes are 512 bytes: two cycles of banks that move 256 each, one word or many.
TEST(Banks, EightByteBanksMoveWideWordsByHalfWarpsEvenIfNeighboursShareThem) {
  EXPECT_EQ(passes(bank_row(16, 16), eight_byte_banks()), 2U);
  EXPECT_EQ(passes(bank_row(0, 16), eight_byte_banks()), 2U);
  EXPECT_EQ(passes(bank_row(0, 16)), 2U); // 4-byte banks: quarters of 128 bytes, two of them together
}
TEST(Banks, SixteenBanksServeHalfWarps) {
  EXPECT_EQ(passes(bank_row(4, 4), sixteen_banks()), 2U);
  EXPECT_EQ(passes(bank_row(8, 4), sixteen_banks()), 4U);
  EXPECT_EQ(passes(bank_row(0, 4), sixteen_banks()), 2U);
  EXPECT_EQ(passes(bank_row(64, 4), sixteen_banks()), 32U);
}
TEST(Banks, AtomicsOnOneAddressAreSerial) {
  EXPECT_EQ(passes(bank_row(0, 4), {}, true), 32U);
}
TEST(Banks, WavefrontOf64TakesTwoPasses) {
  EXPECT_EQ(passes(bank_row(4, 4, 64)), 2U);
}
// 64 lanes of 8 bytes: 16 a pass where aligned. Words that begin 4 bytes further go as many lanes a pass as
// the file says (one on CDNA 2); single words do not care.
TEST(Banks, UnalignedWideWordsTakeAsManyLanesAPassAsTheFileSays) {
  gpu::MemoryTiming cdna2;
  cdna2.shared_unaligned_lanes = 1;
  EXPECT_EQ(passes(bank_row(8, 8, 64), cdna2), 4U);
  EXPECT_EQ(passes(bank_row(4, 8, 64), cdna2), 64U);
  EXPECT_EQ(passes(bank_row(4, 4, 64), cdna2), 2U);
  EXPECT_EQ(passes(bank_row(4, 12, 64), cdna2), 64U);
  cdna2.shared_unaligned_lanes = 8;
  EXPECT_EQ(passes(bank_row(12, 8, 64), cdna2), 8U); // 8 lanes, 16 words of 24: no bank twice
}

// 64 lanes of 8 bytes are 512 bytes to the registers at 128 a clock, one word or many.
TEST(Banks, SharedWideWordsTakeAsLongAsOthersOnGcn) {
  gpu::MemoryTiming gcn;
  gcn.l1_pass_rule = gpu::L1PassRule::quads;
  EXPECT_EQ(passes(bank_row(0, 8, 64), gcn), 4U);
  EXPECT_EQ(passes(bank_row(0, 4, 64), gcn), 2U);
}

TEST(Constant, DistinctAddressesAreSerial) {
  EXPECT_EQ(constant_passes(bank_row(0, 4)), 1U);
  EXPECT_EQ(constant_passes(bank_row(4, 4)), 32U);
}

} // namespace
} // namespace forewarp::memory
