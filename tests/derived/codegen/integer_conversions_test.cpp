// Conversions of integers to floats, as nvdisasm 13 shows what ptxas 13.0 makes of them for sm_75 and sm_86.
#include "unit/codegen/ir_fixture.h"

namespace forewarp::codegen::testing {
namespace {

std::map<std::string, int> ops_of(bool on_alu, const std::string& body) {
  gpu::Machine machine = volta_like();
  machine.int_to_fp32_on_alu = machine.short_to_fp32_on_alu = on_alu;
  return mix(lower_text("ptr addrspace(1) %p, ptr addrspace(1) %q", body, "", machine).blocks[0]);
}

/// One integer of a type, converted by an instruction.
std::string one(const std::string& type, const std::string& conversion) {
  return "%i = load " + type + ", ptr addrspace(1) %p, align 1\n%f = " + conversion + " " + type +
         " %i to float\nstore float %f, ptr addrspace(1) %q, align 4\nret void";
}

/// Four of them that are loaded together.
std::string four(const std::string& type, const std::string& conversion) {
  const std::string from = "<4 x " + type + ">";
  return "%i = load " + from + ", ptr addrspace(1) %p, align 4\n%f = " + conversion + " " + from +
         " %i to <4 x float>\nstore <4 x float> %f, ptr addrspace(1) %q, align 16\nret void";
}

// sm_75: I2F.U32, I2F.U16, I2F.U8. sm_86: I2FP.F32.U32 of all three.
TEST(IntegerConversions, unsigned_numbers_of_a_register) {
  for (const char* type : {"i32", "i16", "i8"}) {
    EXPECT_EQ(ops_of(false, one(type, "uitofp"))["cvt_32"], 1) << type;
    EXPECT_EQ(ops_of(true, one(type, "uitofp"))["cvt_32"], 0) << type;
    EXPECT_EQ(ops_of(true, one(type, "uitofp"))["cvt_narrow"], 1) << type;
  }
}

// sm_86 by ptxas 11.5, 11.8, 12.0 and 12.9: I2FP.F32.U32 of 32 bits, I2F.U16 of the shorter ones, I2F.U8 of
// parts.
TEST(IntegerConversions, short_numbers_before_release_13) {
  const auto ops = [](const std::string& body) {
    gpu::Machine machine = volta_like();
    machine.int_to_fp32_on_alu = true;
    return mix(lower_text("ptr addrspace(1) %p, ptr addrspace(1) %q", body, "", machine).blocks[0]);
  };
  EXPECT_EQ(ops(one("i32", "uitofp"))["cvt_narrow"], 1);
  for (const char* type : {"i16", "i8"})
    EXPECT_EQ(ops(one(type, "uitofp"))["cvt_32"], 1) << type;
  EXPECT_EQ(ops(four("i8", "uitofp"))["cvt_32"], 4);
  EXPECT_EQ(ops(four("i8", "uitofp"))["int_logic"], 0);
}

// sm_86: I2FP.F32.S32, but I2F.S16 for both of the others.
TEST(IntegerConversions, short_signed_numbers_stay_with_the_converting_pipe) {
  EXPECT_EQ(ops_of(true, one("i32", "sitofp"))["cvt_narrow"], 1);
  for (const char* type : {"i16", "i8"})
    EXPECT_EQ(ops_of(true, one(type, "sitofp"))["cvt_32"], 1) << type;
}

// sm_75: I2F.U8 R0, R2.B1. sm_86: PRMT R10, R2, 0x7771, RZ and I2FP.F32.U32; I2F.S8 R0, R2.B1; I2F.U16 R6,
// R3.H1.
TEST(IntegerConversions, parts_of_a_register) {
  std::map<std::string, int> bytes = ops_of(false, four("i8", "uitofp"));
  EXPECT_EQ(bytes["cvt_32"], 4);
  EXPECT_EQ(bytes["int_logic"], 0);
  bytes = ops_of(true, four("i8", "uitofp"));
  EXPECT_EQ(bytes["cvt_narrow"], 4);
  EXPECT_EQ(bytes["int_logic"], 4);
  for (const std::string& body : {four("i8", "sitofp"), four("i16", "uitofp"), four("i16", "sitofp")}) {
    EXPECT_EQ(ops_of(true, body)["cvt_32"], 4) << body;
    EXPECT_EQ(ops_of(true, body)["int_logic"], 0) << body;
  }
}

} // namespace
} // namespace forewarp::codegen::testing
