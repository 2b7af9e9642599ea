// Prefix over the threads of a block: each warp by shuffles, then every thread adds the totals of the warps before its own
// from shared memory. NOT modelled: the raking algorithms (all are answered by this one), prefix call-backs.
#pragma once
#pragma clang system_header
#include <cub/warp/warp_scan.cuh>

namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int x, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int y = 1, int z = 1, int = 0> struct BlockScan {
  static constexpr int threads = x * y * z;
  static constexpr int warps = (threads + warpSize - 1) / warpSize;
  struct TempStorage {
    T of_warp[warps];
  };
  TempStorage& shared;
  __device__ explicit BlockScan(TempStorage& storage) : shared(storage) {}

  template <class Op> __device__ void InclusiveScan(T value, T& prefix, Op op, T& total) {
    const int thread = fw_linear_thread<y, z>(), warp = thread / warpSize, lane = thread % warpSize;
#pragma unroll
    for (int by = 1; by < warpSize; by *= 2) {
      const T other = fw_shuffle_up<warpSize>(value, by);
      if (lane >= by)
        value = op(other, value);
    }
    if (lane == warpSize - 1 || thread == threads - 1)
      shared.of_warp[warp] = value;
    __syncthreads();
    total = shared.of_warp[0];
    T before = total;
#pragma unroll
    for (int other = 1; other < warps; ++other) {
      if (other == warp)
        before = total;
      total = op(total, shared.of_warp[other]);
    }
    prefix = warp == 0 ? value : op(before, value);
  }
  template <class Op> __device__ void ExclusiveScan(T value, T& prefix, T initial, Op op, T& total) {
    T inclusive;
    InclusiveScan(value, inclusive, op, total);
    const int thread = fw_linear_thread<y, z>(), lane = thread % warpSize;
    T before = fw_shuffle_up<warpSize>(inclusive, 1);
    if (lane == 0 && thread > 0) {
      before = shared.of_warp[0];
#pragma unroll
      for (int other = 1; other < warps; ++other)
        if (other * warpSize < thread)
          before = op(before, shared.of_warp[other]);
    }
    prefix = thread == 0 ? initial : op(initial, before);
  }
  template <class Op> __device__ void InclusiveScan(T value, T& prefix, Op op) {
    T total;
    InclusiveScan(value, prefix, op, total);
  }
  template <class Op> __device__ void ExclusiveScan(T value, T& prefix, T initial, Op op) {
    T total;
    ExclusiveScan(value, prefix, initial, op, total);
  }
  __device__ void InclusiveSum(T value, T& prefix) { InclusiveScan(value, prefix, cub::Sum()); }
  __device__ void InclusiveSum(T value, T& prefix, T& total) { InclusiveScan(value, prefix, cub::Sum(), total); }
  __device__ void ExclusiveSum(T value, T& prefix) { ExclusiveScan(value, prefix, T(), cub::Sum()); }
  __device__ void ExclusiveSum(T value, T& prefix, T& total) {
    ExclusiveScan(value, prefix, T(), cub::Sum(), total);
  }

  template <int items, class Op>
  __device__ void ExclusiveScan(T (&values)[items], T (&prefixes)[items], T initial, Op op, T& total) {
    T all = values[0];
#pragma unroll
    for (int i = 1; i < items; ++i)
      all = op(all, values[i]);
    T running;
    ExclusiveScan(all, running, initial, op, total);
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const T next = op(running, values[i]);
      prefixes[i] = running;
      running = next;
    }
  }
  template <int items> __device__ void ExclusiveSum(T (&values)[items], T (&prefixes)[items]) {
    T total;
    ExclusiveScan(values, prefixes, T(), cub::Sum(), total);
  }
  template <int items> __device__ void ExclusiveSum(T (&values)[items], T (&prefixes)[items], T& total) {
    ExclusiveScan(values, prefixes, T(), cub::Sum(), total);
  }
  template <int items> __device__ void InclusiveSum(T (&values)[items], T (&prefixes)[items]) {
    T total;
    InclusiveSum(values, prefixes, total);
  }
  template <int items> __device__ void InclusiveSum(T (&values)[items], T (&prefixes)[items], T& total) {
    T copy[items];
#pragma unroll
    for (int i = 0; i < items; ++i)
      copy[i] = values[i];
    ExclusiveScan(copy, prefixes, T(), cub::Sum(), total);
#pragma unroll
    for (int i = 0; i < items; ++i)
      prefixes[i] = prefixes[i] + copy[i];
  }
};

} // namespace cub
