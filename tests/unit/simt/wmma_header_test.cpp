// nvcuda::wmma of CUDA C++ (data/include/mma.h): d = a b + c is the plain product, of every shape, type and
// layout.
#include "unit/simt/kernel_runner.h"
#include "unit/simt/small_matrices.h"

#include <fmt/format.h>

namespace {

using namespace forewarp;
using namespace forewarp::simt;
using namespace forewarp::simt::test;

struct Case {
  unsigned m, n, k;
  std::string factor, element, sum; ///< of the fragment, of memory, of c and d
  bool a_across = false, b_across = false, sums_across = false;
};

/// Whole numbers below 2048: halves hold the sums.
std::string kernel_of(const Case& c) {
  const auto layout = [](bool across) { return across ? "col_major" : "row_major"; };
  return fmt::format(
      R"(
#include <mma.h>
using namespace nvcuda;
template <class T> __device__ T made(float v) {{ return static_cast<T>(v); }}
template <> __device__ half made<half>(float v) {{ return __float2half(v); }}
template <> __device__ __nv_bfloat16 made<__nv_bfloat16>(float v) {{ return __float2bfloat16(v); }}
__device__ float number(half v) {{ return __half2float(v); }}
template <class T> __device__ float number(T v) {{ return static_cast<float>(v); }}
__global__ void k(float* out) {{
  __shared__ __align__(32) {element} a[{m} * {k}], b[{k} * {n}];
  __shared__ __align__(32) {sum} c[{m} * {n}];
  for (int i = threadIdx.x; i < {m} * {k}; i += 32) {{
    const int r = i / {k}, k = i % {k};
    a[{a_across} ? k * {m} + r : i] = made<{element}>((r * 3 + k * 5) % 7);
  }}
  for (int i = threadIdx.x; i < {k} * {n}; i += 32) {{
    const int k = i / {n}, n = i % {n};
    b[{b_across} ? n * {k} + k : i] = made<{element}>((k * 2 + n * 3) % 5);
  }}
  for (int i = threadIdx.x; i < {m} * {n}; i += 32) {{
    const int r = i / {n}, n = i % {n};
    c[{sums_across} ? n * {m} + r : i] = made<{sum}>(r * 2 + n);
  }}
  __syncthreads();
  wmma::fragment<wmma::matrix_a, {m}, {n}, {k}, {factor}, wmma::{a_layout}> fa;
  wmma::fragment<wmma::matrix_b, {m}, {n}, {k}, {factor}, wmma::{b_layout}> fb;
  wmma::fragment<wmma::accumulator, {m}, {n}, {k}, {sum}> fc;
  wmma::load_matrix_sync(fa, a, {a_step});
  wmma::load_matrix_sync(fb, b, {b_step});
  wmma::load_matrix_sync(fc, c, {c_step}, wmma::mem_{c_layout});
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, {c_step}, wmma::mem_{c_layout});
  __syncthreads();
  for (int i = threadIdx.x; i < {m} * {n}; i += 32) {{
    const int r = i / {n}, n = i % {n};
    out[i] = number(c[{sums_across} ? n * {m} + r : i]);
  }}
}})",
      fmt::arg("m", c.m), fmt::arg("n", c.n), fmt::arg("k", c.k), fmt::arg("factor", c.factor),
      fmt::arg("element", c.element), fmt::arg("sum", c.sum), fmt::arg("a_across", c.a_across),
      fmt::arg("b_across", c.b_across), fmt::arg("sums_across", c.sums_across),
      fmt::arg("a_layout", layout(c.a_across)), fmt::arg("b_layout", layout(c.b_across)),
      fmt::arg("c_layout", layout(c.sums_across)), fmt::arg("a_step", c.a_across ? c.m : c.k),
      fmt::arg("b_step", c.b_across ? c.k : c.n), fmt::arg("c_step", c.sums_across ? c.m : c.n));
}

TEST(WmmaHeader, IsThePlainProduct) {
  const Case cases[] = {
      {16, 16, 16, "half", "half", "float"},
      {16, 16, 16, "half", "half", "float", true, false, true},
      {16, 16, 16, "half", "half", "float", false, true, false},
      {16, 16, 16, "half", "half", "half", false, true, true},
      {16, 16, 16, "__nv_bfloat16", "__nv_bfloat16", "float", true, true, false},
      {32, 8, 16, "half", "half", "float", false, true, true},
      {8, 32, 16, "half", "half", "half", true, false, false},
      {8, 32, 16, "__nv_bfloat16", "__nv_bfloat16", "float", false, true, false},
      {16, 16, 8, "wmma::precision::tf32", "float", "float", false, true, false},
      {16, 16, 16, "signed char", "signed char", "int", false, true, false},
      {32, 8, 16, "unsigned char", "unsigned char", "int", true, false, true},
      {8, 8, 4, "double", "double", "double", false, true, false},
  };
  for (const Case& c : cases) {
    const RunResult run =
        must(run_whole(compile_cu(kernel_of(c), ir::TargetFamily::nvidia, "sm_80"),
                       launch_of({32}, {32}, {{"out", unknown(facts::ScalarType::f32, c.m * c.n)}})));
    const auto out = result_of<float>(run, "out");
    for (unsigned row = 0; row < c.m; ++row)
      for (unsigned column = 0; column < c.n; ++column) {
        float sum = c_at(row, column);
        for (unsigned k = 0; k < c.k; ++k)
          sum += a_at(row, k) * b_at(k, column);
        ASSERT_EQ(out[row * c.n + column], sum) << c.m << "x" << c.n << "x" << c.k << " " << c.factor << " "
                                                << c.sum << " at " << row << ", " << column;
      }
  }
}

} // namespace
