// Machine code written down as its bits, lifted and run.
#include "lift/lift.h"

#include "lift/rows/rows.h"
#include "sass/program.h"
#include "simt/run.h"
#include "unit/lift/written_code.h"

#include <gtest/gtest.h>

#include <cstring>
#include <llvm/IR/Constants.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

namespace forewarp::lift {
namespace {

constexpr unsigned sm = 86;

/// a[i] *= k for i < n; parameters a, k, n from 0x160 on.
const std::vector<Bits> scale = {
    {0x00000a0000017a02, 0x000fe40000000f00}, // MOV R1, c[0x0][0x28]
    {0x0000000000027919, 0x000e280000002500}, // S2R R2, SR_CTAID.X
    {0x0000000000037919, 0x000e240000002100}, // S2R R3, SR_TID.X
    {0x0000000002027a24, 0x001fca00078e0203}, // IMAD R2, R2, c[0x0][0x0], R3
    {0x00005b0002007a0c, 0x000fda0003f06270}, // ISETP.GE.AND P0, PT, R2, c[0x0][0x16c], PT
    {0x000000000000094d, 0x000fea0003800000}, // @P0 EXIT
    {0x0000000400037802, 0x000fe20000000f00}, // MOV R3, 0x4
    {0x0000460000047ab9, 0x000fc80000000a00}, // ULDC.64 UR4, c[0x0][0x118]
    {0x0000580002027625, 0x000fca00078e0203}, // IMAD.WIDE R2, R2, R3, c[0x0][0x160]
    {0x0000000402007981, 0x000ea4000c1e1900}, // LDG.E R0, [R2.64]
    {0x00005a0000057a20, 0x004fca0000400000}, // FMUL R5, R0, c[0x0][0x168]
    {0x0000000502007986, 0x000fe2000c101904}, // STG.E [R2.64], R5
    {0x000000000000794d, 0x000fea0003800000}, // EXIT
};

sass::Module module_of(const std::vector<Bits>& code) {
  return written_module(code, sm, "_Z5scalePffi", 0x160, {8, 4, 4});
}

facts::Launch launch_of(const std::vector<float>& values, int n) {
  facts::BufferValue buffer{facts::ScalarType::f32, values.size(), {}};
  buffer.contents.kind = facts::BufferContents::Kind::bytes;
  buffer.contents.bytes.resize(values.size() * sizeof(float));
  std::memcpy(buffer.contents.bytes.data(), values.data(), buffer.contents.bytes.size());
  facts::Launch launch;
  launch.groups = facts::Dim3{2, 1, 1};
  launch.group_size = facts::Dim3{32, 1, 1};
  launch.arguments["0"] = buffer;
  launch.arguments["1"] = facts::ScalarValue{"3", {}};
  launch.arguments["2"] = facts::ScalarValue{std::to_string(n), {}};
  return launch;
}

TEST(Lift, RunsWhatTheBitsSay) {
  const auto module = lift(module_of(scale), {"k.cubin"});
  ASSERT_TRUE(module) << to_string(module.error());
  ASSERT_EQ(module->refused.size(), 0U);
  const ir::KernelSignature& kernel = module->kernels.front();
  EXPECT_EQ(kernel.name, "scale");
  ASSERT_EQ(kernel.parameters.size(), 3U); // by the mangled name: float*, float, int
  EXPECT_TRUE(kernel.parameters[0].is_pointer);
  EXPECT_EQ(kernel.parameters[1].scalar, facts::ScalarType::f32);
  EXPECT_EQ(kernel.parameters[2].scalar, facts::ScalarType::i32);

  std::vector<float> values(64);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(i) + 0.5F;
  constexpr int n = 50; // a border inside a warp
  simt::RunOptions options;
  options.whole_grid = true;
  const auto run = simt::run(*module, kernel, launch_of(values, n), options);
  ASSERT_TRUE(run) << to_string(run.error());
  std::vector<float> result(values.size());
  std::memcpy(result.data(), run->buffers.front().bytes.data(), result.size() * sizeof(float));
  for (int i = 0; i < static_cast<int>(values.size()); ++i)
    EXPECT_EQ(result[i], i < n ? 3 * values[i] : values[i]) << i;
}

// a[i] *= c[0x3][0x8], the second of two __constant__ variables.
TEST(Lift, ALaunchGivesConstantVariablesByName) {
  std::vector<Bits> code = scale;
  code[10][0] = 0x00c0020000057a20;
  sass::Module machine_code = module_of(code);
  machine_code.banks[3].resize(12);
  machine_code.variables = {{"first", ".nv.constant3", 0, 8}, {"second", ".nv.constant3", 8, 4}};
  ASSERT_EQ(sass::text_of(machine_code.kernels[0].instructions[10]), "FMUL R5, R0, c[0x3][0x8]");
  const auto module = lift(machine_code, {"k.cubin"});
  ASSERT_TRUE(module) << to_string(module.error());

  facts::Launch launch = launch_of(std::vector<float>(64, 2), 64);
  const float factor = 5;
  facts::BufferValue constant{facts::ScalarType::f32, 1, {}};
  constant.contents.kind = facts::BufferContents::Kind::bytes;
  constant.contents.bytes.resize(sizeof factor);
  std::memcpy(constant.contents.bytes.data(), &factor, sizeof factor);
  launch.arguments["second"] = constant;
  simt::RunOptions options;
  options.whole_grid = true;
  const auto run = simt::run(*module, module->kernels.front(), launch, options);
  ASSERT_TRUE(run) << to_string(run.error());
  float result = 0;
  std::memcpy(&result, run->buffers.front().bytes.data(), sizeof result);
  EXPECT_EQ(result, 10);
}

// a[i] *= second[i - 1], where second stands behind first in bank 3: LDC R5, c[0x3][R4+0xc], second begins at
// 0x10.
TEST(Lift, AnIndexedConstantThatBeginsBeforeItsVariable) {
  std::vector<Bits> code = scale;
  code.insert(code.begin() + 6, {0x0000000402047824, 0x001fca00078e02ff}); // IMAD.SHL R4, R2, 0x4, RZ
  code.insert(code.begin() + 7, {0x00c0030004067b82, 0x000e240000000800}); // LDC R6, c[0x3][R4+0xc]
  code[12] = {0x0000000600057220, 0x004fca0000400000};                     // FMUL R5, R0, R6
  sass::Module machine_code = module_of(code);
  machine_code.banks[3].resize(0x10 + 256);
  machine_code.variables = {{"first", ".nv.constant3", 0, 0x10}, {"second", ".nv.constant3", 0x10, 256}};
  const auto& instructions = machine_code.kernels[0].instructions;
  ASSERT_EQ(sass::text_of(instructions[6]), "IMAD.SHL R4, R2, 0x4, RZ");
  ASSERT_EQ(sass::text_of(instructions[7]), "LDC R6, c[0x3][R4+0xc]");
  ASSERT_EQ(sass::text_of(instructions[12]), "FMUL R5, R0, R6");
  const auto module = lift(machine_code, {"k.cubin"});
  ASSERT_TRUE(module) << to_string(module.error());
  ASSERT_TRUE(module->refused.empty()) << to_string(module->refused.front().error);

  facts::Launch launch = launch_of(std::vector<float>(64, 2), 64);
  const auto give = [&](const std::string& name, const std::vector<float>& values) {
    facts::BufferValue constant{facts::ScalarType::f32, values.size(), {}};
    constant.contents.kind = facts::BufferContents::Kind::bytes;
    constant.contents.bytes.resize(values.size() * sizeof(float));
    std::memcpy(constant.contents.bytes.data(), values.data(), constant.contents.bytes.size());
    launch.arguments[name] = constant;
  };
  std::vector<float> second(64);
  for (std::size_t i = 0; i < second.size(); ++i)
    second[i] = static_cast<float>(i);
  give("first", {100, 101, 102, 103});
  give("second", second);
  simt::RunOptions options;
  options.whole_grid = true;
  const auto run = simt::run(*module, module->kernels.front(), launch, options);
  ASSERT_TRUE(run) << to_string(run.error());
  std::vector<float> result(64);
  std::memcpy(result.data(), run->buffers.front().bytes.data(), result.size() * sizeof(float));
  EXPECT_EQ(result[0], 2 * 103); // the last of `first`
  for (std::size_t i = 1; i < result.size(); ++i)
    EXPECT_EQ(result[i], 2 * second[i - 1]) << i;
}

TEST(Lift, BlocksAndAccessesKnowTheirInstructions) {
  const auto module = lift(module_of(scale), {"k.cubin"});
  ASSERT_TRUE(module) << to_string(module.error());
  const llvm::Function* function = module->module().getFunction("_Z5scalePffi");
  ASSERT_NE(function, nullptr);
  std::uint32_t covered = 0;
  for (const llvm::BasicBlock& block : *function) {
    const auto [first, end] = instructions_of(block);
    covered += end - first;
  }
  EXPECT_EQ(covered, scale.size()); // nothing is lifted twice here
  const ir::Numbering numbering = ir::number(*function);
  ASSERT_EQ(numbering.sites.size(), 2U);
  EXPECT_EQ(instruction_of(*numbering.sites[0].instruction), 9U);
  EXPECT_EQ(instruction_of(*numbering.sites[1].instruction), 11U);
}

TEST(Lift, RefusesByNameAndOffset) {
  sass::Module code = module_of(scale);
  code.kernels.front().instructions[10].opcode = sass::Opcode::sust;
  const auto module = lift(code, {"k.cubin"});
  ASSERT_TRUE(module);
  ASSERT_EQ(module->refused.size(), 1U);
  EXPECT_NE(module->refused[0].error.message.find("SUST"), std::string::npos);
  EXPECT_EQ(module->refused[0].error.where, "k.cubin, offset 0xa0");
}

// @P0 CALL.REL.NOINC 0x20; EXIT; BRA 0x0: as ptxas ends large loops. As a call it would never be left.
TEST(Lift, CallsWithNoReturnBehindAreJumps) {
  const auto module = lift(
      written_module(
          {{0x1000000944, 0xfe20003c00000}, {0x794d, 0xfea0003800000}, {0xffffffd000007947, 0xfea000383ffff}},
          80, "k", 0x160, {}),
      {"k.cubin"});
  ASSERT_TRUE(module);
  EXPECT_TRUE(module->refused.empty()) << to_string(module->refused[0].error);
}

TEST(Lift, KeepsTheCubinWithTheModule) {
  const auto module = lift(module_of(scale), {"k.cubin"});
  ASSERT_TRUE(module);
  EXPECT_EQ(machine_code_of(module->module()), "");
  keep_machine_code(module->module(), std::string_view("\0ELF", 4));
  EXPECT_EQ(machine_code_of(module->module()), std::string_view("\0ELF", 4));
}

/// The three sources of a table's columns: all eight cases at once (PTX, lop3).
TEST(Lift, AllTablesOfThreeBits) {
  llvm::LLVMContext context;
  llvm::IRBuilder<> b(context);
  for (unsigned table = 0; table < 256; ++table) {
    const auto* value = llvm::dyn_cast<llvm::ConstantInt>(
        lut3(b, table, b.getInt32(0xF0), b.getInt32(0xCC), b.getInt32(0xAA)));
    ASSERT_NE(value, nullptr);
    EXPECT_EQ(value->getZExtValue() & 0xFF, table);
  }
}

} // namespace
} // namespace forewarp::lift
