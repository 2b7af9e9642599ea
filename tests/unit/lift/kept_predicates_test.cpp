// Predicates that the assembler keeps as bits of a register, whatever the register held before.
#include "lift/lift.h"
#include "simt/run.h"
#include "unit/lift/written_code.h"

#include <gtest/gtest.h>

namespace forewarp::lift {
namespace {

constexpr std::uint32_t lanes = 32, guarded_lanes = 16;

/// The first 16 lanes load b[t], and the first 8 once more; that they do is bit 2 and bit 0 of the word that
/// was loaded from a. Parameters a, b from 0x210 on.
const std::vector<Bits> guarded_loads = {
    {0x0000000000077919, 0x000e240000002100}, // S2R R7, SR_TID.X
    {0x0000820000087ab9, 0x000fe20000000a00}, // ULDC.64 UR8, c[0x0][0x208]
    {0x00008400ff027b82, 0x000e2a0000000a00}, // LDC.64 R2, c[0x0][0x210]
    {0x00008600ff0a7b82, 0x000e2a0000000a00}, // LDC.64 R10, c[0x0][0x218]
    {0x0000000407027825, 0x001fca00078e0002}, // IMAD.WIDE.U32 R2, R7, 0x4, R2
    {0x00000004070a7825, 0x001fca00078e000a}, // IMAD.WIDE.U32 R10, R7, 0x4, R10
    {0x0000000802057981, 0x000ea2000c1e1900}, // LDG.E R5, desc[UR8][R2.64]
    {0x000000100700780c, 0x000fe20003f01070}, // ISETP.LT.U32.AND P0, PT, R7, 0x10, PT
    {0xfffffffb05057812, 0x004fe200078ec0ff}, // LOP3.LUT R5, R5, 0xfffffffb, RZ, 0xc0, !PT
    {0x0000000802060981, 0x000ea2000c1e1900}, // @P0 LDG.E R6, desc[UR8][R2.64]
    {0x0000000405050812, 0x000fe400078efcff}, // @P0 LOP3.LUT R5, R5, 0x4, RZ, 0xfc, !PT
    {0x000000080700780c, 0x000fe20003f41070}, // ISETP.LT.U32.AND P2, PT, R7, 0x8, PT
    {0xfffffffe05057812, 0x000fe200078ec0ff}, // LOP3.LUT R5, R5, 0xfffffffe, RZ, 0xc0, !PT
    {0x0000000802062981, 0x000ea2000c1e1900}, // @P2 LDG.E R6, desc[UR8][R2.64]
    {0x0000000105052812, 0x000fe400078efcff}, // @P2 LOP3.LUT R5, R5, 0x1, RZ, 0xfc, !PT
    {0x0000000405ff7812, 0x000fda000782c0ff}, // LOP3.LUT P1, RZ, R5, 0x4, RZ, 0xc0, !PT
    {0x000000080a091981, 0x000ea2000c1e1900}, // @P1 LDG.E R9, desc[UR8][R10.64]
    {0x0000000105ff7812, 0x000fda000782c0ff}, // LOP3.LUT P1, RZ, R5, 0x1, RZ, 0xc0, !PT
    {0x000000080a091981, 0x000ea2000c1e1900}, // @P1 LDG.E R9, desc[UR8][R10.64]
    {0x000000000000794d, 0x000fea0003800000}, // EXIT
};

/// Nothing is said of what the buffers hold.
Result<simt::RunResult> run_with(std::uint64_t elements_of_b) {
  auto module = lift(written_module(guarded_loads, 90, "k", 0x210, {8, 8}), {"k.cubin"});
  if (!module)
    return tl::unexpected<Error>(module.error());
  facts::Launch launch;
  launch.groups = facts::Dim3{1, 1, 1};
  launch.group_size = facts::Dim3{lanes, 1, 1};
  launch.arguments["0"] = facts::BufferValue{facts::ScalarType::u32, lanes, {}};
  launch.arguments["1"] = facts::BufferValue{facts::ScalarType::u32, elements_of_b, {}};
  return simt::run(*module, module->kernels.front(), launch, {});
}

TEST(KeptPredicates, AreKnownInARegisterThatIsNot) {
  const auto run = run_with(guarded_lanes);
  EXPECT_TRUE(run) << to_string(run.error());
}

TEST(KeptPredicates, LetTheirLanesLoad) {
  const auto run = run_with(guarded_lanes - 1);
  ASSERT_FALSE(run);
  EXPECT_NE(run.error().message.find("work-item (15, 0, 0)"), std::string::npos) << run.error().message;
}

} // namespace
} // namespace forewarp::lift
