// Single instructions with the text that nvdisasm gives them.
#include "sass/program.h"

#include <gtest/gtest.h>

using namespace forewarp;
using namespace forewarp::sass;

namespace {

struct Case {
  unsigned sm;
  std::uint64_t low, high;
  std::uint32_t offset;
  const char* text;
};

// The upper word's bits 41 to 63 are the control word.
const Case cases[] = {
    {86, 0x00000a0000017a02, 0x000fe40000000f00, 0, "MOV R1, c[0x0][0x28]"},
    {86, 0x0000000000067919, 0x000e280000002500, 0x10, "S2R R6, SR_CTAID.X"},
    {86, 0x0000000006067a24, 0x001fca00078e0203, 0x30, "IMAD R6, R6, c[0x0][0x0], R3"},
    {86, 0x00005e0006007a0c, 0x000fda0003f06270, 0x40, "ISETP.GE.AND P0, PT, R6, c[0x0][0x178], PT"},
    {86, 0x000000000000094d, 0x000fea0003800000, 0x50, "@P0 EXIT"},
    {86, 0x0000088000008947, 0x000fea0003800000, 0xa0, "@!P0 BRA 0x930"},
    {86, 0x0000000806077212, 0x000fe200078e9607, 0, "LOP3.LUT R7, R6, R8, R7, 0x96, !PT"},
    {86, 0xffffffff02037810, 0x000fe20007ffe0ff, 0, "IADD3 R3, R2, -0x1, RZ"},
    {86, 0x3daaaaab0f047423, 0x000fe20000000006, 0, "FFMA R4, R15, R6, 0.083333335816860198975"},
    {86, 0x0000000608087981, 0x000ea8000c1e1900, 0, "LDG.E R8, [R8.64]"},
    {86, 0x000000041c047981, 0x000ea8000c1e9d00, 0, "LDG.E.128.CONSTANT R4, [R28.64]"},
    {86, 0x00040000000b7984, 0x000e280000004800, 0, "LDS R11, [R0.X4+0x400]"},
    {86, 0x0c201f0007077f89, 0x000e2800000e0000, 0, "SHFL.BFLY PT, R7, R7, 0x1, 0x1f"},
    {86, 0x0000000000007b1d, 0x000fec0000010000, 0, "BAR.SYNC.DEFER_BLOCKING 0x0"},
    {86, 0x00000010040c723c, 0x000fe2000000180c, 0, "HMMA.16816.F32 R12, R4, R16, R12"},
    {86, 0xfffffe9004007949, 0x000fea000383ffff, 0x160, "BRX R4 -0x170"},
    {86, 0x2000000509097231, 0x000fe20000040804, 0, "HFMA2 R9, R9.H0_H0, R5.H0_H0, R4.H0_H0"},
    {86, 0x000000050200098e, 0x000fe2000c10e184, 0, "@P0 RED.E.ADD.STRONG.GPU [R2.64], R5"},
    {90, 0x000000081a1c7981, 0x000ea8000c1e1900, 0, "LDG.E R28, desc[UR8][R26.64]"},
    {90, 0x0000001000388947, 0x000fea0003800000, 0xc0, "@!P0 BRA 0x11b0"},
    {90, 0x00000004063f75b2, 0x0010640008000100, 0, "SYNCS.EXCH.64 URZ, [UR6], UR4"},
    {90, 0x000008ff0fff79a7, 0x0001e2000810003f, 0, "SYNCS.ARRIVE.TRANS64.A1T0 RZ, [R15+URZ+0x8], RZ"},
    {90, 0x00000007ffff79a7, 0x0003e60008000007, 0, "SYNCS.ARRIVE.TRANS64 RZ, [UR7], R7"},
    {90, 0x0000000cff0075a7, 0x000ea40008000147, 0, "SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR7], R12"},
    {90, 0x00000006080093ba, 0x0003d80008000205, 0, "@!UP1 UBLKCP.S.G [UR6], [UR8], UR5"},
    {90, 0x00000004070073ba, 0x0005e20008000408, 0, "UBLKCP.G.S [UR4], [UR7], UR8"},
    {90, 0x000000040a0075b4, 0x0005d80008008000, 0, "UTMALDG.2D [UR4], [UR10]"},
    {90, 0x00000010060073b5, 0x0005e20008008000, 0, "UTMASTG.2D [UR16], [UR6]"},
    {90, 0x00000000000079b7, 0x0001e20000000000, 0, "UTMACMDFLUSH"},
    {90, 0x00000000003f082f, 0x000fe20003860000, 0, "@P0 ELECT P3, URZ, PT"},
    {90, 0x00000000000073c6, 0x000e320000000000, 0, "FENCE.VIEW.ASYNC.S"},
    {90, 0x00000000000079c5, 0x000fcc0000000000, 0, "WARPGROUP.ARRIVE"},
    {90, 0x00008000000079c5, 0x000fe40000010000, 0, "WARPGROUP.DEPBAR.LE gsb0, 0x0"},
    {90, 0x00008000000079c5, 0x000fe40000010100, 0, "WARPGROUP.DEPBAR.LE gsb0, 0x1"},
    {90, 0x00200000041879f0, 0x000fe20008000818, 0, "HGMMA.64x16x16.F32 R24, gdesc[UR4], R24, gsb0"},
    {90, 0x0000002221237248, 0x001fe20007fe0100, 0, "VIMNMX R35, R33, R34, !PT"},
    {90, 0x00000608060075b4, 0x0001f20008009000, 0, "UTMALDG.2D [UR8], [UR6], desc[UR6]"},
    {90, 0x0000000c080073b4, 0x0001f20008008804, 0, "UTMALDG.2D.MULTICAST [UR12], [UR8], UR4"},
    {90, 0x00000608060073ba, 0x0011d80008001204, 0, "UBLKCP.S.G [UR8], [UR6], UR4, desc[UR6]"},
    {90, 0x00000008060073ba, 0x0011d80008000a04, 0, "UBLKCP.S.G.MULTICAST [UR8], [UR6], UR4"},
    {90, 0x00000008040073ba, 0x0011d80008000605, 0, "UBLKCP.S.S [UR8], [UR4], UR5"},
    {90, 0x00000000060073bc, 0x0001e40008000004, 0, "UBLKPF.L2 [UR6], UR4"},
    {90, 0x00000006040075b8, 0x0001e40008008000, 0, "UTMAPF.L2.2D [UR6], [UR4]"},
    {90, 0x00000000040079b9, 0x0001e40008040000, 0, "UTMACCTL.PF [UR4]"},
    {90, 0x00000000040079b9, 0x0003e20008000000, 0, "UTMACCTL.IV [UR4]"},
    {90, 0x0000003f0000791a, 0x000fc80000000000, 0, "DEPBAR {5,4,3,2,1,0}"},
    {90, 0x00000000ff0079b0, 0x000fe20008000a84, 0, "ARRIVES.LDGSTSBAR.64.TRANSCNT [UR4]"},
    {90, 0x00000000ff0079b0, 0x000fe20008000a44, 0, "ARRIVES.LDGSTSBAR.64.ARVCNT [UR4]"},
    {90, 0x00000000ff0079b1, 0x000fe20008000004, 0, "SYNCS.CCTL.IV [UR4]"},
    {90, 0x00000000000079c7, 0x000fe20008000000, 0, "UCGABAR_ARV"},
    {90, 0x0000000000007dc7, 0x000fe20008000000, 0, "UCGABAR_WAIT"},
    {90, 0x0000000403007844, 0x000fe80000000000, 0, "STSM.16.M88 [R3], R4"},
    {90, 0x0002000403007844, 0x000fe20000004200, 0, "STSM.16.MT88.4 [R3+0x200], R4"},
    {90, 0x000000050000835d, 0x001fea0003900000, 0, "@!P0 NANOSLEEP.SYNCS R5"},
    {90, 0x00000000000073c6, 0x000fe20000000100, 0, "FENCE.VIEW.ASYNC.G"},
    {90, 0x00600000041879f1, 0x000fe2000c0010ff, 0, "IGMMA.64x16x32.S8.U8 R24, gdesc[UR4], RZ, !UPT, gsb0"},
    {90, 0x01200000041879f1, 0x000fe2000c0418ff, 0,
     "IGMMA.64x32x32.S8.S8.SAT R24, gdesc[UR4], RZ, !UPT, gsb0"},
    {90, 0x00200000041879f3, 0x000fe2000c0028ff, 0,
     "QGMMA.64x16x32.F32.E4M3.E5M2 R24, gdesc[UR4], RZ, !UPT, gsb0"},
    {90, 0x00200000041879f3, 0x000fe2000c0030ff, 0,
     "QGMMA.64x16x32.F16.E5M2.E5M2 R24, gdesc[UR4], RZ, !UPT, gsb0"},
    {90, 0x0020000420187df3, 0x000fe6000c0018ff, 0,
     "QGMMA.64x16x32.F32.E5M2.E4M3 R24, R32, gdesc[UR4], RZ, !UPT, gsb0"},
    {90, 0x00000002ff0279a7, 0x002ea20008500804, 0, "SYNCS.ARRIVE.TRANS64.OPTOUT.ART0 R2, [UR4], R2"},
    {90, 0x00000000ffff79a7, 0x002fe20008400404, 0, "SYNCS.ARRIVE.TRANS64.RED.A0TX RZ, [UR4], R0"},
    {90, 0x000000131811720f, 0x001fca0003800111, 0, "VIMNMX3 R17, R24, R19, R17, PT"},
    {120, 0x00000000ff0f7254, 0x000fe2000800080f, 0, "UFADD UR15, URZ, -UR15"},
    {120, 0xbab607ed0e087455, 0x000fe20008000011, 0, "UFFMA UR8, UR14, UR17, -0.0013887860113754868507"},
    {120, 0x3e80000004047856, 0x000fe20008400000, 0, "UFMUL UR4, UR4, 0.25"},
    {120, 0x000000040005725e, 0x000fcc0008201000, 0, "UI2FP.F32.U32 UR5, UR4"},
    {120, 0x0000000006ff7f8c, 0x0001ee000d8000ff, 0, "ATOMS.POPC.INC.32 RZ, [R6+URZ]"},
    {120, 0x00000000ff0075a7, 0x000e240008001104, 0, "SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R0"},
    {120, 0x00000000ff0079b0, 0x000fe20008001a04, 0, "ARRIVES.LDGSTSBAR.64.ARVCNT [UR4]"},
    {120, 0x00000008040073ba, 0x0011d80008000204, 0, "UBLKCP.S.G [UR8], [UR4], UR4"},
    {120, 0x0000080012127835, 0x001fe200078e0000, 0, "IADD R18, R18, 0x800"},
    {120, 0x0000001208120235, 0x000fe200078e0100, 0, "@P0 IADD R18, -R8, R18"},
    {120, 0x0000000907077235, 0x000fc800000e0400, 0, "IADD.X R7, R7, R9, P0"},
    {120, 0x0000000700007235, 0x000fca00038e0400, 0, "IADD.X R0, R0, R7, PT"},
    {120, 0x0000002004047835, 0x000fe400078e0200, 0, "IADD.64 R4, R4, 0x20"},
    {120, 0x000000ff04047607, 0x004fcc0000800000, 0, "SEL.64 R4, R4, RZ, P1"},
    {120, 0x0000001c1e1c7607, 0x040fe40004800000, 0, "SEL.64 R28, R30.reuse, R28, !P1"},
    {120, 0xffffffff0a0a7407, 0x000fe40000800001, 0, "SEL.64 R10, R10, -0x1, P1"},
    {120, 0x0000080004047817, 0x000fcc0003ffe600, 0, "IMNMX.S64 PT, PT, R4, R4, 0x800, PT, !PT"},
    {120, 0x0000000402047c17, 0x000fe4000fffe400, 0, "IMNMX.U64 PT, PT, R4, R2, UR4, !PT, !PT"},
    {120, 0x0000000406067285, 0x002fe2000fffe400, 0, "UIMNMX.U64 UPT, UPT, UR6, UR6, UR4, !UPT, !UPT"},
    {120, 0x000000060405784a, 0x000fe2000bfe0100, 0, "UVIMNMX.S32 UR5, UR4, 0x6, UPT"},
    {120, 0x000000060005725a, 0x000fe20008209000, 0, "UI2F.U32.RP UR5, UR6"},
    {120, 0x000000040005725c, 0x000fc8000820f100, 0, "UF2I.TRUNC.NTZ UR5, UR4"},
    {120, 0x000000040300758d, 0x001e240001820406, 0, "ATOMS.CAST.SPIN.64 P1, [R3], R4, R6"},
    {120, 0x000000001014794e, 0x000fce0000000000, 0x20d0, "LEPC R20, 0x20f0"},
    {120, 0x0000000002007343, 0x001fea0003c00000, 0x20e0, "CALL.ABS.NOINC R2"},
    {86, 0x000000000014734e, 0x000fe20000000000, 0, "LEPC R20"},
    {90, 0x000000000000782e, 0x000fe20000000000, 0, "ACQBULK"},
    {90, 0x000000000000782d, 0x000fe20000000000, 0, "PREEXIT"},
    {90, 0x000000000000791b, 0x000fd80003800000, 0, "ENDCOLLECTIVE"},
    {90, 0x0000200004047897, 0x000fe4000fffe03f, 0, "UIADD3.64 UR4, UR4, 0x2000, URZ"},
    {90, 0x0000001900197304, 0x000e220000202000, 0, "F2F.BF16.F32 R25, R25"},
    {90, 0xfffffffd00ec0947, 0x001fea000393ffff, 0x270, "@P0 BRA.U.ANY 0x230"},
};

} // namespace

TEST(SassDecode, TextOfSingleInstructions) {
  for (const Case& one : cases) {
    const auto instruction = decode({one.low, one.high}, one.offset, one.sm);
    ASSERT_TRUE(instruction) << one.text << ": " << to_string(instruction.error());
    EXPECT_EQ(text_of(*instruction), one.text);
  }
}

// 16 columns of 64 rows are 8 sums a lane of 128; in halves two to a register.
TEST(SassDecode, AProductOfAWarpGroupHasItsSumsInRegisters) {
  const auto words = decode({0x00200000041879f0, 0x000fe20008000818}, 0, 90);
  ASSERT_TRUE(words);
  EXPECT_EQ(words->written()[0].width, 8);
  const auto halves = decode({0x00200000041879f0, 0x000fe20008000018}, 0, 90);
  ASSERT_TRUE(halves);
  EXPECT_EQ(halves->written()[0].width, 4);
}

TEST(SassDecode, UnknownFormsOfBarriersAreRefusedByName) {
  const auto other = decode({0x00000004063f75b2, 0x0010640008000000}, 0, 90); // bit 72 cleared
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().message.find("SYNCS"), std::string::npos) << other.error().message;
}

TEST(SassDecode, ControlWord) {
  // IMAD of sm_86: waits for counter 0, stall 5, no barriers, no yield.
  const auto instruction = decode({0x0000000006067a24, 0x001fca00078e0203}, 0x30, 86);
  ASSERT_TRUE(instruction);
  EXPECT_EQ(instruction->control.stall, 5);
  EXPECT_EQ(instruction->control.wait_mask, 1);
  EXPECT_EQ(instruction->control.write_barrier, no_barrier);
  EXPECT_EQ(instruction->control.read_barrier, no_barrier);
  EXPECT_TRUE(instruction->control.yield);
  // S2R releases counter 0 when its result is there.
  const auto special = decode({0x0000000000037919, 0x000e240000002100}, 0x20, 86);
  ASSERT_TRUE(special);
  EXPECT_EQ(special->control.write_barrier, 0);
  EXPECT_EQ(special->control.stall, 2);
}

TEST(SassDecode, WidthsOfRegisters) {
  const auto wide = decode({0x0000000419187825, 0x000fe200078e021c}, 0, 86); // IMAD.WIDE R24, R25, 0x4, R28
  ASSERT_TRUE(wide);
  ASSERT_EQ(wide->destinations, 2);
  EXPECT_EQ(wide->operands[0].width, 2);
  EXPECT_FALSE(wide->operands[1].shown); // the carry that nobody wants
  EXPECT_EQ(wide->operands[4].width, 2);
}

TEST(SassDecode, UnknownOpcodeIsRefusedByNumberAndPlace) {
  const auto refused = decode({0x00000000000071ff, 0}, 0x120, 86);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
  EXPECT_NE(refused.error().message.find("0x1ff at 0x120 of sm_86"), std::string::npos)
      << refused.error().message;
}

TEST(SassDecode, UnknownModifierIsRefusedByOpcode) {
  // MUFU with function 10, which has no name.
  const auto refused = decode({0x0000000800097308, 0x000e640000002800}, 0, 86);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message.find("MUFU: unknown modifier value 10"), 0U) << refused.error().message;
}
