// Where accesses go in groups that are not run.
#include "simt/group_places.h"
#include "unit/simt/kernel_runner.h"

#include <gtest/gtest.h>

namespace forewarp::simt::test {
namespace {

std::vector<std::vector<std::int64_t>> places_of(const std::string& body, std::uint64_t groups,
                                                 const std::string& columns = "4") {
  const ir::KernelModule module = compile_cl(
      "kernel void k(global float* a, global const int* at, int columns) { int g = get_group_id(0); " + body +
      " }");
  facts::Launch launch;
  if (!columns.empty())
    launch.arguments["columns"] = scalar(columns);
  facts::LaunchShape shape;
  shape.groups = {groups, 1, 1};
  shape.group_size = {64, 1, 1};
  return group_places(module, module.kernels.at(0), launch, shape);
}

/// The sites that have places.
std::vector<std::vector<std::int64_t>> only(std::vector<std::vector<std::int64_t>> places) {
  std::erase_if(places, [](const auto& of_site) { return of_site.empty(); });
  return places;
}

// Row g / 4 of 1024 floats, tile g % 4 of 64: 4096 and 256 bytes.
TEST(GroupPlaces, QuotientAndRemainderOfTheIndex) {
  const auto sites = only(places_of("a[g / columns * 1024 + g % columns * 64 + get_local_id(0)] = 1;", 10));
  ASSERT_EQ(sites.size(), 1U);
  ASSERT_EQ(sites[0].size(), 10U);
  for (std::int64_t g = 0; g < 10; ++g)
    EXPECT_EQ(sites[0][static_cast<std::size_t>(g)] - sites[0][0], g / 4 * 4096 + g % 4 * 256) << g;
}

// Clamped at 5: 512 floats a group before it, nothing behind it; the same for every turn of the loop.
TEST(GroupPlaces, TheFirstIterationOfALoop) {
  const auto sites = only(places_of("float s = 0; for (int i = 0; i < columns; ++i) s += a[min(g, 5) * 512 + "
                                    "i * 64 + get_local_id(0)]; if (s < "
                                    "0) a[get_local_id(0)] = s;",
                                    8));
  ASSERT_GE(sites.size(), 1U);
  for (const std::vector<std::int64_t>& places : sites) {
    ASSERT_EQ(places.size(), 8U);
    EXPECT_EQ(places[3] - places[2], 2048);
    EXPECT_EQ(places[7], places[5]);
  }
}

// g / 7 as ptxas divides by a number that it does not know: a reciprocal in floats, made a little smaller, a
// step of Newton's by the high words of products, and one correction. Rows of 4096 bytes.
TEST(GroupPlaces, DivisionsOfMachineCode) {
  const ir::KernelModule module = compile_text(R"(
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %a, i32 %columns) {
  %g = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = uitofp i32 %columns to double
  %f = call float @forewarp.machine.narrow_up(double %d)
  %r = call float @llvm.nvvm.rcp.approx.ftz.f(float %f)
  %bits = bitcast float %r to i32
  %smaller = add i32 %bits, 268435454
  %scaled = bitcast i32 %smaller to float
  %normal = call float @forewarp.machine.flush(float %scaled)
  %cut = call float @llvm.trunc.f32(float %normal)
  %guess = call i32 @llvm.fptoui.sat.i32.f32(float %cut)
  %minus = sub i32 0, %columns
  %error = mul i32 %guess, %minus
  %guess64 = zext i32 %guess to i64
  %error64 = zext i32 %error to i64
  %product = mul i64 %guess64, %error64
  %high = lshr i64 %product, 32
  %step = trunc i64 %high to i32
  %better = add i32 %guess, %step
  %better64 = zext i32 %better to i64
  %g64 = zext i32 %g to i64
  %whole = mul i64 %better64, %g64
  %whole_high = lshr i64 %whole, 32
  %q = trunc i64 %whole_high to i32
  %taken = mul i32 %q, %columns
  %rest = sub i32 %g, %taken
  %more = icmp uge i32 %rest, %columns
  %next = add i32 %q, 1
  %quotient = select i1 %more, i32 %next, i32 %q
  %row = mul i32 %quotient, 4096
  %at = getelementptr i8, ptr addrspace(1) %a, i32 %row
  store float 1.0, ptr addrspace(1) %at
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare float @forewarp.machine.narrow_up(double)
declare float @llvm.nvvm.rcp.approx.ftz.f(float)
declare float @forewarp.machine.flush(float)
declare float @llvm.trunc.f32(float)
declare i32 @llvm.fptoui.sat.i32.f32(float)
)",
                                               ".ll", "", ir::TargetFamily::nvidia);
  facts::Launch launch;
  launch.arguments["columns"] = scalar("7");
  facts::LaunchShape shape;
  shape.groups = {50, 1, 1};
  shape.group_size = {64, 1, 1};
  const auto sites = only(group_places(module, module.kernels.at(0), launch, shape));
  ASSERT_EQ(sites.size(), 1U);
  for (std::int64_t g = 0; g < 50; ++g)
    EXPECT_EQ(sites[0][static_cast<std::size_t>(g)] - sites[0][0], g / 7 * 4096) << g;
}

// The same index arithmetic side by side in vectors, as LLVM writes it for Triton: row g / 4 at 4096 bytes,
// tile g % 4 at 256.
TEST(GroupPlaces, ComponentsOfVectors) {
  const ir::KernelModule module = compile_text(R"(
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %a, i32 %columns) {
  %g = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %g0 = insertelement <2 x i32> poison, i32 %g, i64 0
  %g2 = shufflevector <2 x i32> %g0, <2 x i32> poison, <2 x i32> zeroinitializer
  %c0 = insertelement <2 x i32> <i32 poison, i32 1>, i32 %columns, i64 0
  %q = sdiv <2 x i32> %g2, %c0
  %m = mul <2 x i32> %q, <i32 1024, i32 64>
  %row = extractelement <2 x i32> %m, i64 0
  %tile = extractelement <2 x i32> %m, i64 1
  %whole = extractelement <2 x i32> %q, i64 0
  %back = mul i32 %whole, 256
  %rest = sub i32 %tile, %back
  %at = add i32 %row, %rest
  %p = getelementptr float, ptr addrspace(1) %a, i32 %at
  store float 1.0, ptr addrspace(1) %p, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
)",
                                               ".ll", "", ir::TargetFamily::nvidia);
  facts::Launch launch;
  launch.arguments["columns"] = scalar("4");
  facts::LaunchShape shape;
  shape.groups = {10, 1, 1};
  shape.group_size = {64, 1, 1};
  const auto sites = only(group_places(module, module.kernels.at(0), launch, shape));
  ASSERT_EQ(sites.size(), 1U);
  for (std::int64_t g = 0; g < 10; ++g)
    EXPECT_EQ(sites[0][static_cast<std::size_t>(g)] - sites[0][0], g / 4 * 4096 + g % 4 * 256) << g;
}

// Block g reads its expert (2, 0, 1, 2 by group) and of that the row; the kernel reads a matrix on the way,
// as Triton's do: by a volatile load and a marker, which write nothing. A long division that may be a short
// one stands behind a branch: 9 / 4 of a row is left over.
TEST(GroupPlaces, NumbersReadFromABufferAndABranchThatChooses) {
  const ir::KernelModule module = compile_text(R"(
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %experts, i64 %columns) {
  %g = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %copy = load volatile <4 x i32>, ptr addrspace(1) %a, align 16
  %taken = call { i32, i32, i32, i32 } @forewarp.matrix.take.x4(<4 x i32> %copy)
  %p = getelementptr i32, ptr addrspace(1) %experts, i32 %g
  %expert = load i32, ptr addrspace(1) %p, align 4
  %row = sext i32 %expert to i64
  %wide = zext i32 %g to i64
  %both = or i64 %wide, %columns
  %high = lshr i64 %both, 32
  %short = icmp eq i64 %high, 0
  br i1 %short, label %by32, label %by64
by32:
  %c32 = trunc i64 %columns to i32
  %r32 = urem i32 %g, %c32
  %r = zext i32 %r32 to i64
  br label %joined
by64:
  %r64 = urem i64 %wide, %columns
  br label %joined
joined:
  %rest = phi i64 [ %r, %by32 ], [ %r64, %by64 ]
  %rows = mul i64 %row, 1024
  %at = add i64 %rows, %rest
  %q = getelementptr float, ptr addrspace(1) %a, i64 %at
  store float 1.0, ptr addrspace(1) %q, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare { i32, i32, i32, i32 } @forewarp.matrix.take.x4(<4 x i32>)
)",
                                               ".ll", "", ir::TargetFamily::nvidia);
  const std::vector<std::int64_t> experts = {2, 0, 1, 2};
  facts::BufferValue buffer;
  buffer.contents.kind = facts::BufferContents::Kind::bytes;
  for (const std::int64_t expert : experts) {
    buffer.contents.bytes.push_back(static_cast<std::uint8_t>(expert));
    buffer.contents.bytes.insert(buffer.contents.bytes.end(), 3, 0);
  }
  facts::Launch launch;
  launch.arguments["experts"] = buffer;
  launch.arguments["columns"] = scalar("3");
  facts::LaunchShape shape;
  shape.groups = {4, 1, 1};
  shape.group_size = {64, 1, 1};
  const auto sites = only(group_places(module, module.kernels.at(0), launch, shape));
  ASSERT_EQ(sites.size(), 1U);
  for (std::int64_t g = 0; g < 4; ++g) {
    const auto i = static_cast<std::size_t>(g);
    EXPECT_EQ(sites[0][i] - sites[0][1], experts[i] * 4096 + (g % 3 - 1) * 4) << g;
  }
}

TEST(GroupPlaces, NothingOfPlainSumsLoadedValuesAndArgumentsThatAreMissing) {
  for (const std::vector<std::int64_t>& of_site : places_of("a[g * 64 + get_local_id(0)] = columns;", 10))
    EXPECT_TRUE(of_site.empty());
  for (const std::vector<std::int64_t>& of_site : places_of("a[(g & 1023) * 64 + get_local_id(0)] = 1;", 10))
    EXPECT_TRUE(of_site.empty());
  for (const std::vector<std::int64_t>& of_site : places_of("a[at[0] % 7 + g % 3] = 1;", 10))
    EXPECT_TRUE(of_site.empty());
  for (const std::vector<std::int64_t>& of_site : places_of("a[g / columns] = 1;", 10, ""))
    EXPECT_TRUE(of_site.empty());
  EXPECT_TRUE(places_of("a[g / columns] = 1;", 1).empty());
  EXPECT_TRUE(places_of("a[g / columns] = 1;", std::uint64_t{1} << 30).empty());
}

} // namespace
} // namespace forewarp::simt::test
