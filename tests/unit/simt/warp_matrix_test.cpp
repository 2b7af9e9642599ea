// wmma of PTX: matrices loaded, multiplied and stored are the plain product, whatever a lane holds of them.
#include "unit/simt/kernel_runner.h"
#include "unit/simt/small_matrices.h"

#include <fmt/format.h>

namespace {

using namespace forewarp;
using namespace forewarp::simt;
using namespace forewarp::simt::test;

struct Case {
  unsigned m, n, k;
  std::string type;          ///< of the factors
  std::string sums;          ///< of c and of d
  std::string element, code; ///< CUDA's type of a factor's element, and its bits of the float v
  unsigned a, b, sum_count;  ///< registers of a lane, as the manual counts them
  bool a_across = false, b_across = false, sums_across = false;
};

std::string registers(const std::string& name, unsigned count) {
  std::string all;
  for (unsigned i = 0; i < count; ++i)
    all += fmt::format("{}{}{}", i == 0 ? "" : ", ", name, i);
  return "{" + all + "}";
}

/// Where element (row, column) of `rows` by `columns` lies; across: rows are neighbours.
std::string place(const std::string& row, const std::string& column, unsigned rows, unsigned columns,
                  bool across) {
  return across ? fmt::format("({}) * {} + ({})", column, rows, row)
                : fmt::format("({}) * {} + ({})", row, columns, column);
}

std::string type_of_sum(const Case& c) {
  return c.sums == "f64" ? "double" : c.sums == "f16" ? "unsigned short" : c.sums == "s32" ? "int" : "float";
}

std::string product_words(const Case& c) {
  if (c.type == "f16")
    return c.sums + "." + c.sums;
  return c.sums + "." + c.type + "." + c.type + "." + c.sums;
}

std::string kernel_of(const Case& c) {
  const std::string shape = fmt::format("m{}n{}k{}", c.m, c.n, c.k), sum = type_of_sum(c);
  const std::string word = c.type == "f64" ? "f64" : "b32", sum_word = c.sums == "f16" ? "b32" : c.sums;
  const auto layout = [](bool across) { return across ? "col" : "row"; };
  const std::string sums_in = c.sums == "f16" ? "half_of(c_at(r, n))" : "c_at(r, n)";
  const std::string sums_out = c.sums == "f16" ? "float_of(d[at])" : "d[at]";
  return fmt::format(
      R"(
__device__ float a_at(int row, int k) {{ return (row * 3 + k * 5) % 7; }}
__device__ float b_at(int k, int column) {{ return (k * 2 + column * 3) % 5; }}
__device__ float c_at(int row, int column) {{ return row * 2 + column; }}
__device__ unsigned short half_of(float v) {{ unsigned short h; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(v)); return h; }}
__device__ float float_of(unsigned short h) {{ float v; asm("cvt.f32.f16 %0, %1;" : "=f"(v) : "h"(h)); return v; }}
__device__ unsigned place(const void* p) {{ return (unsigned)__cvta_generic_to_shared(p); }}
__global__ void k(float* out) {{
  __shared__ __align__(16) {element} a[{mk}], b[{nk}];
  __shared__ __align__(16) {sum} c[{mn}], d[{mn}];
  for (int i = threadIdx.x; i < {mk}; i += 32) {{ const int r = i / {k}, k = i % {k}; const float v = a_at(r, k); a[{a_place}] = {code}; }}
  for (int i = threadIdx.x; i < {nk}; i += 32) {{ const int k = i / {n}, n = i % {n}; const float v = b_at(k, n); b[{b_place}] = {code}; }}
  for (int i = threadIdx.x; i < {mn}; i += 32) {{ const int r = i / {n}, n = i % {n}; c[{c_place}] = {sums_in}; }}
  __syncthreads();
  asm volatile("{{ .reg .{word} a<{a}>; .reg .{word} b<{b}>; .reg .{sum_word} c<{s}>; .reg .{sum_word} d<{s}>;"
    "wmma.load.a.sync.aligned.{al}.{shape}.shared.{type} {a_names}, [%0], {a_step};"
    "wmma.load.b.sync.aligned.{bl}.{shape}.shared.{type} {b_names}, [%1], {b_step};"
    "wmma.load.c.sync.aligned.{cl}.{shape}.shared.{sums} {c_names}, [%2], {c_step};"
    "wmma.mma.sync.aligned.{al}.{bl}.{shape}.{types} {d_names}, {a_names}, {b_names}, {c_names};"
    "wmma.store.d.sync.aligned.{cl}.{shape}.shared.{sums} [%3], {d_names}, {c_step}; }}"
    :: "r"(place(a)), "r"(place(b)), "r"(place(c)), "r"(place(d)) : "memory");
  __syncthreads();
  for (int i = threadIdx.x; i < {mn}; i += 32) {{ const int r = i / {n}, n = i % {n}, at = {c_place}; out[i] = {sums_out}; }}
}})",
      fmt::arg("element", c.element), fmt::arg("sum", sum), fmt::arg("mk", c.m * c.k),
      fmt::arg("nk", c.n * c.k), fmt::arg("mn", c.m * c.n), fmt::arg("k", c.k), fmt::arg("n", c.n),
      fmt::arg("code", c.code), fmt::arg("a_place", place("r", "k", c.m, c.k, c.a_across)),
      fmt::arg("b_place", place("k", "n", c.k, c.n, c.b_across)),
      fmt::arg("c_place", place("r", "n", c.m, c.n, c.sums_across)), fmt::arg("sums_in", sums_in),
      fmt::arg("sums_out", sums_out), fmt::arg("word", word), fmt::arg("sum_word", sum_word),
      fmt::arg("a", c.a), fmt::arg("b", c.b), fmt::arg("s", c.sum_count), fmt::arg("shape", shape),
      fmt::arg("type", c.type), fmt::arg("sums", c.sums), fmt::arg("al", layout(c.a_across)),
      fmt::arg("bl", layout(c.b_across)), fmt::arg("cl", layout(c.sums_across)),
      fmt::arg("a_names", registers("a", c.a)), fmt::arg("b_names", registers("b", c.b)),
      fmt::arg("c_names", registers("c", c.sum_count)), fmt::arg("d_names", registers("d", c.sum_count)),
      fmt::arg("a_step", c.a_across ? c.m : c.k), fmt::arg("b_step", c.b_across ? c.k : c.n),
      fmt::arg("c_step", c.sums_across ? c.m : c.n), fmt::arg("types", product_words(c)));
}

TEST(WarpMatrix, IsThePlainProduct) {
  const std::string half = "half_of(v)", bfloat = "__float_as_uint(v) >> 16", bits = "unsigned short";
  const Case cases[] = {
      {16, 16, 16, "f16", "f32", bits, half, 8, 8, 8},
      {16, 16, 16, "f16", "f32", bits, half, 8, 8, 8, true, true, true},
      {16, 16, 16, "f16", "f16", bits, half, 8, 8, 4, false, true, false},
      {8, 32, 16, "f16", "f32", bits, half, 8, 8, 8, false, true, false},
      {32, 8, 16, "f16", "f32", bits, half, 8, 8, 8, true, false, true},
      {32, 8, 16, "f16", "f16", bits, half, 8, 8, 4},
      {16, 16, 16, "bf16", "f32", bits, bfloat, 4, 4, 8, false, true},
      {8, 32, 16, "bf16", "f32", bits, bfloat, 2, 8, 8, true},
      {16, 16, 8, "tf32", "f32", "float", "v", 4, 4, 8, false, true, true},
      {16, 16, 16, "s8", "s32", "signed char", "v", 2, 2, 8, false, true},
      {8, 32, 16, "u8", "s32", "unsigned char", "v", 1, 4, 8, true, false, true},
      {8, 8, 4, "f64", "f64", "double", "v", 1, 1, 2, false, true},
  };
  for (const Case& c : cases) {
    const RunResult run =
        must(run_whole(compile_cu(kernel_of(c)),
                       launch_of({32}, {32}, {{"out", unknown(facts::ScalarType::f32, c.m * c.n)}})));
    const auto found = result_of<float>(run, "out");
    for (unsigned row = 0; row < c.m; ++row)
      for (unsigned column = 0; column < c.n; ++column) {
        float sum = c_at(row, column);
        for (unsigned k = 0; k < c.k; ++k)
          sum += a_at(row, k) * b_at(k, column);
        ASSERT_EQ(found[row * c.n + column], sum)
            << c.m << "x" << c.n << " " << c.type << " " << c.sums << ": " << row << "," << column;
      }
  }
}

} // namespace
