// AMD's matrix instructions: what their names say (CDNA 3 and RDNA 3 ISA guides).
#include "amdgcn/classify.h"

#include <gtest/gtest.h>

namespace forewarp::amdgcn {
namespace {

using Factor = MatrixProduct::Factor;

void expect(const char* name, unsigned multiply_adds, Factor factor) {
  const MatrixProduct product = matrix_product(name);
  EXPECT_EQ(product.multiply_adds, multiply_adds) << name;
  EXPECT_EQ(product.factor, factor) << name;
  EXPECT_EQ(classify_amd(name, false), facts::OpClass::tensor_mma) << name;
}

TEST(MatrixProduct, ShapeAndTypeStandInTheName) {
  expect("V_MFMA_F32_32X32X8F16_vgprcd_e64", 32 * 32 * 8, Factor::half);
  expect("V_MFMA_F32_32X32X8_F16_e64", 32 * 32 * 8, Factor::half);
  expect("V_MFMA_F32_16X16X16_F16_gfx940_vcd", 16 * 16 * 16, Factor::half);
  expect("V_MFMA_F32_32X32X4_2B_F16_e64", 32 * 32 * 4 * 2, Factor::half);
  expect("V_MFMA_F32_32X32X4BF16_e64", 32 * 32 * 4, Factor::bf16);
  expect("V_MFMA_F32_16X16X4F32_e64", 16 * 16 * 4, Factor::f32);
  expect("V_MFMA_F32_16X16X8_XF32_gfx940_vcd", 16 * 16 * 8, Factor::xf32);
  expect("V_MFMA_F64_16X16X4F64_e64", 16 * 16 * 4, Factor::f64);
  expect("V_MFMA_I32_32X32X16_I8_gfx940_vcd", 32 * 32 * 16, Factor::bits_8);
  expect("V_MFMA_F32_16X16X32_FP8_FP8_gfx940_vcd", 16 * 16 * 32, Factor::bits_8);
  expect("V_WMMA_F32_16X16X16_F16_twoaddr_w32", 16 * 16 * 16, Factor::half);
  expect("V_WMMA_I32_16X16X16_IU8_twoaddr_w32", 16 * 16 * 16, Factor::bits_8);
}

TEST(MatrixProduct, OthersHaveNone) {
  EXPECT_EQ(matrix_product("V_FMA_F32_e64").multiply_adds, 0U);
}

} // namespace
} // namespace forewarp::amdgcn
