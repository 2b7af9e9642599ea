// Subroutines of the assembler's own, and what only they compute: results rounded in a direction.
#include "lift/lift.h"
#include "simt/run.h"
#include "unit/lift/written_code.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace forewarp::lift {
namespace {

constexpr std::uint32_t lanes = 32, subroutine = 0x170;

/// o[t] = sqrtf(a[t]) by nvcc 13.0 for sm_86; of the subroutine only its return is left.
const std::vector<Bits> root = {
    {0x00000a0000017a02, 0x000fe40000000f00}, // MOV R1, c[0x0][0x28]
    {0x0000000000077919, 0x000e220000002100}, // S2R R7, SR_TID.X
    {0x0000000400027802, 0x000fe20000000f00}, // MOV R2, 0x4
    {0x0000460000047ab9, 0x000fc80000000a00}, // ULDC.64 UR4, c[0x0][0x118]
    {0x0000580007027625, 0x001fca00078e0202}, // IMAD.WIDE R2, R7, R2, c[0x0][0x160]
    {0x0000000402007981, 0x000ea2000c1e1900}, // LDG.E R0, [R2.64]
    {0x000000c000007945, 0x000fe20003800000}, // BSSY B0, 0x130
    {0xf300000000047810, 0x004fe20007ffe0ff}, // IADD3 R4, R0, -0xd000000, RZ
    {0x0000000000057308, 0x0000660000001400}, // MUFU.RSQ R5, R0
    {0x727fffff0400780c, 0x000fda0003f04070}, // ISETP.GT.U32.AND P0, PT, R4, 0x727fffff, PT
    {0x0000003000008947, 0x000fea0003800000}, // @!P0 BRA 0xe0
    {0x000000d000087802, 0x003fe40000000f00}, // MOV R8, 0xd0
    {0x000000a000007944, 0x000fea0003c00000}, // CALL.REL.NOINC 0x170
    {0x0000004000007947, 0x000fea0003800000}, // BRA 0x120
    {0x0000000500037220, 0x003fe20000410000}, // FMUL.FTZ R3, R0, R5
    {0x3f00000005057820, 0x000fc60000410000}, // FMUL.FTZ R5, R5, 0.5
    {0x0000000303007223, 0x000fc80000000100}, // FFMA R0, -R3, R3, R0
    {0x0000000500057223, 0x000fe40000000003}, // FFMA R5, R0, R5, R3
    {0x0000000000007941, 0x000fea0003800000}, // BSYNC B0
    {0x0000000400027802, 0x000fca0000000f00}, // MOV R2, 0x4
    {0x00005a0007027625, 0x000fca00078e0202}, // IMAD.WIDE R2, R7, R2, c[0x0][0x168]
    {0x0000000502007986, 0x000fe2000c101904}, // STG.E [R2.64], R5
    {0x000000000000794d, 0x000fea0003800000}, // EXIT
    {0xfffffd2002007950, 0x000fea0003c3ffff}, // RET.REL.NODEC R2 0x0
};

/// o[t] = __dmul_ru(a[t], a[t]) and f[t] = __ull2float_ru(u[t]); parameters a, u, o, f.
const std::vector<Bits> rounded_up = {
    {0x00000a0000017a02, 0x000fe40000000f00}, // MOV R1, c[0x0][0x28]
    {0x00000000000a7919, 0x000e220000002100}, // S2R R10, SR_TID.X
    {0x0000000800097802, 0x000fe20000000f00}, // MOV R9, 0x8
    {0x0000460000047ab9, 0x000fc80000000a00}, // ULDC.64 UR4, c[0x0][0x118]
    {0x000058000a027625, 0x001fcc00078e0209}, // IMAD.WIDE R2, R10, R9, c[0x0][0x160]
    {0x0000000402027981, 0x000ea2000c1e1b00}, // LDG.E.64 R2, [R2.64]
    {0x00005c000a067625, 0x000fc800078e0209}, // IMAD.WIDE R6, R10, R9, c[0x0][0x170]
    {0x00005a000a087625, 0x000fe200078e0209}, // IMAD.WIDE R8, R10, R9, c[0x0][0x168]
    {0x0000000202047228, 0x004e0e0000008000}, // DMUL.RP R4, R2, R2
    {0x0000000406007986, 0x001fe8000c101b04}, // STG.E.64 [R6.64], R4
    {0x0000000408087981, 0x000ea2000c1e1b00}, // LDG.E.64 R8, [R8.64]
    {0x00000004000b7802, 0x000fca0000000f00}, // MOV R11, 0x4
    {0x00005e000a0a7625, 0x000fe200078e020b}, // IMAD.WIDE R10, R10, R11, c[0x0][0x178]
    {0x00000008000d7312, 0x004e280000309000}, // I2F.U64.RP R13, R8
    {0x0000000d0a007986, 0x001fe2000c101904}, // STG.E [R10.64], R13
    {0x000000000000794d, 0x000fea0003800000}, // EXIT
};

facts::Launch launch_with(std::vector<facts::BufferValue> buffers) {
  facts::Launch launch;
  launch.groups = facts::Dim3{1, 1, 1};
  launch.group_size = facts::Dim3{lanes, 1, 1};
  for (std::size_t k = 0; k < buffers.size(); ++k)
    launch.arguments[std::to_string(k)] = std::move(buffers[k]);
  return launch;
}

/// Notes of a run on operands that are not known.
std::vector<facts::Note> notes_of_root(const std::string& subroutines_name) {
  sass::Module machine_code = written_module(root, 86, "k", 0x160, {8, 8});
  machine_code.kernels.front().symbols.push_back({subroutines_name, subroutine, sass::instruction_bytes});
  const auto module = lift(machine_code, {"k.cubin"});
  EXPECT_TRUE(module) << to_string(module.error());
  const facts::BufferValue floats{facts::ScalarType::f32, lanes, {}};
  const auto run = simt::run(*module, module->kernels.front(), launch_with({floats, floats}), {});
  EXPECT_TRUE(run) << to_string(run.error());
  return run->trace.notes;
}

bool says(const std::vector<facts::Note>& notes, const std::string& what) {
  return std::ranges::any_of(
      notes, [&](const facts::Note& note) { return note.text.find(what) != std::string::npos; });
}

TEST(SlowPaths, OfTheAssemblersAreNotRunForUnknownOperands) {
  const auto notes = notes_of_root("$__internal_0_$__cuda_sm20_sqrt_rn_f32_slowpath");
  EXPECT_TRUE(says(notes, "takes for usual"));
  EXPECT_FALSE(says(notes, "both sides"));
}

TEST(SlowPaths, AFunctionOfTheProgramIsRunOnBothSides) {
  EXPECT_TRUE(says(notes_of_root("my_function"), "both sides"));
}

// (1 + 2^-52)^2 = 1 + 2^-51 + 2^-104: up, the next double. 2^24 + 1 lies between two floats: up, 2^24 + 2;
// 2^53 + 1 would be 2^53 as a double to nearest, and a float: up it is 2^53 + 2^30.
TEST(SlowPaths, DoublesAndLongIntegersAreRoundedUp) {
  const auto module = lift(written_module(rounded_up, 86, "k", 0x160, {8, 8, 8, 8}), {"k.cubin"});
  ASSERT_TRUE(module) << to_string(module.error());
  const std::vector<double> a(lanes, 1 + 0x1p-52);
  std::vector<std::uint64_t> u(lanes, (1 << 24) + 1);
  u[1] = (std::uint64_t{1} << 53) + 1;
  const auto holding = [](facts::ScalarType type, const auto& values) {
    facts::BufferValue buffer{type, values.size(), {}};
    buffer.contents.kind = facts::BufferContents::Kind::bytes;
    buffer.contents.bytes.resize(values.size() * sizeof values[0]);
    std::memcpy(buffer.contents.bytes.data(), values.data(), buffer.contents.bytes.size());
    return buffer;
  };
  simt::RunOptions whole;
  whole.whole_grid = true;
  const auto run =
      simt::run(*module, module->kernels.front(),
                launch_with({holding(facts::ScalarType::f64, a), holding(facts::ScalarType::u64, u),
                             facts::BufferValue{facts::ScalarType::f64, lanes, {}},
                             facts::BufferValue{facts::ScalarType::f32, lanes, {}}}),
                whole);
  ASSERT_TRUE(run) << to_string(run.error());
  double product = 0;
  float number[2] = {};
  std::memcpy(&product, run->buffers[2].bytes.data(), sizeof product);
  std::memcpy(number, run->buffers[3].bytes.data(), sizeof number);
  EXPECT_EQ(product, 1 + 0x1p-51 + 0x1p-52);
  EXPECT_EQ(number[0], 0x1p24F + 2);
  EXPECT_EQ(number[1], 0x1p53F + 0x1p30F);
}

} // namespace
} // namespace forewarp::lift
