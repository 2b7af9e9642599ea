// The loop nests of the 15 kernels of C's Table 4 as the GPU runs them, made by hand (see loop_nest.h). Nine
// instructions an iteration of the innermost loop of a matrix product, two of them loads: 4.5 cycles.
#pragma once

#include "derived/port/loop_nest.h"

namespace forewarp::port::testing {

inline std::uint64_t at(std::uint64_t base, std::uint64_t pitch, std::uint64_t row, std::uint64_t column) {
  return base + 4 * (row * pitch + column);
}

/// C += A B; `output`: the store of the sum, once a thread.
inline facts::RegionTrace gemm(std::uint64_t n, bool output = false) {
  LoopNest nest("gemm", 2);
  const auto a = nest.array("A", 4 * n * n), b = nest.array("B", 4 * n * n), c = nest.array("C", 4 * n * n);
  const auto k_loop = nest.loop(1);
  const auto inner = nest.block(k_loop, true, {0, 1}, 7);
  const auto end = nest.block(1, false, output ? std::vector<int>{-3} : std::vector<int>{}, 0);
  nest.launch({0, 0}, {n, n}, [&](LoopNest::Thread& thread, std::uint64_t i, std::uint64_t j) {
    for (std::uint64_t k = 0; k < n; ++k)
      thread.run(inner, {at(a, n, i, k), at(b, n, k, j)});
    if (output)
      thread.run(end, {at(c, n, i, j)});
  });
  return nest.trace;
}

/// A A^T; `transposed`: A is stored transposed beforehand.
inline facts::RegionTrace syrk(std::uint64_t n, bool transposed = false) {
  LoopNest nest("syrk", 2);
  const auto a = nest.array("A", 4 * n * n);
  const auto inner = nest.block(nest.loop(1), true, {0, 0}, 7);
  nest.launch({0, 0}, {n, n}, [&](LoopNest::Thread& thread, std::uint64_t i, std::uint64_t j) {
    for (std::uint64_t k = 0; k < n; ++k)
      transposed ? thread.run(inner, {at(a, n, k, i), at(a, n, k, j)})
                 : thread.run(inner, {at(a, n, i, k), at(a, n, j, k)});
  });
  return nest.trace;
}

inline facts::RegionTrace syr2k(std::uint64_t n) {
  LoopNest nest("syr2k", 2);
  const auto a = nest.array("A", 4 * n * n), b = nest.array("B", 4 * n * n);
  const auto inner = nest.block(nest.loop(1), true, {0, 1, 1, 0}, 12);
  nest.launch({0, 0}, {n, n}, [&](LoopNest::Thread& thread, std::uint64_t i, std::uint64_t j) {
    for (std::uint64_t k = 0; k < n; ++k)
      thread.run(inner, {at(a, n, i, k), at(b, n, j, k), at(b, n, i, k), at(a, n, j, k)});
  });
  return nest.trace;
}

/// The loop of CORR and COVAR over pairs of columns; the sum lives in memory.
inline facts::RegionTrace corr(std::uint64_t m) {
  LoopNest nest("corr", 1);
  const auto data = nest.array("data", 4 * m * m), symmat = nest.array("symmat", 4 * m * m);
  const auto j2_loop = nest.loop(0);
  const auto inner = nest.block(nest.loop(j2_loop), true, {0, 0, 1, -2}, 7);
  nest.launch({0, 0}, {m, 1}, [&](LoopNest::Thread& thread, std::uint64_t j1, std::uint64_t) {
    for (std::uint64_t j2 = j1 + 1; j2 < m; ++j2)
      for (std::uint64_t i = 0; i < m; ++i)
        thread.run(inner,
                   {at(data, m, i, j1), at(data, m, i, j2), at(symmat, m, j1, j2), at(symmat, m, j1, j2)});
  });
  return nest.trace;
}

inline facts::RegionTrace conv2d(std::uint64_t n) {
  LoopNest nest("2dconv", 2);
  const auto a = nest.array("A", 4 * n * n), b = nest.array("B", 4 * n * n);
  const auto body = nest.block(1, true, {0, 0, 0, 0, 0, 0, 0, 0, 0, -2}, 20);
  nest.launch({1, 1}, {n - 1, n - 1}, [&](LoopNest::Thread& thread, std::uint64_t i, std::uint64_t j) {
    thread.run(body, {at(a, n, i - 1, j - 1), at(a, n, i - 1, j), at(a, n, i - 1, j + 1), at(a, n, i, j - 1),
                      at(a, n, i, j), at(a, n, i, j + 1), at(a, n, i + 1, j - 1), at(a, n, i + 1, j),
                      at(a, n, i + 1, j + 1), at(b, n, i, j)});
  });
  return nest.trace;
}

/// A launch for each plane; the eleven distinct loads and the store. The source writes two of them three
/// times.
inline facts::RegionTrace conv3d(std::uint64_t n) {
  LoopNest nest("3dconv", 2);
  const auto a = nest.array("A", 4 * n * n * n), b = nest.array("B", 4 * n * n * n);
  const auto body = nest.block(1, true, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -2}, 24);
  nest.trace.sites[0].written = nest.trace.sites[1].written = 3;
  for (std::uint64_t i = 1; i + 1 < n; ++i)
    nest.launch({1, 1}, {n - 1, n - 1}, [&](LoopNest::Thread& thread, std::uint64_t j, std::uint64_t k) {
      const auto in = [&](std::uint64_t x, std::uint64_t y, std::uint64_t z) {
        return at(a, n, x * n + y, z);
      };
      thread.run(body, {in(i - 1, j - 1, k - 1), in(i + 1, j - 1, k - 1), in(i, j - 1, k), in(i, j, k),
                        in(i, j + 1, k), in(i - 1, j - 1, k + 1), in(i + 1, j - 1, k + 1),
                        in(i - 1, j, k + 1), in(i + 1, j, k + 1), in(i - 1, j + 1, k + 1),
                        in(i + 1, j + 1, k + 1), at(b, n, i * n + j, k)});
    });
  return nest.trace;
}

/// Row times vector: the uncoalesced kernel of ATAX, BICG and MVT; with `matrices` 2 GESUMMV's.
inline facts::RegionTrace row_times_vector(std::uint64_t n, int matrices = 1) {
  LoopNest nest("rows", 1);
  const auto a = nest.array("A", 4 * n * n), b = nest.array("B", 4 * n * n), x = nest.array("x", 4 * n);
  const auto inner =
      nest.block(nest.loop(0), true, matrices == 2 ? std::vector<int>{0, 2, 1} : std::vector<int>{0, 2}, 7);
  nest.launch({0, 0}, {n, 1}, [&](LoopNest::Thread& thread, std::uint64_t i, std::uint64_t) {
    for (std::uint64_t j = 0; j < n; ++j)
      matrices == 2 ? thread.run(inner, {at(a, n, i, j), at(x, n, 0, j), at(b, n, i, j)})
                    : thread.run(inner, {at(a, n, i, j), at(x, n, 0, j)});
  });
  return nest.trace;
}

/// The three kernels of one time step of FDTD-2D by number of accesses: all coalesced.
inline facts::RegionTrace fdtd_part(std::uint64_t n, int part) {
  LoopNest nest("fdtd", 2);
  const auto ey = nest.array("ey", 4 * n * n), ex = nest.array("ex", 4 * n * n),
             hz = nest.array("hz", 4 * n * n);
  const auto body = part == 0   ? nest.block(1, true, {0, 2, 2, -1}, 8)
                    : part == 1 ? nest.block(1, true, {1, 2, 2, -2}, 8)
                                : nest.block(1, true, {2, 1, 1, 0, 0, -3}, 10);
  const std::uint64_t last = part == 2 ? n - 1 : n;
  nest.launch({part == 0 ? 1U : 0U, part == 1 ? 1U : 0U}, {last, last},
              [&](LoopNest::Thread& thread, std::uint64_t i, std::uint64_t j) {
                if (part == 0)
                  thread.run(body, {at(ey, n, i, j), at(hz, n, i, j), at(hz, n, i - 1, j), at(ey, n, i, j)});
                else if (part == 1)
                  thread.run(body, {at(ex, n, i, j), at(hz, n, i, j), at(hz, n, i, j - 1), at(ex, n, i, j)});
                else
                  thread.run(body, {at(hz, n, i, j), at(ex, n, i, j + 1), at(ex, n, i, j),
                                    at(ey, n, i + 1, j), at(ey, n, i, j), at(hz, n, i, j)});
              });
  return nest.trace;
}

/// Third kernel of GRAMSCHM: a launch for each k, thread j > k.
inline facts::RegionTrace gramschmidt(std::uint64_t n) {
  LoopNest nest("gramschmidt", 1);
  const auto a = nest.array("A", 4 * n * n), r = nest.array("R", 4 * n * n), q = nest.array("Q", 4 * n * n);
  const auto dot = nest.block(nest.loop(0), true, {2, 0}, 7);
  const auto store = nest.block(0, false, {-2}, 1);
  const auto update = nest.block(nest.loop(0), true, {0, 2, -1}, 7);
  for (std::uint64_t k = 0; k < n; ++k)
    nest.launch({k + 1, 0}, {n, 1}, [&](LoopNest::Thread& thread, std::uint64_t j, std::uint64_t) {
      for (std::uint64_t i = 0; i < n; ++i)
        thread.run(dot, {at(q, n, i, k), at(a, n, i, j)});
      thread.run(store, {at(r, n, k, j)});
      for (std::uint64_t i = 0; i < n; ++i)
        thread.run(update, {at(a, n, i, j), at(q, n, i, k), at(a, n, i, j)});
    });
  return nest.trace;
}

} // namespace forewarp::port::testing
