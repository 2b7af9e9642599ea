// nvcuda::wmma beyond 16x16x16 of half (mma.h): 32x8x16 and 8x32x16, bytes, tf32 and double. A factor is held as
// mma.sync wants it: word j of rows 8 i to 8 i + 7 is the lane's, row lane / 4, columns by lane % 4 (PTX ISA, "Matrix
// Fragments"). Products are those of 16 rows and 8 columns; of 8x32x16 the transposed ones. NOT modelled: 4-bit and
// 1-bit factors.
#pragma once
#pragma clang system_header

namespace nvcuda {
namespace wmma {
namespace precision {
struct tf32 {};
} // namespace precision

template <class T> struct fw_held {
  typedef T type;
};
template <> struct fw_held<precision::tf32> {
  typedef float type;
};
/// Compute capability from which a factor's type has products.
template <class T> inline constexpr int fw_needs = 700;
template <> inline constexpr int fw_needs<signed char> = 720;
template <> inline constexpr int fw_needs<unsigned char> = 720;
template <> inline constexpr int fw_needs<__nv_bfloat16> = 800;
template <> inline constexpr int fw_needs<precision::tf32> = 800;
template <> inline constexpr int fw_needs<double> = 800;

/// Defined nowhere: a kernel that gets here is refused, by this name.
extern __device__ void matrix_type_that_this_gpu_lacks();

/// `rows` x `columns` of a factor, in words of `per` elements; or of sums, in pairs.
template <class T, int rows, int columns, int per> struct fw_matrix {
  typedef typename fw_held<T>::type element;
  static constexpr int tiles = rows / 8, words = columns / (4 * per), num_elements = tiles * words * per;
  static constexpr int storage = per;
  static constexpr bool of_half = false;
  element x[num_elements];
  __device__ static __forceinline__ int row(int tile) { return static_cast<int>(fw_lane()) / 4 + 8 * tile; }
  __device__ static __forceinline__ int column(int word) { return static_cast<int>(fw_lane()) % 4 * per + 4 * per * word; }
  __device__ __forceinline__ void load(const element* from, unsigned row_step, unsigned column_step) {
    struct alignas(per * sizeof(element)) Word {
      element x[per];
    };
    for (int t = 0; t < tiles; ++t)
      for (int w = 0; w < words; ++w) {
        const element* at = from + row(t) * row_step + column(w) * column_step;
        element* to = x + (t * words + w) * per;
        if (column_step == 1) {
          const Word word = *reinterpret_cast<const Word*>(at);
          for (int k = 0; k < per; ++k)
            to[k] = word.x[k];
        } else {
          for (int k = 0; k < per; ++k)
            to[k] = at[k * column_step];
        }
      }
  }
  __device__ __forceinline__ void store(element* to, unsigned row_step, unsigned column_step) const {
    struct alignas(per * sizeof(element)) Word {
      element x[per];
    };
    for (int t = 0; t < tiles; ++t)
      for (int w = 0; w < words; ++w) {
        element* at = to + row(t) * row_step + column(w) * column_step;
        const element* from = x + (t * words + w) * per;
        if (column_step == 1) {
          Word word;
          for (int k = 0; k < per; ++k)
            word.x[k] = from[k];
          *reinterpret_cast<Word*>(at) = word;
        } else {
          for (int k = 0; k < per; ++k)
            at[k * column_step] = from[k];
        }
      }
  }
  __device__ __forceinline__ unsigned word(int tile, int which) const {
    unsigned bits;
    static_assert(per * sizeof(element) == 4, "a word");
    __builtin_memcpy(&bits, x + (tile * words + which) * per, 4);
    return bits;
  }
};

template <class T> inline constexpr int fw_per_word = sizeof(typename fw_held<T>::type) >= 4 ? 1 : 4 / sizeof(T);

#define FW_SHAPE(M, N, K, T)                                                                                 \
  template <class Layout>                                                                                    \
  struct fragment<matrix_a, M, N, K, T, Layout> : fw_matrix<T, M, K, fw_per_word<T>> {};                     \
  template <class Layout>                                                                                    \
  struct fragment<matrix_b, M, N, K, T, Layout> : fw_matrix<T, N, K, fw_per_word<T>> {};
FW_SHAPE(16, 16, 16, signed char)
FW_SHAPE(16, 16, 16, unsigned char)
FW_SHAPE(32, 8, 16, signed char)
FW_SHAPE(32, 8, 16, unsigned char)
FW_SHAPE(8, 32, 16, signed char)
FW_SHAPE(8, 32, 16, unsigned char)
FW_SHAPE(32, 8, 16, __half)
FW_SHAPE(8, 32, 16, __half)
FW_SHAPE(32, 8, 16, __nv_bfloat16)
FW_SHAPE(8, 32, 16, __nv_bfloat16)
FW_SHAPE(16, 16, 8, precision::tf32)
FW_SHAPE(8, 8, 4, double)
#undef FW_SHAPE
/// Sums: of 8x32 those of the transposed product, 32x8.
#define FW_SUMS(M, N, K, T, rows, columns, is_transposed)                                                    \
  template <> struct fragment<accumulator, M, N, K, T> : fw_matrix<T, rows, columns, 2> {                    \
    static constexpr bool transposed = is_transposed;                                                        \
  };
FW_SUMS(16, 16, 16, int, 16, 16, false)
FW_SUMS(32, 8, 16, int, 32, 8, false)
FW_SUMS(8, 32, 16, int, 32, 8, true)
FW_SUMS(32, 8, 16, float, 32, 8, false)
FW_SUMS(8, 32, 16, float, 32, 8, true)
FW_SUMS(32, 8, 16, __half, 32, 8, false)
FW_SUMS(8, 32, 16, __half, 32, 8, true)
FW_SUMS(16, 16, 8, float, 16, 16, false)
FW_SUMS(8, 8, 4, double, 8, 8, false)
#undef FW_SUMS

template <int M, int N, int K, class T, class E, class = typename fragment<matrix_a, M, N, K, T, row_major>::element>
FW_DEVICE void load_matrix_sync(fragment<matrix_a, M, N, K, T, row_major>& f, const E* from, unsigned step) {
  f.load(from, step, 1);
}
template <int M, int N, int K, class T, class E, class = typename fragment<matrix_a, M, N, K, T, col_major>::element>
FW_DEVICE void load_matrix_sync(fragment<matrix_a, M, N, K, T, col_major>& f, const E* from, unsigned step) {
  f.load(from, 1, step);
}
template <int M, int N, int K, class T, class E, class = typename fragment<matrix_b, M, N, K, T, col_major>::element>
FW_DEVICE void load_matrix_sync(fragment<matrix_b, M, N, K, T, col_major>& f, const E* from, unsigned step) {
  f.load(from, step, 1);
}
template <int M, int N, int K, class T, class E, class = typename fragment<matrix_b, M, N, K, T, row_major>::element>
FW_DEVICE void load_matrix_sync(fragment<matrix_b, M, N, K, T, row_major>& f, const E* from, unsigned step) {
  f.load(from, 1, step);
}
template <int M, int N, int K, class T, bool transposed = fragment<accumulator, M, N, K, T>::transposed>
FW_DEVICE void load_matrix_sync(fragment<accumulator, M, N, K, T>& f, const T* from, unsigned step, layout_t layout) {
  if ((layout == mem_row_major) != transposed)
    f.load(from, step, 1);
  else
    f.load(from, 1, step);
}
template <int M, int N, int K, class T, bool transposed = fragment<accumulator, M, N, K, T>::transposed>
FW_DEVICE void store_matrix_sync(T* to, const fragment<accumulator, M, N, K, T>& f, unsigned step, layout_t layout) {
  if ((layout == mem_row_major) != transposed)
    f.store(to, step, 1);
  else
    f.store(to, 1, step);
}
template <class Use, int M, int N, int K, class T, class Layout, class V,
          int = fragment<Use, M, N, K, T, Layout>::storage>
FW_DEVICE void fill_fragment(fragment<Use, M, N, K, T, Layout>& f, const V& value) {
  for (int i = 0; i < f.num_elements; ++i)
    f.x[i] = value;
}
FW_DEVICE float __float_to_tf32(float value) {
  return __uint_as_float(__float_as_uint(value) & 0xFFFFE000u);
}

// One product of 16 rows and 8 columns: words a of the rows' factor, b of the columns', four sums.
FW_DEVICE void fw_tile(__half, float* d, const unsigned (&a)[4], const unsigned (&b)[2], const float* c) {
  fw_product(__half(), d, a, b[0], b[1], c);
}
FW_DEVICE void fw_tile(__half, __half* d, const unsigned (&a)[4], const unsigned (&b)[2], const __half* c) {
  fw_product(__half(), d, a, b[0], b[1], c);
}
FW_DEVICE void fw_tile(__nv_bfloat16, float* d, const unsigned (&a)[4], const unsigned (&b)[2], const float* c) {
  fw_product(__nv_bfloat16(), d, a, b[0], b[1], c);
}
FW_DEVICE void fw_tile(precision::tf32, float* d, const unsigned (&a)[4], const unsigned (&b)[2], const float* c) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%10, %11, %12, %13};"
               : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]),
                 "f"(c[3]));
}
#define FW_BYTES(type, name)                                                                                 \
  FW_DEVICE void fw_tile(type, int* d, const unsigned (&a)[2], const unsigned (&b)[1], const int* c) {        \
    asm volatile("mma.sync.aligned.m16n8k16.row.col.s32." name "." name ".s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, " \
                 "{%7, %8, %9, %10};"                                                                         \
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                                             \
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));              \
  }
FW_BYTES(signed char, "s8")
FW_BYTES(unsigned char, "u8")
#undef FW_BYTES

/// `rows` tiles of 16 by `columns` tiles of 8. Words of a tile of rows go by columns first, as mma.sync has them.
template <class T, class Sum, class Rows, class Columns>
FW_DEVICE void fw_products(Sum& d, const Rows& a, const Columns& b, const Sum& c) {
  if constexpr (FOREWARP_ARCH < fw_needs<T>)
    matrix_type_that_this_gpu_lacks();
  constexpr int words = Rows::words, across = Sum::words;
#pragma unroll
  for (int r = 0; r < Rows::tiles / 2; ++r) {
    unsigned of_rows[2 * words];
#pragma unroll
    for (int k = 0; k < 2 * words; ++k)
      of_rows[k] = a.word(2 * r + k % 2, k / 2);
#pragma unroll
    for (int n = 0; n < Columns::tiles; ++n) {
      unsigned of_columns[words];
#pragma unroll
      for (int k = 0; k < words; ++k)
        of_columns[k] = b.word(n, k);
      typename Sum::element sums[4], made[4];
#pragma unroll
      for (int k = 0; k < 4; ++k)
        sums[k] = c.x[((2 * r + k / 2) * across + n) * 2 + k % 2];
      fw_tile(T(), made, of_rows, of_columns, sums);
#pragma unroll
      for (int k = 0; k < 4; ++k)
        d.x[((2 * r + k / 2) * across + n) * 2 + k % 2] = made[k];
    }
  }
}
template <int M, int N, int K, class T, class Sum, class LayoutA, class LayoutB,
          bool transposed = fragment<accumulator, M, N, K, Sum>::transposed>
FW_DEVICE void mma_sync(fragment<accumulator, M, N, K, Sum>& d, const fragment<matrix_a, M, N, K, T, LayoutA>& a,
                        const fragment<matrix_b, M, N, K, T, LayoutB>& b,
                        const fragment<accumulator, M, N, K, Sum>& c) {
  if constexpr (transposed)
    fw_products<T>(d, b, a, c);
  else
    fw_products<T>(d, a, b, c);
}
template <class LayoutA, class LayoutB>
FW_DEVICE void mma_sync(fragment<accumulator, 8, 8, 4, double>& d, const fragment<matrix_a, 8, 8, 4, double, LayoutA>& a,
                        const fragment<matrix_b, 8, 8, 4, double, LayoutB>& b,
                        const fragment<accumulator, 8, 8, 4, double>& c) {
  if constexpr (FOREWARP_ARCH < fw_needs<double>)
    matrix_type_that_this_gpu_lacks();
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
               : "=d"(d.x[0]), "=d"(d.x[1])
               : "d"(a.x[0]), "d"(b.x[0]), "d"(c.x[0]), "d"(c.x[1]));
}

} // namespace wmma
} // namespace nvcuda
