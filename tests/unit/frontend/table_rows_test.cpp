// Every row of every table is called by a kernel that compiles for both families.
#include "frontend/lowering/tables/tables.h"
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>

namespace {

using namespace forewarp;

struct Source {
  const char* subject;
  const char* standard;
  const char* text;
};

const Source sources[] = {
    {"work_items", "CL2.0", R"(
kernel void k(global ulong* o, uint d) {
  o[0] = get_global_id(0) + get_local_id(1) + get_group_id(2) + get_local_size(0) + get_enqueued_local_size(0);
  o[1] = get_num_groups(1) + get_global_size(0) + get_global_offset(0) + get_work_dim() + get_global_id(d);
  o[2] = get_local_linear_id() + get_global_linear_id() + get_global_id(7) + get_local_size(9);
})"},
    {"math", "CL1.2", R"(
kernel void k(global float* o, float x, float y, float z, global int* n, global float4* v, float4 w, global double* d) {
  o[0] = sin(x) + cos(x) + tan(x) + asin(x) + acos(x) + atan(x) + sinh(x) + cosh(x) + tanh(x);
  o[1] = exp(x) + exp2(x) + exp10(x) + log(x) + log2(x) + log10(x) + sqrt(x) + rsqrt(x) + fabs(x);
  o[2] = floor(x) + ceil(x) + trunc(x) + rint(x) + round(x) + copysign(x, y) + fmin(x, y) + fmax(x, y);
  o[3] = pow(x, y) + powr(x, y) + fma(x, y, z) + mad(x, y, z) + pown(x, 3) + ldexp(x, 2) + fmod(x, y) + fdim(x, y);
  o[4] = maxmag(x, y) + minmag(x, y) + nan(3u) + acosh(x) + acospi(x) + asinh(x) + asinpi(x) + atan2(x, y);
  o[5] = atan2pi(x, y) + atanh(x) + atanpi(x) + cbrt(x) + cospi(x) + erf(x) + erfc(x) + expm1(x) + hypot(x, y);
  o[6] = lgamma(x) + log1p(x) + logb(x) + nextafter(x, y) + remainder(x, y) + rootn(x, 3) + sinpi(x) + tanpi(x);
  o[7] = tgamma(x);
  n[0] = ilogb(x);
  float whole, part; int e;
  o[8] = sincos(x, &part) + part;
  o[9] = fract(x, &whole) + whole;
  o[10] = modf(x, &whole) + whole;
  o[11] = frexp(x, &e); n[1] = e;
  v[0] = sin(w) + fma(w, w, w) + fmin(w, x) + atan2(w, w) + pown(w, (int4)(1, 2, 3, 4)) + rsqrt(w);
  d[0] = sin(d[1]) + rsqrt(d[2]) + atan2(d[3], d[4]);
})"},
    {"fast_math", "CL1.2", R"(
kernel void k(global float* o, float x, float y, global float4* v) {
  o[0] = native_sin(x) + native_cos(x) + native_tan(x) + native_exp(x) + native_exp2(x) + native_exp10(x);
  o[1] = native_log(x) + native_log2(x) + native_log10(x) + native_sqrt(x) + native_rsqrt(x) + native_recip(x);
  o[2] = native_divide(x, y) + native_powr(x, y);
  o[3] = half_sin(x) + half_cos(x) + half_tan(x) + half_exp(x) + half_exp2(x) + half_exp10(x);
  o[4] = half_log(x) + half_log2(x) + half_log10(x) + half_sqrt(x) + half_rsqrt(x) + half_recip(x);
  o[5] = half_divide(x, y) + half_powr(x, y);
  v[0] = native_exp(v[1]) + native_divide(v[2], v[3]);
})"},
    {"common", "CL1.2", R"(
kernel void k(global float* o, float x, float y, float z, float4 a, float4 b, global float4* v, global int* n) {
  o[0] = min(x, y) + max(x, y) + clamp(x, y, z) + mix(x, y, z) + degrees(x) + radians(x) + step(x, y);
  o[1] = smoothstep(x, y, z) + sign(x) + dot(a, b) + length(a) + fast_length(a) + distance(a, b);
  o[2] = fast_distance(a, b) + length(x) + dot(x, y);
  v[0] = normalize(a) + fast_normalize(b) + cross(a, b) + clamp(a, x, y) + mix(a, b, x) + step(x, a);
  v[1] = (float4)(cross(a.xyz, b.xyz), normalize(x));
  n[0] = min(n[1], n[2]) + max(n[3], n[4]) + clamp(n[5], 0, 9);
})"},
    {"integer", "CL2.0", R"(
kernel void k(global int* o, int x, int y, int z, uint u, uint w, global uint4* v, short s, ushort t) {
  o[0] = abs(x) + abs_diff(x, y) + add_sat(x, y) + sub_sat(x, y) + hadd(x, y) + rhadd(x, y) + clz(x) + ctz(x);
  o[1] = popcount(x) + mul_hi(x, y) + mad_hi(x, y, z) + mad_sat(x, y, z) + mul24(x, y) + mad24(x, y, z);
  o[2] = rotate(x, y) + upsample(s, t) + abs(u) + hadd(u, w) + mul_hi(u, w) + add_sat(u, w) + mad_sat(u, w, u);
  o[3] = dot_4x8packed_ss_int(u, w) + dot_4x8packed_uu_uint(u, w) + dot_4x8packed_us_int(u, w) + dot_4x8packed_su_int(u, w);
  o[4] = dot_acc_sat_4x8packed_ss_int(u, w, x) + dot_acc_sat_4x8packed_us_int(u, w, x) + dot_acc_sat_4x8packed_su_int(u, w, x);
  o[5] = dot_acc_sat_4x8packed_uu_uint(u, w, u) + dot_acc_sat(as_uchar4(u), as_uchar4(w), u);
  v[0] = abs_diff(v[1], v[2]) + rotate(v[1], v[2]) + clz(v[3]) + mad_sat(v[1], v[2], v[3]);
})"},
    {"relational", "CL1.2", R"(
kernel void k(global int* o, float x, float y, float4 a, float4 b, global int4* v, global float4* f, int4 c, int s) {
  o[0] = isequal(x, y) + isnotequal(x, y) + isgreater(x, y) + isgreaterequal(x, y) + isless(x, y);
  o[1] = islessequal(x, y) + islessgreater(x, y) + isordered(x, y) + isunordered(x, y) + isnan(x) + isinf(x);
  o[2] = isfinite(x) + isnormal(x) + signbit(x) + any(c) + all(c) + any(s);
  v[0] = isequal(a, b) + isnan(a) + signbit(a) + isinf(b);
  f[0] = bitselect(a, b, a) + select(a, b, c);
  o[3] = bitselect(s, o[4], o[5]) + select(o[6], o[7], s);
})"},
    {"vector_memory", "CL1.2", R"(
kernel void k(global float* f, global int* n, global half* h, global uchar* c, local float* l) {
  size_t i = get_global_id(0);
  vstore2(vload2(i, f), i, l); vstore3(vload3(i, f), i, f); vstore4(vload4(i, c), i, c);
  vstore8(vload8(i, n), i, n); vstore16(vload16(i, f), i, f);
  vstore_half(vload_half(i, h), i, h); vstore_half2(vload_half2(i, h), i, h); vstore_half3(vload_half3(i, h), i, h);
  vstore_half4(vload_half4(i, h), i, h); vstore_half8(vload_half8(i, h), i, h);
  vstore_half16(vload_half16(i, h), i, h); vstore_half_rte(f[i], i, h);
  vstorea_half2(vloada_half2(i, h), i, h); vstorea_half3(vloada_half3(i, h), i, h);
  vstorea_half4(vloada_half4(i, h), i, h); vstorea_half8(vloada_half8(i, h), i, h);
  vstorea_half16(vloada_half16(i, h), i, h);
  prefetch(f + i, 4);
})"},
    {"async", "CL1.2", R"(
kernel void k(global float4* g, local float4* l, global uint* u, local uint* w) {
  event_t e = async_work_group_copy(l, g, 256, 0);
  e = async_work_group_strided_copy(w, u, 64, 3, e);
  wait_group_events(1, &e);
  g[get_global_id(0)] = l[get_local_id(0)] + w[get_local_id(0)];
})"},
    {"atomics", "CL1.2", R"(
kernel void k(global int* p, local uint* q, global float* f, global long* w) {
  p[1] = atomic_add(p, 1) + atomic_sub(p, 2) + atomic_xchg(p, 3) + atomic_min(p, 4) + atomic_max(p, 5);
  p[2] = atomic_and(p, 6) + atomic_or(p, 7) + atomic_xor(p, 8) + atomic_inc(p) + atomic_dec(p) + atomic_cmpxchg(p, 9, 1);
  q[1] = atomic_min(q, 4u) + atomic_max(q, 5u);
  f[1] = atomic_xchg(f, 2.0f);
  w[1] = atom_add(w, 1) + atom_sub(w, 2) + atom_xchg(w, 3) + atom_min(w, 4) + atom_max(w, 5);
  w[2] = atom_and(w, 6) + atom_or(w, 7) + atom_xor(w, 8) + atom_inc(w) + atom_dec(w) + atom_cmpxchg(w, 9, 1);
})"},
    {"atomics_c11", "CL2.0", R"(
kernel void k(global atomic_int* p, global atomic_uint* q, global int* o, local atomic_flag* g) {
  memory_order m = memory_order_relaxed; memory_scope s = memory_scope_device; int e = 3;
  atomic_init(p + 9, 0);
  o[0] = atomic_fetch_add(p, 1) + atomic_fetch_sub(p, 1) + atomic_fetch_min(p, 1) + atomic_fetch_max(p, 1);
  o[1] = atomic_fetch_and(p, 1) + atomic_fetch_or(p, 1) + atomic_fetch_xor(p, 1) + atomic_exchange(p, 2);
  o[2] = atomic_fetch_add_explicit(p, 1, m, s) + atomic_fetch_sub_explicit(p, 1, m, s);
  o[3] = atomic_fetch_min_explicit(q, 1, m, s) + atomic_fetch_max_explicit(q, 1, m, s);
  o[4] = atomic_fetch_and_explicit(p, 1, m, s) + atomic_fetch_or_explicit(p, 1, m, s);
  o[5] = atomic_fetch_xor_explicit(p, 1, m, s) + atomic_exchange_explicit(p, 1, m, s);
  o[6] = atomic_compare_exchange_strong(p, &e, 4) + atomic_compare_exchange_weak(p, &e, 4) + e;
  o[7] = atomic_compare_exchange_strong_explicit(p, &e, 4, m, m, s) + e;
  o[8] = atomic_compare_exchange_weak_explicit(p, &e, 4, m, m, s) + e;
  o[9] = atomic_load(p) + atomic_load_explicit(p, m, s);
  atomic_store(p, 3); atomic_store_explicit(p, 4, m, s);
  o[10] = atomic_flag_test_and_set(g) + atomic_flag_test_and_set_explicit(g, m, s);
  atomic_flag_clear(g); atomic_flag_clear_explicit(g, m, s);
})"},
    {"sync", "CL2.0", R"(
kernel void k(global int* p, local int* l) {
  l[get_local_id(0)] = 1; barrier(CLK_LOCAL_MEM_FENCE); work_group_barrier(CLK_GLOBAL_MEM_FENCE);
  mem_fence(CLK_LOCAL_MEM_FENCE); read_mem_fence(CLK_LOCAL_MEM_FENCE); write_mem_fence(CLK_GLOBAL_MEM_FENCE);
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  p[0] = l[0];
})"},
    {"collectives", "CL3.0", R"(
kernel void k(global int* o, global float* f, int x, float y, uint u) {
  o[0] = get_sub_group_local_id() + get_sub_group_id() + get_num_sub_groups() + get_enqueued_num_sub_groups();
  o[1] = get_sub_group_size() + get_max_sub_group_size() + sub_group_any(x) + sub_group_all(x);
  o[2] = sub_group_broadcast(x, 0) + sub_group_shuffle(x, 1) + sub_group_shuffle_xor(x, 2);
  f[0] = sub_group_shuffle_up(y, 1) + sub_group_shuffle_down(y, 2);
  o[3] = sub_group_reduce_add(x) + sub_group_reduce_min(x) + sub_group_reduce_max(x);
  o[4] = sub_group_scan_inclusive_add(x) + sub_group_scan_inclusive_min(x) + sub_group_scan_inclusive_max(x);
  f[1] = sub_group_scan_exclusive_add(y) + sub_group_scan_exclusive_min(y) + sub_group_scan_exclusive_max(y);
  o[5] = work_group_any(x) + work_group_all(x) + work_group_broadcast(x, 0) + work_group_reduce_min(u);
  o[6] = work_group_reduce_add(x) + work_group_reduce_min(x) + work_group_reduce_max(x);
  o[7] = work_group_scan_inclusive_add(x) + work_group_scan_inclusive_min(x) + work_group_scan_inclusive_max(x);
  f[2] = work_group_scan_exclusive_add(y) + work_group_scan_exclusive_min(y) + work_group_scan_exclusive_max(y);
})"},
    {"ballot", "CL2.0", R"(
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
uint4 __attribute__((overloadable)) sub_group_ballot(int);
kernel void k(global uint4* o, int x) { o[0] = sub_group_ballot(x); })"},
    {"images", "CL1.2", R"(
constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
kernel void k(read_only image2d_t a, write_only image2d_t b, read_only image3d_t c, read_only image1d_t d,
              read_only image2d_array_t e, sampler_t t, global float4* o, global int4* n, global uint4* u, global int* q) {
  int2 xy = (int2)(get_global_id(0), get_global_id(1));
  o[0] = read_imagef(a, s, xy) + read_imagef(a, t, (float2)(0.5f, 0.5f)) + read_imagef(a, xy);
  n[0] = read_imagei(c, s, (int4)(1, 2, 3, 0)) + read_imagei(d, s, 3);
  u[0] = read_imageui(e, t, (float4)(1, 2, 3, 0));
  write_imagef(b, xy, o[0]); write_imagei(b, xy, n[0]); write_imageui(b, xy, u[0]);
  q[0] = get_image_width(a) + get_image_height(a) + get_image_depth(c) + get_image_channel_data_type(a);
  q[1] = get_image_channel_order(a) + get_image_array_size(e) + get_image_dim(a).x + get_image_dim(c).z;
})"},
    {"half_images", "CL1.2", R"(
kernel void k(read_only image2d_t a, write_only image2d_t b, sampler_t t) {
  write_imageh(b, (int2)(0, 0), read_imageh(a, t, (int2)(1, 1)));
})"},
    {"other", "CL1.2", R"(
kernel void k(global float4* o, float4 a, float4 b, uint4 m, global float2* p, uint2 q) {
  printf("a %f\n", a.x);
  o[0] = shuffle(a, m) + shuffle2(a, b, m) + shuffle(a, (uint4)(3, 2, 1, 0));
  p[0] = shuffle(a, q);
})"},
    {"convert", "CL1.2", R"(
kernel void k(global uchar4* c, global float4* f, global int4* n, global short2* s, global half2* h, global ulong4* l) {
  c[0] = convert_uchar4(f[0]); c[1] = convert_uchar4_sat(f[0]); c[2] = convert_uchar4_sat_rte(f[1]);
  n[0] = convert_int4_rtp(f[0]); n[1] = convert_int4_rtn(f[0]); n[2] = convert_int4_rtz(f[0]);
  n[3] = convert_int4_sat(l[0]); f[2] = convert_float4(c[0]); f[3] = convert_float4_rte(n[0]) + convert_float4_rtp(n[1]);
  s[0] = convert_short2_sat(n[0].xy); h[0] = convert_half2(f[0].xy); l[1] = convert_ulong4_sat(n[0]);
})"},
};

/// Names followed by "(" anywhere in the sources.
std::set<std::string> called_names() {
  std::set<std::string> names;
  static const std::regex call(R"(([a-z_]\w*)\()");
  for (const Source& source : sources) {
    std::string text = source.text;
    for (std::sregex_iterator it(text.begin(), text.end(), call), end; it != end; ++it)
      names.insert((*it)[1]);
  }
  names.insert("__translate_sampler_initializer"); // made by the compiler for `constant sampler_t`
  return names;
}

class TableRows : public testing::TestWithParam<std::tuple<Source, ir::TargetFamily>> {};

TEST_P(TableRows, CompileAndLeaveNoCall) {
  const auto& [source, family] = GetParam();
  auto module = test::compile_text(source.text, family, source.standard);
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(test::ir_text(*module).find(" @_Z"), std::string::npos) << "a mangled name is left";
}

INSTANTIATE_TEST_SUITE_P(Sources, TableRows,
                         testing::Combine(testing::ValuesIn(sources),
                                          testing::Values(ir::TargetFamily::nvidia, ir::TargetFamily::amd)),
                         [](const auto& chosen) {
                           return std::string(std::get<0>(chosen.param).subject) +
                                  (std::get<1>(chosen.param) == ir::TargetFamily::nvidia ? "_nvidia"
                                                                                         : "_amd");
                         });

TEST(TableRows, EachOpenClRowIsCalledHere) {
  std::set<std::string> called = called_names();
  for (auto table : frontend::lowering::all_tables())
    for (const auto& row : table)
      if (table.data() != frontend::lowering::cuda_rows().data()) { // tests of the CUDA header call those
        EXPECT_TRUE(called.contains(row.name)) << row.name;
      }
}

TEST(TableRows, EachRowStandsInTheDocumentation) {
  std::ifstream file(std::string(FOREWARP_SOURCE_DIR) + "/docs/reference/builtins.md");
  std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  for (auto table : frontend::lowering::all_tables())
    for (const auto& row : table) {
      std::string name = row.name;
      if (table.data() == frontend::lowering::cuda_rows().data() || name.starts_with("__"))
        continue;
      EXPECT_NE(page.find("`" + name + "`"), std::string::npos) << name;
    }
}

TEST(TableRows, NamesAreUnique) {
  std::set<std::string> names;
  for (auto table : frontend::lowering::all_tables())
    for (const auto& row : table)
      EXPECT_TRUE(names.insert(row.name).second) << row.name << " stands in two rows";
}

} // namespace
