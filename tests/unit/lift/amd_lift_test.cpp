// Machine code of AMD GPUs written down in words, lifted and run.
#include "lift/amd/lift.h"

#include "amdgcn/wording.h"
#include "simt/run.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

namespace forewarp::lift::amd {
namespace {

struct Written {
  std::string target = "gfx90a";
  unsigned wave = 64;
};

amdgcn::Module module_of(const std::vector<std::string>& lines, const Written& written = {}) {
  amdgcn::Module module;
  module.target = written.target;
  amdgcn::Kernel& kernel = module.kernels.emplace_back();
  kernel.resources.name = "written";
  kernel.resources.vgprs = 64;
  kernel.resources.wave_size = written.wave;
  kernel.resources.lds_bytes = 1024;
  kernel.setup.argument_pointer = kernel.setup.group_x = true;
  kernel.setup.user_registers = 2;
  kernel.arguments.push_back({0, 8, "global_buffer", "out", "uint*"});
  kernel.arguments.push_back({8, 4, "by_value", "n", "int"});
  std::uint32_t offset = 0;
  for (const std::string& line : lines) {
    amdgcn::Instruction& instruction = kernel.instructions.emplace_back();
    instruction.offset = offset;
    instruction.text = line;
    amdgcn::read_wording(instruction);
    for (const amdgcn::Operand& operand : instruction.operands)
      if (operand.kind == amdgcn::OperandKind::number)
        instruction.immediates.push_back(operand.value);
    offset += instruction.bytes;
  }
  return module;
}

facts::Launch launch_of(std::size_t count, int n, unsigned threads) {
  facts::Launch launch;
  launch.groups = facts::Dim3{1, 1, 1};
  launch.group_size = facts::Dim3{threads, 1, 1};
  facts::BufferValue buffer{facts::ScalarType::u32, count, {}};
  buffer.contents.kind = facts::BufferContents::Kind::bytes;
  buffer.contents.bytes.assign(count * 4, 0xEE);
  launch.arguments["out"] = buffer;
  launch.arguments["n"] = facts::ScalarValue{std::to_string(n), {}};
  return launch;
}

/// What each lane has in v3 behind `lines`; v0 is its number, s6 is `n`.
std::vector<std::uint32_t> run(const std::vector<std::string>& lines, int n = 40,
                               const Written& written = {}) {
  std::vector<std::string> whole = {"s_load_dwordx2 s[4:5], s[0:1], 0x0", "s_load_dword s6, s[0:1], 0x8",
                                    "v_lshlrev_b32_e32 v62, 2, v0"};
  whole.insert(whole.end(), lines.begin(), lines.end());
  whole.insert(whole.end(), {"global_store_dword v62, v3, s[4:5]", "s_endpgm"});
  const auto module = lift(module_of(whole, written), {"written.hsaco"});
  if (!module || !module->refused.empty()) {
    ADD_FAILURE() << (module ? to_string(module->refused.front().error) : to_string(module.error()));
    return std::vector<std::uint32_t>(written.wave);
  }
  simt::RunOptions options;
  options.whole_grid = true;
  const auto made =
      simt::run(*module, module->kernels.front(), launch_of(written.wave, n, written.wave), options);
  std::vector<std::uint32_t> values(written.wave);
  if (!made)
    ADD_FAILURE() << to_string(made.error());
  else
    std::memcpy(values.data(), made->buffers.front().bytes.data(), values.size() * 4);
  return values;
}

void expect_each(const std::vector<std::string>& lines, std::uint32_t (*wanted)(std::uint32_t lane),
                 const Written& written = {}) {
  const std::vector<std::uint32_t> values = run(lines, 40, written);
  for (std::uint32_t lane = 0; lane < values.size(); ++lane)
    EXPECT_EQ(values[lane], wanted(lane)) << lines.back() << ", lane " << lane;
}

TEST(AmdLift, MasksSayWhichLanesWrite) {
  // if (lane < n) v3 = 7; else v3 = lane
  expect_each({"v_mov_b32_e32 v3, 0", "v_cmp_gt_i32_e32 vcc, s6, v0", "s_and_saveexec_b64 s[8:9], vcc",
               "s_xor_b64 s[8:9], exec, s[8:9]", "s_cbranch_execz 1", "v_mov_b32_e32 v3, 7",
               "s_andn2_saveexec_b64 s[8:9], s[8:9]", "v_mov_b32_e32 v3, v0", "s_or_b64 exec, exec, s[8:9]"},
              [](std::uint32_t lane) { return lane < 40 ? 7U : lane; });
}

TEST(AmdLift, LanesLeaveALoopOneByOne) {
  // v3 = 0; do v3 += lane; while (++v4 <= lane)
  expect_each({"v_mov_b32_e32 v3, 0", "v_mov_b32_e32 v4, 0", "s_mov_b64 s[8:9], 0",
               "v_add_u32_e32 v3, v3, v0", "v_add_u32_e32 v4, 1, v4", "v_cmp_gt_u32_e32 vcc, v4, v0",
               "s_or_b64 s[8:9], vcc, s[8:9]", "s_andn2_b64 exec, exec, s[8:9]", "s_cbranch_execnz 65530",
               "s_or_b64 exec, exec, s[8:9]"},
              [](std::uint32_t lane) { return lane * (lane + 1); });
}

TEST(AmdLift, AccessesAreThoseOfTheLanesOfExec) {
  const std::vector<std::uint32_t> values =
      run({"v_mov_b32_e32 v3, 1", "global_store_dword v62, v3, s[4:5]", "v_mov_b32_e32 v3, 5",
           "v_cmp_gt_i32_e32 vcc, s6, v0", "s_and_b64 exec, exec, vcc"},
          20);
  for (std::uint32_t lane = 0; lane < 64; ++lane)
    EXPECT_EQ(values[lane], lane < 20 ? 5U : 1U) << lane;
}

TEST(AmdLift, ScalarNumbersAndMasksAreTheSameRegisters) {
  // The mask of odd lanes, counted as a number; a number taken as a mask.
  expect_each({"v_and_b32_e32 v1, 1, v0", "v_cmp_eq_u32_e64 s[8:9], 1, v1", "s_bcnt1_i32_b64 s10, s[8:9]",
               "s_mov_b32 s12, 0xff", "s_mov_b32 s13, 0", "v_mov_b32_e32 v2, s10",
               "v_cndmask_b32_e64 v3, 9, v2, s[12:13]"},
              [](std::uint32_t lane) { return lane < 8 ? 32U : 9U; });
  expect_each({"v_cmp_gt_u32_e32 vcc, 3, v0", "v_mbcnt_lo_u32_b32 v3, vcc_lo, 0",
               "v_mbcnt_hi_u32_b32 v3, vcc_hi, v3"},
              [](std::uint32_t lane) { return std::min(lane, 3U); });
}

TEST(AmdLift, ExchangesBetweenLanes) {
  expect_each({"v_mov_b32_e32 v3, 99", "v_mov_b32_dpp v3, v0 row_shr:1 row_mask:0xf bank_mask:0xf"},
              [](std::uint32_t lane) { return lane % 16 == 0 ? 99 : lane - 1; });
  expect_each(
      {"v_mov_b32_e32 v3, 99", "v_add_u32_dpp v3, v0, v0 row_shr:2 row_mask:0xf bank_mask:0xf bound_ctrl:0"},
      [](std::uint32_t lane) { return lane % 16 < 2 ? lane : 2 * lane - 2; });
  expect_each({"v_mov_b32_e32 v3, 99", "v_mov_b32_dpp v3, v0 row_bcast:31 row_mask:0xc bank_mask:0xf"},
              [](std::uint32_t lane) { return lane < 32 ? 99U : 31U; });
  expect_each({"v_mov_b32_dpp v3, v0 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf"},
              [](std::uint32_t lane) { return lane ^ 1; });
  expect_each({"v_xor_b32_e32 v1, 5, v0", "v_lshlrev_b32_e32 v1, 2, v1", "ds_bpermute_b32 v3, v1, v0"},
              [](std::uint32_t lane) { return lane ^ 5; });
  expect_each({"v_readlane_b32 s10, v0, 17", "v_mov_b32_e32 v3, s10", "v_writelane_b32 v3, s6, 2"},
              [](std::uint32_t lane) { return lane == 2 ? 40U : 17U; });
  // The first lane that runs.
  expect_each({"v_mov_b32_e32 v3, 0", "v_cmp_lt_u32_e32 vcc, 4, v0", "s_mov_b64 s[8:9], exec",
               "s_and_b64 exec, exec, vcc", "v_readfirstlane_b32 s10, v0", "s_mov_b64 exec, s[8:9]",
               "v_mov_b32_e32 v3, s10"},
              [](std::uint32_t) { return 5U; });
}

TEST(AmdLift, PartsOfRegisters) {
  expect_each(
      {"v_mov_b32_e32 v1, 0x8090a0b0", "v_mov_b32_e32 v3, 0xffffffff",
       "v_add_u32_sdwa v3, v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD src1_sel:BYTE_2"},
      [](std::uint32_t lane) { return 0xFFFF00FF | ((lane + 0x90) & 0xFF) << 8; });
  expect_each(
      {"v_mov_b32_e32 v1, 0x8090a0b0",
       "v_add_u32_sdwa v3, v0, sext(v1) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:WORD_1"},
      [](std::uint32_t lane) { return lane + 0xFFFF8090; });
  expect_each({"v_mov_b32_e32 v1, 0x44332211", "v_mov_b32_e32 v2, 0x88776655", "v_mov_b32_e32 v4, 0xc0d0805",
               "v_perm_b32 v3, v2, v1, v4"},
              [](std::uint32_t) { return 0x00FF0066U; });
  expect_each({"v_mov_b32_e32 v1, 0x3c004000", "v_pk_add_f16 v3, v1, v1 op_sel:[0,1] op_sel_hi:[1,0]"},
              [](std::uint32_t) { return 0x42004200U; }); // 2 + 1 both ways
}

TEST(AmdLift, LocalMemoryOfTwoAddresses) {
  // What lane i wrote at words i and i + 64 comes from its neighbour; the result lies where the address was.
  expect_each({"v_add_u32_e32 v1, 100, v0", "v_lshlrev_b32_e32 v2, 2, v0",
               "ds_write2st64_b32 v2, v0, v1 offset1:1", "s_waitcnt lgkmcnt(0)", "s_barrier",
               "v_xor_b32_e32 v2, 4, v2", "ds_read2st64_b32 v[2:3], v2 offset1:1",
               "v_sub_u32_e32 v3, v3, v2"},
              [](std::uint32_t) { return 100U; });
}

TEST(AmdLift, ExactDivisionOfFloats) {
  const std::vector<std::uint32_t> values =
      run({"v_cvt_f32_u32_e32 v0, v0", "v_add_f32_e32 v1, 0x3fa66666, v0", "v_mov_b32_e32 v2, 0x40490fdb",
           "v_div_scale_f32 v4, s[8:9], v1, v1, v2", "v_rcp_f32_e32 v5, v4", "v_fma_f32 v6, -v4, v5, 1.0",
           "v_fma_f32 v5, v6, v5, v5", "v_div_scale_f32 v6, vcc, v2, v1, v2", "v_mul_f32_e32 v7, v6, v5",
           "v_fma_f32 v8, -v4, v7, v6", "v_fma_f32 v7, v8, v5, v7", "v_fma_f32 v4, -v4, v7, v6",
           "v_div_fmas_f32 v4, v4, v5, v7", "v_div_fixup_f32 v3, v4, v1, v2"});
  for (std::uint32_t lane = 0; lane < 64; ++lane) {
    const float divisor = static_cast<float>(lane) + 1.3F;
    EXPECT_EQ(std::bit_cast<float>(values[lane]), std::bit_cast<float>(0x40490fdbU) / divisor) << lane;
  }
}

TEST(AmdLift, ExponentsOfFloats) {
  const std::vector<std::uint32_t> values =
      run({"v_cvt_f32_u32_e32 v1, v0", "v_add_f32_e32 v1, 1.0, v1", "v_sub_u32_e32 v2, 0, v0",
           "v_lshlrev_b32_e32 v2, 2, v2", "v_ldexp_f32 v3, v1, v2"});
  for (int lane = 0; lane < 64; ++lane)
    EXPECT_EQ(std::bit_cast<float>(values[static_cast<std::size_t>(lane)]),
              std::ldexp(static_cast<float>(lane) + 1, -4 * lane))
        << lane;
  expect_each({"v_cvt_f32_u32_e32 v1, v0", "v_add_f32_e32 v1, 1.0, v1", "v_frexp_exp_i32_f32_e32 v3, v1"},
              [](std::uint32_t lane) { return static_cast<std::uint32_t>(std::bit_width(lane + 1)); });
}

TEST(AmdLift, WavesOf32AndDualInstructions) {
  const Written rdna{"gfx1100", 32};
  expect_each(
      {"v_mov_b32_e32 v3, 1", "v_cmp_gt_u32_e32 vcc_lo, 12, v0", "s_and_saveexec_b32 s8, vcc_lo",
       "v_dual_add_nc_u32 v3, 3, v0 :: v_dual_mov_b32 v0, v3", "s_or_b32 exec_lo, exec_lo, s8",
       "v_lshl_add_u32 v3, v3, 8, v0"},
      [](std::uint32_t lane) { return lane < 12 ? (lane + 3) << 8 | 1 : 256 + lane; }, rdna);
}

TEST(AmdLift, StructsByValueAndSizesOfTheLaunch) {
  amdgcn::Module module = module_of(
      {"s_load_dwordx2 s[4:5], s[0:1], 0x0", "s_load_dword s8, s[0:1], 0x14", "s_load_dword s9, s[0:1], 0x24",
       "v_lshlrev_b32_e32 v62, 2, v0", "s_and_b32 s9, s9, 0xffff", "s_add_u32 s9, s8, s9",
       "v_mov_b32_e32 v3, s9", "global_store_dword v62, v3, s[4:5]", "s_endpgm"});
  module.kernels[0].arguments.push_back({12, 12, "by_value", "box", ""});
  module.kernels[0].arguments.push_back({0x24, 2, "hidden_group_size_x", "", ""});
  const auto lifted = lift(module, {"w.hsaco"});
  ASSERT_TRUE(lifted) << to_string(lifted.error());
  ASSERT_TRUE(lifted->refused.empty()) << to_string(lifted->refused.front().error);
  ASSERT_EQ(lifted->kernels[0].parameters.size(), 3U);
  EXPECT_EQ(lifted->kernels[0].parameters[2].size_bytes, 12U);
  simt::RunOptions options;
  options.whole_grid = true;
  facts::Launch launch = launch_of(64, 40, 48);
  launch.arguments["box"] = facts::ScalarValue{"", std::vector<std::uint8_t>(12, 1)};
  const auto made = simt::run(*lifted, lifted->kernels.front(), launch, options);
  ASSERT_TRUE(made) << to_string(made.error());
  std::uint32_t first = 0;
  std::memcpy(&first, made->buffers.front().bytes.data(), 4);
  EXPECT_EQ(first, 0x01010101U + 48U);
}

TEST(AmdLift, NamesWhatItDoesNotKnow) {
  const auto module =
      lift(module_of({"v_mov_b32_e32 v1, 0", "image_load v0, v1, s[0:7]", "s_endpgm"}), {"w.hsaco"});
  ASSERT_TRUE(module) << to_string(module.error());
  ASSERT_EQ(module->refused.size(), 1U);
  const Error& error = module->refused.front().error;
  EXPECT_NE(error.message.find("image_load v0"), std::string::npos) << error.message;
  EXPECT_NE(error.where.find("written+0x4"), std::string::npos) << error.where;
}

TEST(AmdLift, CodeThatRunsOnIsRefused) {
  for (const std::vector<std::string>& lines : {std::vector<std::string>{"v_mov_b32_e32 v1, 0"},
                                                {"s_branch 77", "s_endpgm"},
                                                {"s_swappc_b64 s[30:31], s[4:5]"},
                                                {"v_add_u32_e32 v1", "s_endpgm"}}) {
    const auto module = lift(module_of(lines), {"w.hsaco"});
    ASSERT_TRUE(module) << to_string(module.error());
    EXPECT_EQ(module->refused.size(), 1U) << lines.front();
  }
}

} // namespace
} // namespace forewarp::lift::amd
