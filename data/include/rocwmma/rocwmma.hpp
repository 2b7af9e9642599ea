// rocWMMA's names: on AMD's matrix cores over the MFMA built-ins, for NVIDIA's over nvcuda::wmma. Fragments of 16x16
// and 32x32 with factors of half, bfloat16 and float and sums in float; each lane holds the elements that the
// instruction gives it (AMD matrix instruction calculator, "V_MFMA_F32_16X16X16_F16" and its kin), so loads and stores
// have their addresses. The products' values are not modelled; cooperative loads and transforms are not there.
#pragma once
#pragma clang system_header
#include <hip/hip_bfloat16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#if !defined(FOREWARP_AMD)
#include <mma.h>
#if FOREWARP_ARCH >= 700
namespace rocwmma {
using namespace nvcuda::wmma;
using float16_t = __half;
using hfloat16_t = __half;
using bfloat16_t = __nv_bfloat16;
using float32_t = float;
using float64_t = double;
using int8_t = signed char;
using int32_t = int;
FW_DEVICE void synchronize_workgroup() { __syncthreads(); }
} // namespace rocwmma
#endif
#else
namespace rocwmma {

using float16_t = _Float16;
using hfloat16_t = __half;
using bfloat16_t = hip_bfloat16;
using float32_t = float;
using float64_t = double;
using int8_t = signed char;
using int32_t = int;

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };

typedef float fw_sums4 __attribute__((ext_vector_type(4)));
typedef float fw_sums16 __attribute__((ext_vector_type(16)));
typedef _Float16 fw_halves __attribute__((ext_vector_type(4)));
typedef short fw_shorts __attribute__((ext_vector_type(4)));

/// Elements of a lane in a factor's matrix of `side` rows and `depth` columns, 64 lanes.
template <class Use, int M, int N, int K> struct fw_count {
  static constexpr int value = M * K / 64;
};
template <int M, int N, int K> struct fw_count<accumulator, M, N, K> {
  static constexpr int value = M * N / 64;
};

template <class Use, int M, int N, int K, class T, class Layout = void> struct fragment {
  static constexpr int num_elements = fw_count<Use, M, N, K>::value;
  T x[num_elements];
  __attribute__((host, device)) T& operator[](int i) { return x[i]; }
  __attribute__((host, device)) const T& operator[](int i) const { return x[i]; }
};

FW_DEVICE int fw_matrix_lane() { return static_cast<int>(__builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u))); }

/// Of a factor: element i of a lane is in row lane % side, and `own` neighbours along the depth are a lane's.
template <int side, int own> FW_DEVICE int fw_depth(int i) {
  return i / own * own * (64 / side) + fw_matrix_lane() / side * own + i % own;
}
template <class T> constexpr int fw_own = sizeof(T) == 2 ? 4 : 1;

template <int side, class F, class T>
FW_DEVICE void fw_load_factor(F& f, const T* from, unsigned row_step, unsigned depth_step) {
  for (int i = 0; i < F::num_elements; ++i)
    f.x[i] = from[fw_matrix_lane() % side * row_step + fw_depth<side, fw_own<T>>(i) * depth_step];
}
template <int M, int N, int K, class T>
FW_DEVICE void load_matrix_sync(fragment<matrix_a, M, N, K, T, row_major>& f, const T* from, unsigned step) {
  fw_load_factor<M>(f, from, step, 1);
}
template <int M, int N, int K, class T>
FW_DEVICE void load_matrix_sync(fragment<matrix_a, M, N, K, T, col_major>& f, const T* from, unsigned step) {
  fw_load_factor<M>(f, from, 1, step);
}
template <int M, int N, int K, class T>
FW_DEVICE void load_matrix_sync(fragment<matrix_b, M, N, K, T, col_major>& f, const T* from, unsigned step) {
  fw_load_factor<N>(f, from, step, 1);
}
template <int M, int N, int K, class T>
FW_DEVICE void load_matrix_sync(fragment<matrix_b, M, N, K, T, row_major>& f, const T* from, unsigned step) {
  fw_load_factor<N>(f, from, 1, step);
}

/// Of the sums: groups of four rows, the lanes' one behind the other; the column is lane % side.
template <int side> FW_DEVICE int fw_sum_row(int i) { return i / 4 * (256 / side) + fw_matrix_lane() / side * 4 + i % 4; }

template <int M, int N, int K, class T, class L>
FW_DEVICE void load_matrix_sync(fragment<accumulator, M, N, K, T, L>& f, const T* from, unsigned step, layout_t layout) {
  for (int i = 0; i < f.num_elements; ++i) {
    const int row = fw_sum_row<N>(i), column = fw_matrix_lane() % N;
    f.x[i] = layout == mem_row_major ? from[row * step + column] : from[column * step + row];
  }
}
template <int M, int N, int K, class T, class L>
FW_DEVICE void store_matrix_sync(T* to, const fragment<accumulator, M, N, K, T, L>& f, unsigned step, layout_t layout) {
  for (int i = 0; i < f.num_elements; ++i) {
    const int row = fw_sum_row<N>(i), column = fw_matrix_lane() % N;
    to[layout == mem_row_major ? row * step + column : column * step + row] = f.x[i];
  }
}
template <class Use, int M, int N, int K, class T, class L, class V>
FW_DEVICE void fill_fragment(fragment<Use, M, N, K, T, L>& f, V value) {
  for (int i = 0; i < f.num_elements; ++i)
    f.x[i] = static_cast<T>(value);
}

FW_DEVICE fw_sums4 fw_product(const _Float16* a, const _Float16* b, fw_sums4 c) {
  return __builtin_amdgcn_mfma_f32_16x16x16f16(*reinterpret_cast<const fw_halves*>(a),
                                               *reinterpret_cast<const fw_halves*>(b), c, 0, 0, 0);
}
FW_DEVICE fw_sums16 fw_product(const _Float16* a, const _Float16* b, fw_sums16 c) {
  return __builtin_amdgcn_mfma_f32_32x32x8f16(*reinterpret_cast<const fw_halves*>(a),
                                              *reinterpret_cast<const fw_halves*>(b), c, 0, 0, 0);
}
FW_DEVICE fw_sums4 fw_product(const __half* a, const __half* b, fw_sums4 c) {
  return fw_product(reinterpret_cast<const _Float16*>(a), reinterpret_cast<const _Float16*>(b), c);
}
FW_DEVICE fw_sums16 fw_product(const __half* a, const __half* b, fw_sums16 c) {
  return fw_product(reinterpret_cast<const _Float16*>(a), reinterpret_cast<const _Float16*>(b), c);
}
FW_DEVICE fw_sums4 fw_product(const hip_bfloat16* a, const hip_bfloat16* b, fw_sums4 c) {
  return __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(*reinterpret_cast<const fw_shorts*>(a),
                                                   *reinterpret_cast<const fw_shorts*>(b), c, 0, 0, 0);
}
FW_DEVICE fw_sums16 fw_product(const hip_bfloat16* a, const hip_bfloat16* b, fw_sums16 c) {
  return __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(*reinterpret_cast<const fw_shorts*>(a),
                                                  *reinterpret_cast<const fw_shorts*>(b), c, 0, 0, 0);
}
FW_DEVICE fw_sums4 fw_product(const float* a, const float* b, fw_sums4 c) {
  return __builtin_amdgcn_mfma_f32_16x16x4f32(*a, *b, c, 0, 0, 0);
}
FW_DEVICE fw_sums16 fw_product(const float* a, const float* b, fw_sums16 c) {
  return __builtin_amdgcn_mfma_f32_32x32x2f32(*a, *b, c, 0, 0, 0);
}

template <int elements> struct fw_sums;
template <> struct fw_sums<4> {
  using type = fw_sums4;
};
template <> struct fw_sums<16> {
  using type = fw_sums16;
};

template <int M, int N, int K, class T, class A, class B, class LC, class LD>
FW_DEVICE void mma_sync(fragment<accumulator, M, N, K, float, LD>& d, const fragment<matrix_a, M, N, K, T, A>& a,
                        const fragment<matrix_b, M, N, K, T, B>& b, const fragment<accumulator, M, N, K, float, LC>& c) {
  typename fw_sums<M * N / 64>::type sums;
  for (int i = 0; i < M * N / 64; ++i)
    sums[i] = c.x[i];
  for (int i = 0; i < a.num_elements; i += fw_own<T>)
    sums = fw_product(a.x + i, b.x + i, sums);
  for (int i = 0; i < M * N / 64; ++i)
    d.x[i] = sums[i];
}
template <int M, int N, int K, class T, class A, class B, class LC>
FW_DEVICE void mma_sync(fragment<accumulator, M, N, K, float, LC>& c, const fragment<matrix_a, M, N, K, T, A>& a,
                        const fragment<matrix_b, M, N, K, T, B>& b) {
  mma_sync(c, a, b, c);
}
FW_DEVICE void synchronize_workgroup() { __syncthreads(); }

} // namespace rocwmma
#endif
