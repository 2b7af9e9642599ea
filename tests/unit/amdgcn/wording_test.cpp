#include "amdgcn/wording.h"

#include <gtest/gtest.h>

namespace forewarp::amdgcn {
namespace {

Instruction read(const std::string& text) {
  Instruction instruction;
  instruction.text = text;
  read_wording(instruction);
  return instruction;
}

TEST(Wording, RegistersAndConstants) {
  const Instruction fma = read("v_fma_f32 v0, -|v[3]|, s[4:5], 0.15915494 clamp mul:2");
  EXPECT_EQ(fma.mnemonic, "v_fma_f32");
  ASSERT_EQ(fma.operands.size(), 4U);
  EXPECT_TRUE(fma.operands[1].negate && fma.operands[1].absolute);
  EXPECT_EQ(fma.operands[1].number, 3);
  EXPECT_EQ(fma.operands[2].kind, OperandKind::scalar);
  EXPECT_EQ(fma.operands[2].width, 2);
  EXPECT_EQ(fma.operands[3].kind, OperandKind::floating);
  EXPECT_TRUE(fma.has("clamp"));
  EXPECT_EQ(fma.modifier("mul"), "2");

  const Instruction load = read("global_load_dwordx4 v[8:11], v[2:3], off offset:-16 glc");
  EXPECT_EQ(load.operands[0].width, 4);
  EXPECT_EQ(load.operands[2].kind, OperandKind::off);
  EXPECT_EQ(load.modifier("offset", 0), -16);
  EXPECT_TRUE(load.has("glc"));

  const Instruction move = read("s_mov_b64 exec, vcc");
  EXPECT_EQ(move.operands[0].number, exec_register);
  EXPECT_EQ(move.operands[1].number, vcc_register);
  EXPECT_EQ(read("s_mov_b32 s0, 0xffffff80").operands[1].value, 0xffffff80);
  EXPECT_EQ(read("v_add_u32_e32 v0, -16, v1").operands[1].value, -16);
}

TEST(Wording, EncodingsAndModifiers) {
  const Instruction part = read("v_add_u32_sdwa v3, v0, sext(v1) dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE "
                                "src0_sel:DWORD src1_sel:WORD_1");
  EXPECT_EQ(part.mnemonic, "v_add_u32");
  EXPECT_EQ(part.encoding, Encoding::sdwa);
  EXPECT_TRUE(part.operands[2].sign_extend);
  EXPECT_EQ(part.modifier("src1_sel"), "WORD_1");
  const Instruction row = read("v_mov_b32_dpp v3, v0 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xa");
  EXPECT_EQ(row.encoding, Encoding::dpp);
  EXPECT_EQ(row.modifier("quad_perm"), "[1,0,3,2]");
  EXPECT_EQ(row.modifier("bank_mask", 0), 10);
  EXPECT_EQ(read("v_cmp_lt_f32_e64_dpp s0, v1, v2 row_shl:1").mnemonic, "v_cmp_lt_f32");
  const Instruction both = read("v_dual_mov_b32 v5, 0 :: v_dual_and_b32 v0, 31, v0");
  EXPECT_EQ(both.mnemonic, "v_mov_b32");
  ASSERT_EQ(both.second.size(), 1U);
  EXPECT_EQ(both.second[0].mnemonic, "v_and_b32");
  EXPECT_EQ(read("v_mov_b16_e32 v17.h, v21.l").operands[0].half, Half::upper);
  EXPECT_EQ(read("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3").operands.size(), 2U);
}

TEST(Wording, WhatIsNoOperandIsKeptAsItIs) {
  for (const char* text : {"v_mov_b32_e32 v[3:1], v999", "v_mov_b32_e32 v[0:900], v0", "v_mov_b32_e32", "",
                           " , ", "v_mov_b32_e32 -, |", "v_x [", "v_dual_x ::", "v_dual_mov_b32 v0, v1 :: "})
    read(text);
  EXPECT_EQ(read("v_mov_b32_e32 v0, v999").operands[1].kind, OperandKind::special);
}

} // namespace
} // namespace forewarp::amdgcn
