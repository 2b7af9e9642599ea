// The greater of two doubles as the assembler writes it: DSETP.MAX, two selections, and a correction where
// neither is a number.
#include "lift/lift.h"
#include "simt/run.h"
#include "unit/lift/written_code.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace forewarp::lift {
namespace {

/// c[i] = fmax(a[i], b[i]); parameters a, b, c from 0x160 on.
const std::vector<Bits> greater = {
    {0x00000a00ff017624, 0x000fe400078e00ff}, // IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]
    {0x0000000000087919, 0x000e220000002100}, // S2R R8, SR_TID.X
    {0x00000008ff097424, 0x000fe200078e00ff}, // IMAD.MOV.U32 R9, RZ, RZ, 0x8
    {0x0000460000047ab9, 0x000fc60000000a00}, // ULDC.64 UR4, c[0x0][0x118]
    {0x0000580008027625, 0x001fc800078e0209}, // IMAD.WIDE R2, R8, R9, c[0x0][0x160]
    {0x00005a0008047625, 0x0c0fe400078e0209}, // IMAD.WIDE R4, R8.reuse, R9.reuse, c[0x0][0x168]
    {0x0000000402027981, 0x000ea8000c1e1b00}, // LDG.E.64 R2, [R2.64]
    {0x0000000404047981, 0x000ee2000c1e1b00}, // LDG.E.64 R4, [R4.64]
    {0x00005c0008087625, 0x000fe200078e0209}, // IMAD.WIDE R8, R8, R9, c[0x0][0x170]
    {0x0000000300007202, 0x004fe20000000f00}, // MOV R0, R3
    {0x000000040200722a, 0x008e24000390f000}, // DSETP.MAX.AND P0, P1, R2, R4, PT
    {0x000000ffff0b7224, 0x000fe200078e0005}, // IMAD.MOV.U32 R11, RZ, RZ, R5
    {0x0000000400077202, 0x000fc80000000f00}, // MOV R7, R4
    {0x0000000b000d7208, 0x001fe40000000000}, // FSEL R13, R0, R11, P0
    {0x0000000702067207, 0x000fca0000000000}, // SEL R6, R2, R7, P0
    {0x000800000b0d1812, 0x000fc800078efcff}, // @P1 LOP3.LUT R13, R11, 0x80000, RZ, 0xfc, !PT
    {0x0000000d00077202, 0x000fca0000000f00}, // MOV R7, R13
    {0x0000000608007986, 0x000fe2000c101b04}, // STG.E.64 [R8.64], R6
    {0x000000000000794d, 0x000fea0003800000}, // EXIT
    {0xfffffff000007947, 0x000fc0000383ffff}, // BRA 0x130
};

facts::BufferValue buffer_of(const std::vector<double>& values) {
  facts::BufferValue buffer{facts::ScalarType::f64, values.size(), {}};
  buffer.contents.kind = facts::BufferContents::Kind::bytes;
  buffer.contents.bytes.resize(values.size() * sizeof(double));
  std::memcpy(buffer.contents.bytes.data(), values.data(), buffer.contents.bytes.size());
  return buffer;
}

TEST(DoubleMaximum, AsTheCLibrarySays) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN(),
                   most = std::numeric_limits<double>::infinity();
  const std::vector<double> some = {1.5, -2.0, 0.0, -0.0, none, most, -most, 3.0};
  std::vector<double> a, b;
  for (const double x : some)
    for (const double y : some) {
      a.push_back(x);
      b.push_back(y);
    }
  const auto module = lift(written_module(greater, 86, "_Z7greaterPdS_S_", 0x160, {8, 8, 8}), {"k.cubin"});
  ASSERT_TRUE(module) << to_string(module.error());
  ASSERT_TRUE(module->refused.empty()) << to_string(module->refused.front().error);
  facts::Launch launch;
  launch.groups = facts::Dim3{1, 1, 1};
  launch.group_size = facts::Dim3{static_cast<std::uint32_t>(a.size()), 1, 1};
  launch.arguments["0"] = buffer_of(a);
  launch.arguments["1"] = buffer_of(b);
  launch.arguments["2"] = buffer_of(std::vector<double>(a.size()));
  simt::RunOptions options;
  options.whole_grid = true;
  const auto run = simt::run(*module, module->kernels.front(), launch, options);
  ASSERT_TRUE(run) << to_string(run.error());
  std::vector<double> got(a.size());
  std::memcpy(got.data(), run->buffers.back().bytes.data(), got.size() * sizeof(double));
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double wanted = std::fmax(a[i], b[i]);
    if (std::isnan(wanted))
      EXPECT_TRUE(std::isnan(got[i])) << a[i] << ", " << b[i];
    else
      EXPECT_EQ(got[i], wanted) << a[i] << ", " << b[i];
  }
}

} // namespace
} // namespace forewarp::lift
