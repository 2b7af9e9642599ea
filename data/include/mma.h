// Matrices of a warp (nvcuda::wmma) on mma.sync: each lane holds the elements that mma.m16n8k16 gives it (PTX ISA,
// "Matrix Fragments for mma.m16n8k16"), so loads and stores have that instruction's addresses. Here the shape 16x16x16
// with factors of half or bfloat16 and sums in float or half; the other shapes and types in mma_shapes.h. Sums of
// products have values, in the order of the depth and in single precision.
#pragma once
#pragma clang system_header
#include "cuda_bf16.h"
#include "cuda_fp16.h"

#if FOREWARP_ARCH >= 700 && !defined(FOREWARP_AMD)
namespace nvcuda {
namespace wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };

template <bool> struct fw_if {};
template <> struct fw_if<true> {
  typedef int type;
};
template <bool holds> using fw_only = typename fw_if<holds>::type;

template <class T> struct fw_elements {
  static constexpr int num_elements = 8;
  static constexpr bool of_half = true;
  T x[num_elements];
};
template <class Use, int M, int N, int K, class T, class Layout = void> struct fragment; // other shapes: not modelled
template <class Use, class Layout> struct fragment<Use, 16, 16, 16, __half, Layout> : fw_elements<__half> {};
template <class Use, class Layout> struct fragment<Use, 16, 16, 16, __nv_bfloat16, Layout> : fw_elements<__nv_bfloat16> {};
template <> struct fragment<accumulator, 16, 16, 16, float> : fw_elements<float> {};

/// Row and column of a lane's elements 2 i and 2 i + 1 (one column on) in a 16x16 matrix of quarters 8x8.
FW_DEVICE int fw_fragment_row(int i) { return static_cast<int>(fw_lane()) / 4 + 8 * (i % 2); }
FW_DEVICE int fw_fragment_column(int i) { return static_cast<int>(fw_lane()) % 4 * 2 + 8 * (i / 2); }

/// Two neighbours of a row in one access where they lie side by side.
template <class T> FW_DEVICE void fw_load_pair(T (&to)[2], const T* from, unsigned step) {
  if (step == 1) {
    struct alignas(2 * sizeof(T)) Pair {
      T x[2];
    };
    const Pair pair = *reinterpret_cast<const Pair*>(from);
    to[0] = pair.x[0], to[1] = pair.x[1];
  } else {
    to[0] = from[0], to[1] = from[step];
  }
}

template <class F, class T>
FW_DEVICE void fw_load_fragment(F& f, const T* from, unsigned row_step, unsigned column_step) {
  for (int i = 0; i < 4; ++i) {
    T pair[2];
    fw_load_pair(pair, from + fw_fragment_row(i) * row_step + fw_fragment_column(i) * column_step, column_step);
    f.x[2 * i] = pair[0], f.x[2 * i + 1] = pair[1];
  }
}

template <class T, fw_only<sizeof(T) == 2> = 0>
FW_DEVICE void load_matrix_sync(fragment<matrix_a, 16, 16, 16, T, row_major>& f, const T* from, unsigned step) {
  fw_load_fragment(f, from, step, 1);
}
template <class T, fw_only<sizeof(T) == 2> = 0>
FW_DEVICE void load_matrix_sync(fragment<matrix_a, 16, 16, 16, T, col_major>& f, const T* from, unsigned step) {
  fw_load_fragment(f, from, 1, step);
}
// The second factor's fragments are those of its transpose.
template <class T, fw_only<sizeof(T) == 2> = 0>
FW_DEVICE void load_matrix_sync(fragment<matrix_b, 16, 16, 16, T, col_major>& f, const T* from, unsigned step) {
  fw_load_fragment(f, from, step, 1);
}
template <class T, fw_only<sizeof(T) == 2> = 0>
FW_DEVICE void load_matrix_sync(fragment<matrix_b, 16, 16, 16, T, row_major>& f, const T* from, unsigned step) {
  fw_load_fragment(f, from, 1, step);
}
template <class T, fw_only<fragment<accumulator, 16, 16, 16, T>::of_half> = 0>
FW_DEVICE void load_matrix_sync(fragment<accumulator, 16, 16, 16, T>& f, const T* from, unsigned step, layout_t layout) {
  if (layout == mem_row_major)
    fw_load_fragment(f, from, step, 1);
  else
    fw_load_fragment(f, from, 1, step);
}
template <class T, fw_only<fragment<accumulator, 16, 16, 16, T>::of_half> = 0>
FW_DEVICE void store_matrix_sync(T* to, const fragment<accumulator, 16, 16, 16, T>& f, unsigned step, layout_t layout) {
  struct alignas(2 * sizeof(T)) Pair {
    T x[2];
  };
  for (int i = 0; i < 4; ++i) {
    const int row = fw_fragment_row(i), column = fw_fragment_column(i);
    if (layout == mem_row_major) {
      *reinterpret_cast<Pair*>(to + row * step + column) = {f.x[2 * i], f.x[2 * i + 1]};
    } else {
      to[column * step + row] = f.x[2 * i];
      to[(column + 1) * step + row] = f.x[2 * i + 1];
    }
  }
}

template <class Use, class T, class Layout, class V, fw_only<fragment<Use, 16, 16, 16, T, Layout>::of_half> = 0>
FW_DEVICE void fill_fragment(fragment<Use, 16, 16, 16, T, Layout>& f, const V& value) {
  for (int i = 0; i < f.num_elements; ++i)
    f.x[i] = value;
}

template <class T> FW_DEVICE unsigned fw_word(T low, T high) {
  return __builtin_bit_cast(unsigned short, low) | __builtin_bit_cast(unsigned short, high) << 16;
}

#define FW_PRODUCT_IN_FLOAT(type, name)                                                                      \
  FW_DEVICE void fw_product(type, float* d, const unsigned (&a)[4], unsigned b0, unsigned b1, const float* c) { \
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32." name "." name ".f32 "                              \
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"                        \
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])                                             \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1), "f"(c[0]), "f"(c[1]),         \
                   "f"(c[2]), "f"(c[3]));                                                                     \
  }
FW_PRODUCT_IN_FLOAT(__half, "f16")
FW_PRODUCT_IN_FLOAT(__nv_bfloat16, "bf16")
#undef FW_PRODUCT_IN_FLOAT
FW_DEVICE void fw_product(__half, __half* d, const unsigned (&a)[4], unsigned b0, unsigned b1, const __half* c) {
  unsigned low, high;
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};"
               : "=r"(low), "=r"(high)
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1), "r"(fw_word(c[0], c[1])),
                 "r"(fw_word(c[2], c[3])));
  d[0] = __builtin_bit_cast(__half, static_cast<unsigned short>(low));
  d[1] = __builtin_bit_cast(__half, static_cast<unsigned short>(low >> 16));
  d[2] = __builtin_bit_cast(__half, static_cast<unsigned short>(high));
  d[3] = __builtin_bit_cast(__half, static_cast<unsigned short>(high >> 16));
}

/// Two products of 16x8x16: the left and the right half of the sums.
template <class T, class Sum, class LayoutA, class LayoutB, fw_only<sizeof(T) == 2> = 0>
FW_DEVICE void mma_sync(fragment<accumulator, 16, 16, 16, Sum>& d, const fragment<matrix_a, 16, 16, 16, T, LayoutA>& a,
                        const fragment<matrix_b, 16, 16, 16, T, LayoutB>& b,
                        const fragment<accumulator, 16, 16, 16, Sum>& c) {
  const unsigned words[4] = {fw_word(a.x[0], a.x[1]), fw_word(a.x[2], a.x[3]), fw_word(a.x[4], a.x[5]),
                             fw_word(a.x[6], a.x[7])};
  fw_product(T(), d.x, words, fw_word(b.x[0], b.x[1]), fw_word(b.x[4], b.x[5]), c.x);
  fw_product(T(), d.x + 4, words, fw_word(b.x[2], b.x[3]), fw_word(b.x[6], b.x[7]), c.x + 4);
}

} // namespace wmma
} // namespace nvcuda
#include "mma_shapes.h"
#endif
