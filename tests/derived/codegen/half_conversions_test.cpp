// Conversions between halves and floats, as nvdisasm 13 shows what ptxas 11.7 and 13.0 make of them.
#include "unit/codegen/ir_fixture.h"

namespace forewarp::codegen::testing {
namespace {

std::map<std::string, int> ops_of(gpu::HalfConversions rule, const std::string& body) {
  gpu::Machine machine = volta_like();
  machine.compiler.half_conversions = rule;
  return mix(lower_text("ptr addrspace(1) %p, ptr addrspace(1) %q", body, "", machine).blocks[0]);
}

constexpr auto converting = gpu::HalfConversions::converting, add = gpu::HalfConversions::add,
               packed = gpu::HalfConversions::packed;

// sm_61: F2F.F32.F16. sm_70 to sm_120: HADD2.F32 R7, -RZ, R2.H0_H0.
TEST(HalfConversions, a_half_becomes_a_float_by_an_addition) {
  const char* body = R"(
  %h = load half, ptr addrspace(1) %p, align 2
  %f = fpext half %h to float
  store float %f, ptr addrspace(1) %q, align 4
  ret void)";
  EXPECT_EQ(ops_of(converting, body)["cvt_32"], 1);
  for (const auto rule : {add, packed}) {
    EXPECT_EQ(ops_of(rule, body)["cvt_32"], 0);
    EXPECT_EQ(ops_of(rule, body)["fp16_add"], 1);
  }
}

// HADD2.F32 makes one float: two of them for the halves of a pair.
TEST(HalfConversions, a_pair_of_halves_becomes_floats_one_by_one) {
  const char* body = R"(
  %h = load <2 x half>, ptr addrspace(1) %p, align 4
  %f = fpext <2 x half> %h to <2 x float>
  store <2 x float> %f, ptr addrspace(1) %q, align 8
  ret void)";
  EXPECT_EQ(ops_of(packed, body)["fp16_add"], 2);
}

// sm_75: F2F.F16.F32 for each. sm_80: F2FP.PACK_AB R7, R3, R0 for two.
TEST(HalfConversions, two_floats_become_a_pair_of_halves_in_one_operation) {
  const char* vector = R"(
  %f = load <2 x float>, ptr addrspace(1) %p, align 8
  %h = fptrunc <2 x float> %f to <2 x half>
  store <2 x half> %h, ptr addrspace(1) %q, align 4
  ret void)";
  const char* scalars = R"(
  %a = load float, ptr addrspace(1) %p, align 4
  %r = getelementptr float, ptr addrspace(1) %p, i64 9
  %b = load float, ptr addrspace(1) %r, align 4
  %x = fptrunc float %a to half
  %y = fptrunc float %b to half
  %low = insertelement <2 x half> poison, half %x, i64 0
  %both = insertelement <2 x half> %low, half %y, i64 1
  store <2 x half> %both, ptr addrspace(1) %q, align 4
  ret void)";
  const char* words = R"(
  %a = load float, ptr addrspace(1) %p, align 4
  %r = getelementptr float, ptr addrspace(1) %p, i64 9
  %b = load float, ptr addrspace(1) %r, align 4
  %x = fptrunc float %a to half
  %y = fptrunc float %b to half
  %i = bitcast half %x to i16
  %j = bitcast half %y to i16
  %low = zext i16 %i to i32
  %up = zext i16 %j to i32
  %high = shl nuw i32 %up, 16
  %both = or disjoint i32 %high, %low
  store i32 %both, ptr addrspace(1) %q, align 4
  ret void)";
  EXPECT_EQ(ops_of(packed, words)["int_logic"] + ops_of(packed, words)["int_shift"], 0);
  for (const char* body : {vector, scalars, words}) {
    EXPECT_EQ(ops_of(add, body)["cvt_32"], 2) << body;
    EXPECT_EQ(ops_of(packed, body)["cvt_32"], 0) << body;
    EXPECT_EQ(ops_of(packed, body)["cvt_narrow"], 1) << body;
  }
}

// F2FP.PACK_AB R0, RZ, R2: half of it is not used.
TEST(HalfConversions, a_float_alone_takes_an_operation_of_its_own) {
  const char* body = R"(
  %f = load float, ptr addrspace(1) %p, align 4
  %h = fptrunc float %f to half
  store half %h, ptr addrspace(1) %q, align 2
  ret void)";
  EXPECT_EQ(ops_of(packed, body)["cvt_narrow"], 1);
}

// PRMT R3, RZ, 0x5410, R2 (sm_75, sm_80), SHF.L.U32 R7, R2, 0x10, RZ (sm_90).
TEST(HalfConversions, a_bfloat_becomes_a_float_by_a_shift) {
  const char* body = R"(
  %h = load bfloat, ptr addrspace(1) %p, align 2
  %f = fpext bfloat %h to float
  store float %f, ptr addrspace(1) %q, align 4
  ret void)";
  EXPECT_EQ(ops_of(converting, body)["cvt_32"], 0);
  EXPECT_EQ(ops_of(converting, body)["int_shift"], 1);
}

} // namespace
} // namespace forewarp::codegen::testing
