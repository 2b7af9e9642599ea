// CUDA's types of numbers (complex, bfloat16, packed words, 8-bit floats) compute what their headers are
// documented to compute.
#include "unit/simt/kernel_runner.h"

#include <llvm/IR/Module.h>

#include <cmath>

namespace {

using namespace forewarp;
using namespace forewarp::simt;
using namespace forewarp::simt::test;

RunResult run_one_group(const std::string& source, std::map<std::string, facts::ArgumentValue> arguments) {
  return must(
      run_whole(compile_cu(source, ir::TargetFamily::nvidia), launch_of({64}, {64}, std::move(arguments))));
}

// (1 + 2i)^2 / (1 - 2i) = (-3 + 4i) / (1 - 2i) = (-11 - 2i) / 5.
TEST(CuComplex, MultipliesAndDivides) {
  const RunResult run = run_one_group(R"(
#include <cuComplex.h>
__global__ void k(cuFloatComplex* z) {
  if (threadIdx.x == 0)
    z[0] = cuCdivf(cuCmulf(z[0], z[0]), cuConjf(z[0]));
})",
                                      {{"z", floats({1, 2})}});
  const auto z = result_of<float>(run, "z");
  EXPECT_FLOAT_EQ(z[0], -2.2F);
  EXPECT_FLOAT_EQ(z[1], -0.4F);
}

// 1.1F * 1.1F in double is 1.2100000524520874..., which no float is: the overload with an integer gives a
// double.
TEST(Powers, AreTheLibrarysAndOfIntegersInDouble) {
  const std::string source = R"(
__global__ void k(float* x, double* out) {
  if (threadIdx.x == 0) {
    out[0] = pow(x[0], 2);
    out[1] = powf(x[0], 2.0f);
    out[2] = powf(x[1], 0.5f);
    out[3] = pow(2.0, 10.0);
  }
})";
  const auto module = compile_cu(source, ir::TargetFamily::nvidia);
  bool calls_library = false;
  for (const llvm::Function& function : module.module())
    calls_library |= function.getName() == "forewarp.math.pow.f32";
  EXPECT_TRUE(calls_library);
  const RunResult run =
      run_one_group(source, {{"x", floats({1.1F, 9})}, {"out", unknown(facts::ScalarType::f64, 4)}});
  const auto out = result_of<double>(run, "out");
  EXPECT_EQ(out[0], std::pow(static_cast<double>(1.1F), 2.0));
  EXPECT_EQ(out[1], static_cast<double>(std::pow(1.1F, 2.0F)));
  EXPECT_EQ(out[2], 3);
  EXPECT_EQ(out[3], 1024);
}

// 3 is exact in 8 bits of mantissa; 257 is not and rounds to even (256), 259 rounds to 260.
TEST(Bfloat16, PairsAddAndRoundToEven) {
  const RunResult run = run_one_group(R"(
#include <cuda_bf16.h>
__global__ void k(float* out) {
  __nv_bfloat162 v = __float22bfloat162_rn(make_float2(1.0f, 257.0f));
  v += __nv_bfloat162(__float2bfloat16(2.0f), __float2bfloat16(0.0f));
  if (threadIdx.x == 0) {
    out[0] = __low2float(v);
    out[1] = __high2float(v);
    out[2] = __bfloat162float(__float2bfloat16(259.0f));
  }
})",
                                      {{"out", floats({0, 0, 0})}});
  EXPECT_EQ(result_of<float>(run, "out"), (std::vector<float>{3, 256, 260}));
}

// Each function of two halves or four bytes against the same lane by lane; 1 in `wrong` where they differ.
TEST(SimdInWord, IsTheSameLaneByLane) {
  const RunResult run =
      run_one_group(R"(
template <int bits> __device__ int lane_of(unsigned word, int lane, bool is_signed) {
  const int field = word >> (bits * lane) & ((1u << bits) - 1);
  return is_signed && field >> (bits - 1) ? field - (1 << bits) : field;
}
template <int bits, class Whole, class One>
__device__ void check(int* wrong, int number, bool is_signed, unsigned a, unsigned b, Whole whole, One one) {
  const unsigned found = whole(a, b);
  for (int lane = 0; lane < 32 / bits; ++lane) {
    const int expected = one(lane_of<bits>(a, lane, is_signed), lane_of<bits>(b, lane, is_signed));
    if (lane_of<bits>(found, lane, false) != (expected & ((1 << bits) - 1)))
      wrong[number] = 1;
  }
}
__device__ int bounded(int x, int low, int high) { return x < low ? low : x > high ? high : x; }
#define BOTH(number, name, is_signed, code)                                                                    \
  check<8>(wrong, number, is_signed, a, b, [](unsigned x, unsigned y) { return name##4(x, y); },               \
           [](int x, int y) { constexpr int low = is_signed ? -128 : 0, high = is_signed ? 127 : 255;          \
                              (void)low; (void)high; return code; });                                          \
  check<16>(wrong, number, is_signed, a, b, [](unsigned x, unsigned y) { return name##2(x, y); },              \
            [](int x, int y) { constexpr int low = is_signed ? -32768 : 0, high = is_signed ? 32767 : 65535;   \
                               (void)low; (void)high; return code; })
__global__ void k(int* wrong, const unsigned* words) {
  const unsigned a = words[threadIdx.x % 8], b = words[threadIdx.x / 8 % 8];
  BOTH(0, __vadd, false, x + y);          BOTH(1, __vsub, false, x - y);
  BOTH(2, __vaddss, true, bounded(x + y, low, high));  BOTH(3, __vsubss, true, bounded(x - y, low, high));
  BOTH(4, __vaddus, false, bounded(x + y, low, high)); BOTH(5, __vsubus, false, bounded(x - y, low, high));
  BOTH(6, __vhaddu, false, (x + y) >> 1); BOTH(7, __vavgu, false, (x + y + 1) >> 1);
  BOTH(8, __vcmpeq, false, x == y ? -1 : 0);  BOTH(9, __vcmpne, false, x != y ? -1 : 0);
  BOTH(10, __vcmpltu, false, x < y ? -1 : 0); BOTH(11, __vcmpgeu, false, x >= y ? -1 : 0);
  BOTH(12, __vcmpgts, true, x > y ? -1 : 0);  BOTH(13, __vcmples, true, x <= y ? -1 : 0);
  BOTH(14, __vsetlts, true, x < y);       BOTH(15, __vsetgtu, false, x > y);
  BOTH(16, __vminu, false, min(x, y));    BOTH(17, __vmaxs, true, max(x, y));
  BOTH(18, __vabsdiffu, false, abs(x - y)); BOTH(19, __vabsdiffs, true, abs(x - y));
  BOTH(20, __vmins, true, min(x, y));     BOTH(21, __vmaxu, false, max(x, y));
  #define __vabs_4(x, y) __vabs4(x)
  #define __vabs_2(x, y) __vabs2(x)
  #define __vnegss_4(x, y) __vnegss4(x)
  #define __vnegss_2(x, y) __vnegss2(x)
  BOTH(22, __vabs_, true, abs(x));        BOTH(23, __vnegss_, true, bounded(-x, low, high));
  unsigned sum = 0;
  for (int lane = 0; lane < 4; ++lane)
    sum += abs(lane_of<8>(a, lane, false) - lane_of<8>(b, lane, false));
  if (__vsadu4(a, b) != sum)
    wrong[24] = 1;
})",
                    {{"wrong", ints(std::vector<std::int32_t>(25))},
                     {"words", ints({0, -1, 0x7f7f7f7f, static_cast<std::int32_t>(0x80808080), 0x7fff8000,
                                     0x01ff00fe, 0x12345678, 0x77e1805a})}});
  EXPECT_EQ(result_of<std::int32_t>(run, "wrong"), std::vector<std::int32_t>(25));
}

// OCP 8-bit floating point: e4m3 has bias 7, no infinity and NaN at 0x7f; e5m2 is half's upper byte.
TEST(Fp8, EveryCodeComesBackAndHalfwayGoesToEven) {
  const RunResult run = run_one_group(R"(
#include <cuda_fp8.h>
__global__ void k(float* values, int* back, int* halfway) {
  for (int code = threadIdx.x; code < 256; code += blockDim.x) {
    __nv_fp8_e4m3 x;
    x.__x = code;
    values[code] = float(x);
    back[code] = __nv_fp8_e4m3(float(x)).__x;
    __nv_fp8_e5m2 y;
    y.__x = code;
    if (code < 0x7b)
      back[code] |= (__nv_fp8_e5m2(float(y)).__x ^ code) << 8;
  }
  halfway[0] = __nv_fp8_e4m3(17.0f).__x;  // between 16 (0x58) and 18 (0x59)
  halfway[1] = __nv_fp8_e4m3(19.0f).__x;  // between 18 and 20 (0x5a)
  halfway[2] = __nv_fp8_e4m3(-1e9f).__x;  // least: -448
})",
                                      {{"values", floats(std::vector<float>(256))},
                                       {"back", ints(std::vector<std::int32_t>(256))},
                                       {"halfway", ints({0, 0, 0})}});
  const auto values = result_of<float>(run, "values");
  const auto back = result_of<std::int32_t>(run, "back");
  for (int code = 0; code < 256; ++code) {
    const int exponent = code >> 3 & 15, mantissa = code & 7;
    if ((code & 127) == 127) {
      EXPECT_TRUE(std::isnan(values[code]));
      continue;
    }
    const double size = exponent == 0 ? std::ldexp(mantissa, -9) : std::ldexp(8 + mantissa, exponent - 10);
    EXPECT_EQ(values[code], code & 128 ? -size : size) << code;
    EXPECT_EQ(back[code], code);
  }
  EXPECT_EQ(result_of<std::int32_t>(run, "halfway"), (std::vector<std::int32_t>{0x58, 0x5a, 0xfe}));
}

} // namespace
