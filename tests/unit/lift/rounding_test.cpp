// Sums of doubles and 64-bit integers that are rounded in one direction.
#include "lift/lift.h"
#include "simt/run.h"
#include "unit/lift/written_code.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace forewarp::lift {
namespace {

/// c[i] = DADD(a[i], b[i]) or I2F(a[i]); parameters a, b, c from 0x160 on.
std::vector<Bits> code_of(const Bits& asked) {
  return {
      {0x0000000000087919, 0x000e220000002100}, // S2R R8, SR_TID.X
      {0x00000008ff097424, 0x000fe200078e00ff}, // IMAD.MOV.U32 R9, RZ, RZ, 0x8
      {0x0000460000047ab9, 0x000fc60000000a00}, // ULDC.64 UR4, c[0x0][0x118]
      {0x0000580008027625, 0x001fc800078e0209}, // IMAD.WIDE R2, R8, R9, c[0x0][0x160]
      {0x00005a0008047625, 0x0c0fe400078e0209}, // IMAD.WIDE R4, R8.reuse, R9.reuse, c[0x0][0x168]
      {0x0000000402027981, 0x000ea8000c1e1b00}, // LDG.E.64 R2, [R2.64]
      {0x0000000404047981, 0x000ee2000c1e1b00}, // LDG.E.64 R4, [R4.64]
      {0x00005c0008087625, 0x000fe200078e0209}, // IMAD.WIDE R8, R8, R9, c[0x0][0x170]
      asked,
      {0x0000000608007986, 0x000fe2000c101b04}, // STG.E.64 [R8.64], R6
      {0x000000000000794d, 0x000fea0003800000}, // EXIT
  };
}

/// What the instruction makes of eight bytes and eight bytes.
std::uint64_t made_of(const Bits& asked, std::uint64_t a, std::uint64_t b) {
  const auto module =
      lift(written_module(code_of(asked), 86, "_Z4roundPdS_S_", 0x160, {8, 8, 8}), {"k.cubin"});
  if (!module || !module->refused.empty()) {
    ADD_FAILURE() << to_string(module ? module->refused.front().error : module.error());
    return 0;
  }
  facts::Launch launch;
  launch.groups = facts::Dim3{1, 1, 1};
  launch.group_size = facts::Dim3{1, 1, 1};
  const std::uint64_t values[] = {a, b, 0};
  for (unsigned k = 0; k < 3; ++k) {
    facts::BufferValue buffer{facts::ScalarType::f64, 1, {}};
    buffer.contents.kind = facts::BufferContents::Kind::bytes;
    buffer.contents.bytes.resize(sizeof a);
    std::memcpy(buffer.contents.bytes.data(), &values[k], sizeof a);
    launch.arguments[std::to_string(k)] = buffer;
  }
  simt::RunOptions options;
  options.whole_grid = true;
  const auto run = simt::run(*module, module->kernels.front(), launch, options);
  std::uint64_t made = 0;
  if (run)
    std::memcpy(&made, run->buffers.back().bytes.data(), sizeof made);
  else
    ADD_FAILURE() << to_string(run.error());
  return made;
}

constexpr std::uint64_t nearest = 0x0, down = 0x4000, up = 0x8000, zero = 0xc000; ///< bits 78 and 79

double sum(double x, double y, std::uint64_t how) {
  const Bits add = {0x0000000002067229, 0x008fe20000000004 | how}; // DADD R6, R2, R4
  std::uint64_t a = 0, b = 0;
  std::memcpy(&a, &x, sizeof a);
  std::memcpy(&b, &y, sizeof b);
  const std::uint64_t made = made_of(add, a, b);
  double value = 0;
  std::memcpy(&value, &made, sizeof value);
  return value;
}

// The sum lies between 1 and its neighbour 1 + 2^-52, near the first.
TEST(DirectedRounding, SumsOfDoubles) {
  const double little = std::ldexp(1, -60), next = 1 + std::ldexp(1, -52), before = 1 - std::ldexp(1, -53);
  EXPECT_EQ(sum(1, little, nearest), 1);
  EXPECT_EQ(sum(1, little, up), next);
  EXPECT_EQ(sum(1, little, down), 1);
  EXPECT_EQ(sum(1, little, zero), 1);
  EXPECT_EQ(sum(1, -little, down), before);
  EXPECT_EQ(sum(1, -little, zero), before);
  EXPECT_EQ(sum(1, -little, up), 1);
  EXPECT_EQ(sum(1, 2, up), 3); // exact
}

float converted(std::uint64_t x, std::uint64_t how) {
  const Bits convert = {0x0000000200067312, 0x004e220000301000 | how}; // I2F.U64 R6, R2
  const auto bits = static_cast<std::uint32_t>(made_of(convert, x, 0));
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// Floats near 2^60 are 2^37 apart; a double would round 2^60 + 1 to 2^60 first.
TEST(DirectedRounding, WideIntegers) {
  constexpr std::uint64_t big = std::uint64_t{1} << 60, step = std::uint64_t{1} << 37;
  EXPECT_EQ(converted(big + 1, up), static_cast<float>(big + step));
  EXPECT_EQ(converted(big + 1, down), static_cast<float>(big));
  EXPECT_EQ(converted(big, up), static_cast<float>(big));
  EXPECT_EQ(converted(7, up), 7.0F);
}

} // namespace
} // namespace forewarp::lift
