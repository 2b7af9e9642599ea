// Prefix over the lanes of a (part of a) warp by shuffles: log2(width) steps.
#pragma once
#pragma clang system_header
#include <cub/thread/thread_operators.cuh>

namespace cub {

template <class T, int width = 32, int = 0> struct WarpScan {
  struct TempStorage {};
  FW_MEMBER explicit WarpScan(TempStorage&) {}

  template <class Op> __device__ void InclusiveScan(T value, T& prefix, Op op) {
    const int lane = static_cast<int>(fw_lane()) & (width - 1);
#pragma unroll
    for (int by = 1; by < width; by *= 2) {
      const T other = fw_shuffle_up<width>(value, by);
      if (lane >= by)
        value = op(other, value);
    }
    prefix = value;
  }
  template <class Op> __device__ void InclusiveScan(T value, T& prefix, Op op, T& total) {
    InclusiveScan(value, prefix, op);
    total = fw_shuffle_index<width>(prefix, width - 1);
  }
  template <class Op> __device__ void ExclusiveScan(T value, T& prefix, T initial, Op op) {
    T total;
    ExclusiveScan(value, prefix, initial, op, total);
  }
  template <class Op> __device__ void ExclusiveScan(T value, T& prefix, T initial, Op op, T& total) {
    T inclusive;
    InclusiveScan(value, inclusive, op, total);
    const T before = fw_shuffle_up<width>(inclusive, 1);
    prefix = (fw_lane() & (width - 1)) == 0 ? initial : op(initial, before);
  }
  __device__ void InclusiveSum(T value, T& prefix) { InclusiveScan(value, prefix, cub::Sum()); }
  __device__ void InclusiveSum(T value, T& prefix, T& total) { InclusiveScan(value, prefix, cub::Sum(), total); }
  __device__ void ExclusiveSum(T value, T& prefix) { ExclusiveScan(value, prefix, T(), cub::Sum()); }
  __device__ void ExclusiveSum(T value, T& prefix, T& total) {
    ExclusiveScan(value, prefix, T(), cub::Sum(), total);
  }
  __device__ T Broadcast(T value, unsigned lane) { return fw_shuffle_index<width>(value, lane); }
};

} // namespace cub
