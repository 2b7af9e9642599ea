// Reduction over the threads of a block: each warp by shuffles, then the first thread over the warps' results in shared
// memory. NOT modelled: the raking algorithms (all are answered by this one).
#pragma once
#pragma clang system_header
#include <cub/warp/warp_reduce.cuh>

namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};

template <class T, int x, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int y = 1, int z = 1, int = 0>
struct BlockReduce {
  static constexpr int threads = x * y * z;
  static constexpr int lanes = threads < warpSize ? threads : warpSize;
  static constexpr int warps = (threads + warpSize - 1) / warpSize;
  struct TempStorage {
    T of_warp[warps];
  };
  TempStorage& shared;
  __device__ explicit BlockReduce(TempStorage& storage) : shared(storage) {}

  /// Of the first `valid` threads; the result is the first thread's.
  template <class Op> __device__ T Reduce(T value, Op op, int valid) {
    const int thread = fw_linear_thread<y, z>(), warp = thread / warpSize, lane = thread % warpSize;
#pragma unroll
    for (int by = 1; by < warpSize; by *= 2) {
      const T other = fw_shuffle_down<warpSize>(value, by);
      if (lane + by < warpSize && thread + by < valid)
        value = op(value, other);
    }
    if (lane == 0)
      shared.of_warp[warp] = value;
    __syncthreads();
    if (thread == 0) {
#pragma unroll
      for (int other = 1; other < warps; ++other)
        if (other * warpSize < valid)
          value = op(value, shared.of_warp[other]);
    }
    return value;
  }
  template <class Op> __device__ T Reduce(T value, Op op) { return Reduce(value, op, threads); }
  template <int items, class Op> __device__ T Reduce(T (&values)[items], Op op) {
    T value = values[0];
#pragma unroll
    for (int i = 1; i < items; ++i)
      value = op(value, values[i]);
    return Reduce(value, op);
  }
  __device__ T Sum(T value) { return Reduce(value, cub::Sum()); }
  __device__ T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }
  template <int items> __device__ T Sum(T (&values)[items]) { return Reduce(values, cub::Sum()); }
};

} // namespace cub
