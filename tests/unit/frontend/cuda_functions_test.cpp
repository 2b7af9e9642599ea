// The device functions of the own CUDA headers: each group compiles for both families and leaves only what
// ir/builtins.h lists.
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>

namespace {

using namespace forewarp;

struct Source {
  const char* subject;
  const char* text;
};

const Source sources[] = {
    {"math_float", R"(
__global__ void k(float* o, float x, float y, float z, int* e) {
  o[0] = sinf(x) + cosf(x) + tanf(x) + asinf(x) + acosf(x) + atanf(x) + sinhf(x) + coshf(x) + tanhf(x) + asinhf(x);
  o[1] = acoshf(x) + atanhf(x) + atan2f(x, y) + expf(x) + exp2f(x) + exp10f(x) + expm1f(x) + logf(x) + log2f(x);
  o[2] = log10f(x) + log1pf(x) + logbf(x) + powf(x, y) + sqrtf(x) + rsqrtf(x) + cbrtf(x) + rcbrtf(x) + hypotf(x, y);
  o[3] = erff(x) + erfcf(x) + lgammaf(x) + tgammaf(x) + floorf(x) + ceilf(x) + truncf(x) + rintf(x) + roundf(x);
  o[4] = fminf(x, y) + fmaxf(x, y) + fmaf(x, y, z) + fabsf(x) + copysignf(x, y) + fmodf(x, y) + fdimf(x, y);
  o[5] = remainderf(x, y) + nextafterf(x, y) + ldexpf(x, 3) + scalbnf(x, 2) + norm3df(x, y, z) + rnorm3df(x, y, z);
  o[6] = sinpif(x) + cospif(x) + nearbyintf(x) + ilogbf(x) + lrintf(x) + llroundf(x) + rhypotf(x, y);
  float s, c, whole;
  sincosf(x, &s, &c); o[7] = s + c; sincospif(x, &s, &c); o[8] = s + c; __sincosf(x, &s, &c); o[9] = s + c;
  o[10] = frexpf(x, e) + modff(x, &whole) + whole;
  o[11] = __sinf(x) + __cosf(x) + __tanf(x) + __expf(x) + __exp10f(x) + __logf(x) + __log2f(x) + __log10f(x);
  o[12] = __powf(x, y) + __fdividef(x, y) + __frsqrt_rn(x) + __saturatef(x) + __frcp_rn(x) + __fsqrt_rn(x);
  o[13] = __fadd_rn(x, y) + __fmul_rz(x, y) + __fsub_rd(x, y) + __fdiv_ru(x, y) + __fmaf_rn(x, y, z);
  o[14] = isnan(x) + isinf(x) + isfinite(x) + signbit(x) + abs(x) + min(x, y) + max(x, y) + pow(x, 2) + sqrt(x) + exp(x);
  o[15] = pow(x, y) + fmin(x, y) + floor(x) + sqrt(3) + fabs(x) + log(x) + atan2(x, y) + round(x) + tanh(x) + rsqrt(x);
})"},
    {"math_double", R"(
__global__ void k(double* o, double x, double y, double z, int* e) {
  o[0] = sin(x) + cos(x) + tan(x) + asin(x) + acos(x) + atan(x) + sinh(x) + cosh(x) + tanh(x) + asinh(x) + acosh(x);
  o[1] = atanh(x) + atan2(x, y) + exp(x) + exp2(x) + exp10(x) + expm1(x) + log(x) + log2(x) + log10(x) + log1p(x);
  o[2] = pow(x, y) + sqrt(x) + rsqrt(x) + cbrt(x) + hypot(x, y) + erf(x) + erfc(x) + lgamma(x) + tgamma(x) + floor(x);
  o[3] = ceil(x) + trunc(x) + rint(x) + round(x) + fmin(x, y) + fmax(x, y) + fma(x, y, z) + fabs(x) + copysign(x, y);
  o[4] = fmod(x, y) + fdim(x, y) + remainder(x, y) + nextafter(x, y) + ldexp(x, 3) + sinpi(x) + cospi(x) + logb(x);
  double s, c; sincos(x, &s, &c); o[5] = s + c + frexp(x, e) + modf(x, &s) + norm3d(x, y, z) + ilogb(x) + llrint(x);
  o[6] = __dadd_rn(x, y) + __dmul_rn(x, y) + __fma_rn(x, y, z) + __ddiv_rn(x, y) + __dsqrt_rn(x) + max(x, 1.0f);
})"},
    {"integer", R"(
__global__ void k(unsigned* o, int a, int b, unsigned c, unsigned d, long long l, unsigned long long u) {
  o[0] = __popc(c) + __popcll(u) + __clz(a) + __clzll(l) + __ffs(a) + __ffsll(l) + __brev(c) + __brevll(u);
  o[1] = __mulhi(a, b) + __umulhi(c, d) + __mul64hi(l, l) + __umul64hi(u, u) + __mul24(a, b) + __umul24(c, d);
  o[2] = __hadd(a, b) + __uhadd(c, d) + __rhadd(a, b) + __urhadd(c, d) + __sad(a, b, c) + __usad(c, d, c);
  o[3] = __byte_perm(c, d, 0x3210) + __funnelshift_l(c, d, 3) + __funnelshift_r(c, d, c) + __funnelshift_lc(c, d, c);
  o[4] = __dp4a(a, b, a) + __dp4a(c, d, c) + abs(a) + labs(l) + min(a, b) + max(c, d) + min(a, c) + umax(c, d);
})"},
    {"conversions", R"(
__global__ void k(int* o, float x, double y, int a, long long l) {
  o[0] = __float2int_rn(x) + __float2int_rz(x) + __float2int_rd(x) + __float2int_ru(x) + __float2uint_rn(x);
  o[1] = __float2ll_rn(x) + __double2int_rn(y) + __double2ll_rd(y) + __double2uint_ru(y) + __float2ull_rz(x);
  o[2] = __float_as_int(__int2float_rn(a)) + __float_as_uint(__ll2float_rz(l)) + __double2hiint(y) + __double2loint(y);
  o[3] = __double_as_longlong(__hiloint2double(a, a)) + __int_as_float(a) + __longlong_as_double(l);
  o[4] = __double2float_rn(y) + __uint2float_rn(a) + __int2double_rn(a);
})"},
    {"warp", R"(
__global__ void k(int* o, float* f, double* d, unsigned long long* u) {
  unsigned t = threadIdx.x;
  o[t] = __shfl_sync(~0u, o[t], 3) + __shfl_up_sync(~0u, o[t], 1u) + __shfl_down_sync(~0u, o[t], 1u, 16) + __shfl_xor_sync(~0u, o[t], 1);
  f[t] = __shfl(f[t], 3, 8) + __shfl_up(f[t], 1u, 4) + __shfl_down(f[t], 1u) + __shfl_xor(f[t], 1, 16);
  d[t] = __shfl_sync(~0u, d[t], 0); u[t] = __shfl_xor_sync(~0u, u[t], 2);
  o[0] = __any_sync(~0u, t) + __all_sync(~0u, t) + __any(t) + __all(t) + __ballot(t) + __ballot_sync(~0u, t) + __activemask();
  o[1] = __match_any_sync(~0u, t) + __reduce_add_sync(~0u, t) + __reduce_max_sync(~0u, o[t]) + __reduce_xor_sync(~0u, t);
  int all; o[2] = __match_all_sync(~0u, d[t], &all) + all + __reduce_min_sync(~0u, t) + __reduce_or_sync(~0u, t);
  __syncwarp(); o[3] = __syncthreads_count(t) + __syncthreads_and(t) + __syncthreads_or(t);
  __threadfence(); __threadfence_block(); __threadfence_system(); o[4] = clock() + clock64();
})"},
    {"atomics", R"(
__global__ void k(int* i, unsigned* u, unsigned long long* l, float* f, double* d) {
  atomicAdd(i, 1); atomicSub(i, 1); atomicMin(i, 1); atomicMax(i, 1); atomicAnd(i, 1); atomicOr(i, 1); atomicXor(i, 1);
  atomicExch(i, 1); atomicCAS(i, 1, 2); atomicAdd(u, 1); atomicMax(u, 1); atomicInc(u, 3); atomicDec(u, 3);
  atomicAdd(l, 1ull); atomicCAS(l, 1ull, 2ull); atomicMax(l, 1ull); atomicAdd(f, 1.0f); atomicExch(f, 1.0f);
  atomicAdd(d, 1.0); atomicAdd_block(i, 1); atomicAdd_system(f, 1.0f); atomicCAS_block(u, 1u, 2u);
})"},
    {"cached_access", R"(
__global__ void k(float* f, const float2* p, const uchar4* c, const double* d, const long long* l) {
  f[0] = __ldg(f) + __ldg(p).y + __ldg(c).z + __ldg(d) + __ldg(l) + __ldca(f) + __ldcg(f) + __ldcs(f);
  __stcg(f, 1.0f); __stcs(f, 1.0f); __stwt(f + 1, 2.0f);
})"},
    {"half", R"(
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void k(half* h, half2* v, float* f, __nv_bfloat16* b) {
  h[0] = h[1] + h[2] * h[3] - h[4] / h[5]; h[6] += h[0]; h[6] *= h[0]; h[1] = __hfma(h[0], h[1], h[2]); h[2] = __float2half(f[0]); f[1] = __half2float(h[3]);
  v[0] = __hadd2(v[1], __hmul2(v[2], v[3])); v[1] = __floats2half2_rn(f[0], f[1]); f[2] = __low2float(v[0]) + __half22float2(v[1]).y;
  h[3] = hexp(h[0]) + hsqrt(h[1]) + hlog(h[2]) + __hmax(h[0], h[1]); if (h[0] < h[1] && __hgt(h[2], h[3])) v[2] = h2rsqrt(v[0]);
  h[5] = __shfl_down_sync(~0u, h[5], 1u); v[3] = __hmax2(v[0], v[1]); b[0] = b[1] * b[2] + __float2bfloat16(f[3]);
})"},
    {"cooperative_groups", R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void k(float* f) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  float v = cg::reduce(tile, f[block.thread_rank()], cg::plus<float>());
  v += tile.shfl_down(v, 2) + tile.shfl(v, 0) + tile.any(v > 0) + tile.ballot(v > 1);
  block.sync(); cg::sync(tile);
  auto active = cg::coalesced_threads();
  if (active.thread_rank() == 0) f[tile.meta_group_rank()] = v + active.size() + cg::this_grid().size();
})"},
    {"word_lanes", R"(
__global__ void k(unsigned* o, int* s, unsigned a, unsigned b, unsigned c, int x, int y) {
  bool first, second;
  o[0] = __vavgs2(a, b) + __vavgs4(a, b) + __viaddmax_s16x2(a, b, c) + __viaddmin_u16x2(a, b, c) + __vimax3_u32(a, b, c);
  o[1] = __vibmax_u16x2(a, b, &first, &second) + __vibmin_s16x2(a, b, &second, &first) + __vimin_s16x2_relu(a, b);
  s[0] = __viaddmax_s32_relu(x, y, x) + __vimin3_s32(x, y, 3) + __vibmin_s32(x, y, &first) + first + second;
})"},
    {"narrow_floats", R"(
#include <cuda_fp8.h>
__global__ void k(half* h, __nv_bfloat16* b, __nv_bfloat162* p, float4* f, __nv_fp8x4_e4m3* e, __nv_fp8x2_e5m2* q) {
  h[0] = +h[1] * h[2] + half(5ul) + half(__hisinf(h[3]));
  b[0] = hexp(b[1]) + hlog2(b[2]) + hrsqrt(b[3]) + hfloor(b[4]) + -(+b[5]);
  p[0] = h2exp10(p[1]);
  e[0] = __nv_fp8x4_e4m3(static_cast<float4>(e[1]));
  q[0] = __nv_fp8x2_e5m2(static_cast<float2>(q[1]));
  f[0] = static_cast<float4>(__nv_fp8x4_e4m3(p[2], p[3]));
})"},
    {"thrust_types", R"(
#include <thrust/complex.h>
#include <thrust/functional.h>
#include <thrust/pair.h>
#include <thrust/tuple.h>
typedef thrust::complex<float> Complex;
__device__ thrust::tuple<float, int> both(float v) { return thrust::make_tuple(v, 3); }
__global__ void k(Complex* z, thrust::complex<double>* d, float* f) {
  Complex w = 2.0f * z[0] / z[1] - thrust::conj(z[2]) * z[3] + 1.0f;
  w *= thrust::polar(thrust::abs(w), thrust::arg(w)) + thrust::exp(-w);
  z[threadIdx.x] = w;
  d[0] = thrust::complex<double>(w) + 1.0;
  float v; int n;
  thrust::tie(v, n) = both(f[0]);
  thrust::pair<float, float> p = thrust::make_pair(v, f[1]);
  f[2] = thrust::plus<float>()(p.first, p.second) + n + thrust::get<1>(thrust::make_tuple(1, v)) + thrust::maximum<>()(v, 2.0f);
})"},
};

class CudaFunctions : public testing::TestWithParam<std::tuple<Source, ir::TargetFamily, const char*>> {};

TEST_P(CudaFunctions, CompileAndLeaveNoCall) {
  const auto& [source, family, option] = GetParam();
  test::TemporaryFile file(source.text, ".cu");
  frontend::CompileRequest request = test::request_for(family);
  request.path = file.path();
  request.target = family == ir::TargetFamily::amd ? "gfx90a" : "sm_80";
  if (*option)
    request.extra_options.push_back(option);
  auto module = frontend::compile(request);
  ASSERT_TRUE(module) << to_string(module.error());
  for (const llvm::Function& function : module->module()) {
    bool known = function.isIntrinsic() || function.getName().starts_with("forewarp.");
    EXPECT_TRUE(known || !function.isDeclaration()) << function.getName().str();
  }
  EXPECT_EQ(module->diagnostics, "");
}

INSTANTIATE_TEST_SUITE_P(Sources, CudaFunctions,
                         testing::Combine(testing::ValuesIn(sources),
                                          testing::Values(ir::TargetFamily::nvidia, ir::TargetFamily::amd),
                                          testing::Values("", "-use_fast_math")),
                         [](const auto& chosen) {
                           return std::string(std::get<0>(chosen.param).subject) +
                                  (std::get<1>(chosen.param) == ir::TargetFamily::nvidia ? "_nvidia"
                                                                                         : "_amd") +
                                  (*std::get<2>(chosen.param) ? "_fast" : "");
                         });

} // namespace
