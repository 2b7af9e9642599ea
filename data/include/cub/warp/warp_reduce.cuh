// Reduction over the lanes of a (part of a) warp by shuffles: log2(width) steps, the result in the first lane.
#pragma once
#pragma clang system_header
#include <cub/thread/thread_operators.cuh>

namespace cub {

template <class T, int width = 32, int = 0> struct WarpReduce {
  struct TempStorage {};
  FW_MEMBER explicit WarpReduce(TempStorage&) {}

  template <class Op> __device__ T Reduce(T value, Op op) { return Reduce(value, op, width); }
  /// Of the first `valid` lanes.
  template <class Op> __device__ T Reduce(T value, Op op, int valid) {
    const int lane = static_cast<int>(fw_lane()) & (width - 1);
#pragma unroll
    for (int by = 1; by < width; by *= 2) {
      const T other = fw_shuffle_down<width>(value, by);
      if (lane + by < valid)
        value = op(value, other);
    }
    return value;
  }
  __device__ T Sum(T value) { return Reduce(value, cub::Sum()); }
  __device__ T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }
};

} // namespace cub
