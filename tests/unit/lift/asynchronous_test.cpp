// Barriers in memory and copies by the engine, written down as their bits.
#include "lift/lift.h"

#include "lift/machine/issue_control.h"
#include "lift/machine/machine_program.h"
#include "sass/program.h"
#include "simt/run.h"
#include "unit/lift/written_code.h"

#include <gtest/gtest.h>

#include <cstring>

namespace forewarp::lift {
namespace {

constexpr unsigned sm = 90;

/// y[t] = a[t] for 64 threads: thread 0 begins a barrier in memory and asks for 256 bytes by a bulk copy, all
/// wait for them. Parameters a and y from 0x210 on.
const std::vector<Bits> bulk = {
    {0x00000a00ff017b82, 0x000fe20000000800}, // LDC R1, c[0x0][0x28]
    {0x0000000000077919, 0x000e240000002100}, // S2R R7, SR_TID.X
    {0x000000ff0700720c, 0x001fda0003f05070}, // ISETP.NE.U32.AND P0, PT, R7, RZ, PT
    {0x0000000000740947, 0x000fea0003800000}, // @P0 BRA ...
    {0x0000000000037919, 0x000e220000008800}, // S2R R3, SR_CgaCtaId
    {0x0000040000027802, 0x000fe20000000f00}, // MOV R2, 0x400
    {0x0000000100047882, 0x000fe20000000000}, // UMOV UR4, 0x1
    {0x00000001ff047424, 0x000fe200078e00ff}, // IMAD.MOV.U32 R4, RZ, RZ, 0x1
    {0x0010000004047890, 0x000fc8000fffe13f}, // UIADD3 UR4, -UR4, 0x100000, URZ
    {0x0000000b04057899, 0x000fe4000800063f}, // USHF.L.U32 UR5, UR4, 0xb, URZ
    {0x0000000104047899, 0x000fe2000800063f}, // USHF.L.U32 UR4, UR4, 0x1, URZ
    {0x000000000000781c, 0x000fe20003f0f070}, // PLOP3.LUT P0, PT, PT, PT, PT, 0x80, 0x0
    {0x0000010002007836, 0x000fca0000000000}, // VIADD R0, R2, 0x100
    {0x0000000003007211, 0x001fe200078ec0ff}, // LEA R0, R3, R0, 0x18
    {0x00000100ff037424, 0x000fc600078e00ff}, // IMAD.MOV.U32 R3, RZ, RZ, 0x100
    {0x00000000000672ca, 0x000fe200000e0000}, // R2UR UR6, R0
    {0x00000000000073c6, 0x000e180000000000}, // FENCE.VIEW.ASYNC.S
    {0x00000004063f75b2, 0x0010620008000100}, // SYNCS.EXCH.64 URZ, [UR6], UR4
    {0x0000000300ff79a7, 0x0023e2000800003f}, // SYNCS.ARRIVE.TRANS64 RZ, [R0+URZ], R3
    {0x0000000004007348, 0x001fea0003800000}, // WARPSYNC R4
    {0x00000000020472ca, 0x000fe200000e0000}, // R2UR UR4, R2
    {0x0000001000087882, 0x000fe20000000000}, // UMOV UR8, 0x10
    {0x00000000000572ca, 0x000fe200000e0000}, // R2UR UR5, R0
    {0x00000000000679c3, 0x000e340000008800}, // S2UR UR6, SR_CgaCtaId
    {0x0000000406047291, 0x001fc6000f8ec03f}, // ULEA UR4, UR6, UR4, 0x18
    {0x0000840000067ab9, 0x002fd20000000a00}, // ULDC.64 UR6, c[0x0][0x210]
    {0x00000000003f082f, 0x000fe20003820000}, // @P0 ELECT P1, URZ, PT
    {0x00000004060073ba, 0x0011d80008000208}, // UBLKCP.S.G [UR4], [UR6], UR8
    {0x000000000000181c, 0x000fe40000f0e170}, // @P1 PLOP3.LUT P0, PT, P1, PT, PT, 0x8, 0x0
    {0x000000000000781c, 0x000fd60003f2e170}, // PLOP3.LUT P1, PT, PT, PT, PT, 0x8, 0x0
    {0xfffffffd00ec0947, 0x000fea000393ffff}, // @P0 BRA.U.ANY ...
    {0x0000000000007948, 0x001fea0003800000}, // WARPSYNC.ALL
    {0x00000000000679c3, 0x000e300000008800}, // S2UR UR6, SR_CgaCtaId
    {0x0000000000007b1d, 0x000fe20000010000}, // BAR.SYNC.DEFER_BLOCKING 0x0
    {0x0000001fff007819, 0x000fca00000006ff}, // SHF.L.U32 R0, RZ, 0x1f, RZ
    {0x0000040000047882, 0x000fe20000000000}, // UMOV UR4, 0x400
    {0x0000820000087ab9, 0x000fe20000000a00}, // ULDC.64 UR8, c[0x0][0x208]
    {0x0000010004057890, 0x000fc8000fffe03f}, // UIADD3 UR5, UR4, 0x100, URZ
    {0x0000000506057291, 0x001fd2000f8ec03f}, // ULEA UR5, UR6, UR5, 0x18
    {0x00000000ff0075a7, 0x000e240008000145}, // SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR5], R0
    {0x00000000001c8947, 0x001fea0003800000}, // @!P0 BRA ...
    {0x0000000406047291, 0x000fe2000f8ec03f}, // ULEA UR4, UR6, UR4, 0x18
    {0x00008600ff027b82, 0x000e2a0000000a00}, // LDC.64 R2, c[0x0][0x218]
    {0x0000000407007c11, 0x000fca000f8e10ff}, // LEA R0, R7, UR4, 0x2
    {0x0000000000057984, 0x000e620000000800}, // LDS R5, [R0]
    {0x0000000407027825, 0x001fca00078e0002}, // IMAD.WIDE.U32 R2, R7, 0x4, R2
    {0x0000000502007986, 0x002fe2000c101908}, // STG.E desc[UR8][R2.64], R5
    {0x000000000000794d, 0x000fea0003800000}, // EXIT
    {0x00000000ff0075a7, 0x000e240008000145}, // SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR5], R0
    {0xfffffffc00f88947, 0x001fea000383ffff}, // @!P0 BRA ...
    {0xfffffffc00d87947, 0x000fea000383ffff}, // BRA ...
};

sass::Module module_of(const std::vector<Bits>& code) {
  sass::Module module = written_module(code, sm, "k", 0x210, {8, 8});
  module.kernels.front().shared_bytes = 264;
  return module;
}

facts::Launch launch_of(const std::vector<float>& values) {
  facts::BufferValue buffer{facts::ScalarType::f32, values.size(), {}};
  buffer.contents.kind = facts::BufferContents::Kind::bytes;
  buffer.contents.bytes.resize(values.size() * sizeof(float));
  std::memcpy(buffer.contents.bytes.data(), values.data(), buffer.contents.bytes.size());
  facts::Launch launch;
  launch.groups = facts::Dim3{1, 1, 1};
  launch.group_size = facts::Dim3{64, 1, 1};
  launch.arguments["0"] = buffer;
  launch.arguments["1"] = buffer;
  return launch;
}

TEST(LiftAsynchronous, ABulkCopyArrivesAtItsBarrier) {
  const auto module = lift(module_of(bulk), {"k.cubin"});
  ASSERT_TRUE(module) << to_string(module.error());
  ASSERT_TRUE(module->refused.empty()) << to_string(module->refused.front().error);
  std::vector<float> values(64);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(i) + 0.5F;
  facts::Launch launch = launch_of(values);
  std::get<facts::BufferValue>(launch.arguments["1"]).contents.bytes.assign(256, 0);
  simt::RunOptions options;
  options.whole_grid = true;
  const auto run = simt::run(*module, module->kernels.front(), launch, options);
  ASSERT_TRUE(run) << to_string(run.error());
  std::vector<float> result(values.size());
  std::memcpy(result.data(), run->buffers.back().bytes.data(), result.size() * sizeof(float));
  EXPECT_EQ(result, values);
}

// With 512 bytes expected of a copy of 256, the second half never comes.
TEST(LiftAsynchronous, BytesThatDoNotComeAreWaitedForInVain) {
  std::vector<Bits> code = bulk;
  for (Bits& bits : code)
    if (bits[0] == 0x00000100ff037424) // IMAD.MOV.U32 R3, RZ, RZ, 0x100
      bits[0] = 0x00000200ff037424;
  const auto module = lift(module_of(code), {"k.cubin"});
  ASSERT_TRUE(module) << to_string(module.error());
  const auto run = simt::run(*module, module->kernels.front(), launch_of(std::vector<float>(64)), {});
  ASSERT_FALSE(run);
  EXPECT_NE(run.error().message.find("never come"), std::string::npos) << run.error().message;
}

facts::IssueControl control_of(const Bits& bits) {
  sass::Kernel kernel;
  kernel.instructions.push_back(decoded(bits, sm));
  return issue_control_of(kernel, 0);
}

TEST(LiftAsynchronous, WaitsMaySpareGroups) {
  const auto copies = control_of({0x000080800000791a, 0x000fc80000000000}); // DEPBAR.LE SB0, 0x2
  EXPECT_EQ(copies.spared_counter, 0);
  EXPECT_EQ(copies.spared, 2);
  EXPECT_EQ(copies.wait_mask, 0);
  const auto all = control_of({0x000080000000791a, 0x000fc80000000000}); // DEPBAR.LE SB0, 0x0
  EXPECT_EQ(all.wait_mask, 1);
  EXPECT_EQ(all.spared_counter, facts::no_counter);
  const auto products = control_of({0x00008000000079c5, 0x000fe40000010100}); // WARPGROUP.DEPBAR.LE gsb0, 0x1
  EXPECT_EQ(products.spared_counter, facts::products_counter);
  EXPECT_EQ(products.spared, 1);
}

// HGMMA ... gsb0 counts among the products; one without gsb0 does not, but is in their order.
TEST(LiftAsynchronous, TheLastProductOfAGroupCounts) {
  const auto last = control_of({0x00200000041879f0, 0x000fe20008000818});
  EXPECT_EQ(last.written_counter, facts::products_counter);
  const auto before = control_of({0x000000000c1879f0, 0x000fe20008700818});
  EXPECT_EQ(before.written_counter, facts::no_counter);
  EXPECT_EQ(before.queue, last.queue);
  EXPECT_GT(last.queue, 0);
}

// The end of a group of copies (read counter 0 in its word) waits for the copies out of shared memory before
// it.
TEST(LiftAsynchronous, TheEndOfAGroupOfCopiesIsOverBehindThem) {
  const auto end = control_of({0x00000000000079b7, 0x0001e20000000000});
  EXPECT_EQ(end.written_counter, 0);
  EXPECT_EQ(end.read_counter, facts::no_counter);
  EXPECT_EQ(end.queue, control_of({0x00000004070073ba, 0x0005e20008000408}).queue); // UBLKCP.G.S
  EXPECT_NE(end.queue, control_of({0x00000006080093ba, 0x0003d80008000205}).queue); // UBLKCP.S.G
}

TEST(LiftAsynchronous, ClassesOfOperations) {
  const auto class_of = [](const Bits& bits) { return op_class_of(decoded(bits, sm)); };
  EXPECT_EQ(class_of({0x00000006080093ba, 0x0003d80008000205}), facts::OpClass::load_global);  // UBLKCP.S.G
  EXPECT_EQ(class_of({0x00000004070073ba, 0x0005e20008000408}), facts::OpClass::store_global); // UBLKCP.G.S
  EXPECT_EQ(class_of({0x0000000cff0075a7, 0x000ea40008000147}), facts::OpClass::load_shared);  // PHASECHK
  EXPECT_EQ(class_of({0x000008ff0fff79a7, 0x0001e2000810003f}), facts::OpClass::store_shared); // ARRIVE RZ
  EXPECT_EQ(class_of({0x000000ffff0279a7, 0x000e620008100004}), facts::OpClass::load_shared);  // ARRIVE R2
  EXPECT_EQ(class_of({0x00000000ff0079b1, 0x000fe20008000004}), facts::OpClass::nop);          // CCTL.IV
  EXPECT_EQ(class_of({0x00200000041879f0, 0x000fe20008000818}), facts::OpClass::tensor_mma);   // HGMMA
}

} // namespace
} // namespace forewarp::lift
