// Thrust's types, packed 8-bit floats and whole-word operations compute what the libraries are documented to
// compute.
#include "unit/simt/kernel_runner.h"

#include <complex>

namespace {

using namespace forewarp;
using namespace forewarp::simt;
using namespace forewarp::simt::test;

RunResult run_one(const std::string& source, std::map<std::string, facts::ArgumentValue> arguments) {
  return must(run_whole(compile_cu(source), launch_of({1}, {1}, std::move(arguments))));
}

TEST(ThrustTypes, ComplexNumbersFollowTheFieldsRules) {
  const RunResult run = run_one(R"(
#include <thrust/complex.h>
__global__ void k(float* out) {
  const thrust::complex<float> a(3, -4), b(1, 2);
  const thrust::complex<float> z[] = {a * b, a / b, 2.0f - conj(a), thrust::polar(2.0f, 0.5f), thrust::exp(b)};
  for (int i = 0; i < 5; ++i) {
    out[2 * i] = z[i].real();
    out[2 * i + 1] = z[i].imag();
  }
  out[10] = abs(a);
  out[11] = thrust::norm(a);
})",
                                {{"out", floats(std::vector<float>(12))}});
  const auto out = result_of<float>(run, "out");
  const std::complex<float> a(3, -4), b(1, 2);
  const std::complex<float> expected[] = {a * b, a / b, 2.0f - std::conj(a), std::polar(2.0f, 0.5f),
                                          std::exp(b)};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(out[2 * i], expected[i].real(), 1e-5f) << i;
    EXPECT_NEAR(out[2 * i + 1], expected[i].imag(), 1e-5f) << i;
  }
  EXPECT_NEAR(out[10], 5.0f, 1e-5f);
  EXPECT_NEAR(out[11], 25.0f, 1e-5f);
}

TEST(ThrustTypes, TuplesAreTakenApart) {
  const RunResult run = run_one(R"(
#include <thrust/tuple.h>
__device__ thrust::tuple<int, double, short> three(int i) { return thrust::make_tuple(i, 2.5 * i, short(-i)); }
__global__ void k(int* out) {
  int i;
  double d;
  short s;
  thrust::tie(i, d, s) = three(4);
  out[0] = i;
  out[1] = int(d);
  out[2] = s;
  thrust::tie(i, out[3]) = thrust::make_pair(7, 8);
  out[4] = i;
  auto t = three(2);
  thrust::get<0>(t) += 30;
  out[5] = thrust::get<0>(t);
  out[6] = t == three(2);
})",
                                {{"out", ints(std::vector<std::int32_t>(7))}});
  EXPECT_EQ(result_of<std::int32_t>(run, "out"), (std::vector<std::int32_t>{4, 10, -4, 8, 7, 32, 0}));
}

TEST(PackedFloats, FourOfEightBitsKeepTheirPlaces) {
  const RunResult run = run_one(R"(
#include <cuda_fp8.h>
__global__ void k(float* out) {
  const __nv_fp8x4_e4m3 four(make_float4(1, -2, 0.5f, 448));
  const float4 back = static_cast<float4>(four);
  out[0] = back.x; out[1] = back.y; out[2] = back.z; out[3] = back.w;
  const float2 two = static_cast<float2>(__nv_fp8x2_e5m2(make_float2(-4, 3)));
  out[4] = two.x; out[5] = two.y;
})",
                                {{"out", floats(std::vector<float>(6))}});
  EXPECT_EQ(result_of<float>(run, "out"), (std::vector<float>{1, -2, 0.5f, 448, -4, 3}));
}

TEST(WordLanes, AveragesSumsAndExtremesStayInTheirLanes) {
  const RunResult run = run_one(R"(
__global__ void k(int* out) {
  bool high, low;
  out[0] = __vavgs2(0xfffd0003, 0xfffe0004);             // halves -3, -2 and 3, 4
  out[1] = __vavgs4(0x7f80ff01, 0x7f80fe02);             // bytes 127, -128, -1 and 1, with 127, -128, -2 and 2
  out[2] = __viaddmax_s16x2(0x0001ffff, 0x00020001, 0x00020005);
  out[3] = __viaddmin_s32_relu(3, -9, 100);
  out[4] = __vimax3_u32(1, 0xfffffff0, 7);
  out[5] = __vibmax_s16x2(0x0005ffff, 0x00040001, &high, &low);
  out[6] = high * 2 + low;
})",
                                {{"out", ints(std::vector<std::int32_t>(7))}});
  // -5 and 7 by halves: away from zero, -3 and 4
  EXPECT_EQ(result_of<std::int32_t>(run, "out"),
            (std::vector<std::int32_t>{static_cast<std::int32_t>(0xfffd0004), 0x7f80fe02, 0x00030005, 0,
                                       static_cast<std::int32_t>(0xfffffff0), 0x00050001, 2}));
}

} // namespace
