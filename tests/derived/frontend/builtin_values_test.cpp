// Values of lowered built-ins: arguments are constants, so that the optimiser folds each expression to a
// number, which is held against one worked out by hand from the OpenCL C 1.2 text (sections in brackets).
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <cmath>
#include <limits>

namespace {

using namespace forewarp;

struct Case {
  const char* type;
  const char* expression;
  double expected;
};

const Case cases[] = {
    // [6.12.3] hadd rounds down, rhadd up: (7 + 4) / 2 = 5.5. No overflow in between: (2^31-1 + 1) / 2 =
    // 2^30.
    {"int", "hadd(7, 4)", 5},
    {"int", "rhadd(7, 4)", 6},
    {"int", "hadd(2147483647, 1)", 1073741824},
    {"int", "hadd(-7, -4)", -6}, // -5.5 down
    {"int", "add_sat(2147483647, 5)", 2147483647},
    {"uint", "sub_sat(3u, 5u)", 0},
    {"uint", "abs(-9)", 9},
    {"uint", "abs_diff(-2, 5)", 7},
    {"uint", "abs_diff(2u, 4294967295u)", 4294967293.0},
    // 0x10000 * 0x30000 = 0x3_0000_0000: high word 3. (-1) * 1 = -1: high word -1 signed, 0 unsigned.
    {"uint", "mul_hi(0x10000u, 0x30000u)", 3},
    {"int", "mul_hi(-1, 1)", -1},
    {"uint", "mul_hi(0xffffffffu, 1u)", 0},
    {"int", "mad_hi(0x10000, 0x30000, 5)", 8},
    {"int", "mad_sat(65536, 65536, 1)", 2147483647}, // 2^32 + 1
    {"int", "mad_sat(-65536, 65536, -1)", -2147483648.0},
    {"uint", "mad_sat(65536u, 65536u, 1u)", 4294967295.0},
    {"uint", "rotate(0x80000001u, 4u)", 0x18}, // bit 31 to 3, bit 0 to 4
    {"uint", "upsample((ushort)0x1234, (ushort)0xabcd)", 0x1234abcd},
    {"int", "upsample((short)-1, (ushort)1)", -65535}, // 0xffff0001
    {"int", "clz(1)", 31},
    {"int", "clz(0)", 32},
    {"int", "popcount(0xf0f0)", 8},
    {"int", "mad24(1000, 1000, 7)", 1000007},
    // cl_khr_integer_dot_product: bytes 1, 2, 3, -1 (255) times 2, 2, 2, -2 (254).
    {"int", "dot_4x8packed_ss_int(0xff030201u, 0xfe020202u)", 14},      // 2 + 4 + 6 + 2
    {"uint", "dot_4x8packed_uu_uint(0xff030201u, 0xfe020202u)", 64782}, // 12 + 255 * 254
    {"int", "dot_4x8packed_us_int(0xff030201u, 0xfe020202u)", -498},    // 12 - 255 * 2
    {"int", "dot_acc_sat_4x8packed_ss_int(0xff030201u, 0xfe020202u, 2147483640)", 2147483647},
    {"int", "max(-1, 1)", 1},
    {"uint", "max(0xffffffffu, 1u)", 4294967295.0},
    {"int", "clamp(42, -3, 9)", 9},
    // [6.12.4] mix(x, y, a) = x + (y - x) a; smoothstep(0, 4, 1): t = 1/4, t^2 (3 - 2t) = 2.5 / 16.
    {"float", "mix(2.0f, 6.0f, 0.25f)", 3},
    {"float", "smoothstep(0.0f, 4.0f, 1.0f)", 0.15625},
    {"float", "step(2.0f, 1.0f)", 0},
    {"float", "step(1.0f, 1.0f)", 1}, // 0 only where x < edge
    {"float", "sign(-3.0f)", -1},
    {"float", "sign(NAN)", 0},
    {"float", "clamp(5.0f, 0.0f, 1.0f)", 1},
    // [6.12.5] 1*4 + 2*5 + 3*6; |(3, 4)| = 5; (1,2,3) x (4,5,6) = (-3, 6, -3).
    {"float", "dot((float3)(1, 2, 3), (float3)(4, 5, 6))", 32},
    {"float", "length((float2)(3, 4))", 5},
    {"float", "distance((float2)(1, 1), (float2)(4, 5))", 5},
    {"float", "cross((float3)(1, 2, 3), (float3)(4, 5, 6)).y", 6},
    {"float", "cross((float3)(1, 2, 3), (float3)(4, 5, 6)).z", -3},
    {"float", "normalize((float2)(3, 4)).x", 0.6f},
    // [6.12.6] True is 1 for scalars, -1 in vectors; select takes b where c is true (vectors: its top bit is
    // set).
    {"int", "isnan(NAN)", 1},
    {"int", "isnan((float2)(NAN, 1.0f)).x", -1},
    {"int", "isinf(-INFINITY)", 1},
    {"int", "isfinite(NAN)", 0},
    {"int", "isnormal(1e-40f)", 0},
    {"int", "signbit(-0.0f)", 1},
    {"int", "isless(1.0f, 2.0f)", 1},
    {"int", "isnotequal(NAN, NAN)", 1},
    {"int", "islessgreater(NAN, 1.0f)", 0},
    {"int", "any((int2)(1, -1))", 1},
    {"int", "all((int2)(1, -1))", 0},
    {"int", "select(1, 2, 0x7)", 2},
    {"int", "select((int2)(1, 1), (int2)(2, 2), (int2)(7, -1)).x", 1},
    {"int", "bitselect(0xff00, 0x00ff, 0x0ff0)",
     0xf0f0}, // y's bits in the middle: 0x00f0, x's outside: 0xf000
    // [6.12.2]
    {"float", "fma(2.0f, 3.0f, 4.0f)", 10},
    {"float", "fmin(1.0f, NAN)", 1},
    {"float", "fdim(5.0f, 3.0f)", 2},
    {"float", "fdim(3.0f, 5.0f)", 0},
    {"float", "fmod(-7.0f, 4.0f)", -3}, // sign of the first
    {"float", "maxmag(-5.0f, 3.0f)", -5},
    {"float", "minmag(-5.0f, 3.0f)", 3},
    {"float", "copysign(2.0f, -0.0f)", -2},
    {"float", "rint(2.5f)", 2},  // to even
    {"float", "round(2.5f)", 3}, // away from zero
    {"float", "ldexp(3.0f, 4)", 48},
    {"float", "pown(-2.0f, 3)", -8},
    // [6.2.3] float to integer rounds towards zero unless told; _sat clamps; -1 as uchar saturates to 0.
    {"int", "convert_int(-2.7f)", -2},
    {"int", "convert_int_rte(2.5f)", 2},
    {"int", "convert_int_rtp(2.1f)", 3},
    {"int", "convert_int_rtn(-2.1f)", -3},
    {"int", "convert_uchar_sat(300.0f)", 255},
    {"int", "convert_uchar_sat(-1)", 0},
    {"int", "convert_char_sat(200u)", 127},
    {"int", "convert_int_sat(4000000000u)", 2147483647},
    {"uint", "convert_uint_sat(-5)", 0},
    {"float", "convert_float((uchar)200)", 200},
    {"float", "shuffle((float4)(10, 20, 30, 40), (uint4)(3, 2, 1, 0)).y", 30},
    {"float", "shuffle2((float2)(10, 20), (float2)(30, 40), (uint2)(2, 1)).x", 30},
};

/// The constant that the kernel stores.
std::optional<double> stored_constant(const llvm::Function& kernel, bool is_unsigned) {
  for (const llvm::Instruction& instruction : llvm::instructions(kernel)) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (!store)
      continue;
    if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(store->getValueOperand()))
      return is_unsigned ? static_cast<double>(integer->getZExtValue())
                         : static_cast<double>(integer->getSExtValue());
    if (const auto* real = llvm::dyn_cast<llvm::ConstantFP>(store->getValueOperand()))
      return real->getValueAPF().convertToDouble();
    return std::nullopt;
  }
  return std::nullopt;
}

TEST(BuiltinValues, FoldToTheHandWorkedNumbers) {
  std::string text;
  for (std::size_t i = 0; i < std::size(cases); ++i)
    text += "kernel void k" + std::to_string(i) + "(global " + cases[i].type +
            "* p) { p[0] = " + cases[i].expression + "; }\n";
  auto module = test::compile_text(text);
  ASSERT_TRUE(module) << to_string(module.error());
  for (std::size_t i = 0; i < std::size(cases); ++i) {
    const llvm::Function* kernel = module->module().getFunction("k" + std::to_string(i));
    ASSERT_TRUE(kernel);
    auto value = stored_constant(*kernel, cases[i].type[0] == 'u');
    ASSERT_TRUE(value) << cases[i].expression << " is no constant";
    EXPECT_FLOAT_EQ(static_cast<float>(*value), static_cast<float>(cases[i].expected)) << cases[i].expression;
  }
}

} // namespace
