// Differences of neighbouring items of a block, and where they differ, through shared memory.
#pragma once
#pragma clang system_header
#include <cub/warp/warp_scan.cuh>

namespace cub {

template <class T, int x, int y = 1, int z = 1, int = 0> struct BlockAdjacentDifference {
  static constexpr int threads = x * y * z;
  struct TempStorage {
    T first[threads], last[threads];
  };
  TempStorage& shared;
  __device__ explicit BlockAdjacentDifference(TempStorage& storage) : shared(storage) {}
  __device__ static int thread() { return fw_linear_thread<y, z>(); }

  template <int items, class To, class Op>
  __device__ void SubtractLeft(T (&from)[items], To (&to)[items], Op op) {
    shared.last[thread()] = from[items - 1];
    __syncthreads();
#pragma unroll
    for (int k = items - 1; k > 0; --k)
      to[k] = op(from[k], from[k - 1]);
    to[0] = thread() == 0 ? static_cast<To>(from[0]) : static_cast<To>(op(from[0], shared.last[thread() - 1]));
  }
  template <int items, class To, class Op>
  __device__ void SubtractRight(T (&from)[items], To (&to)[items], Op op) {
    shared.first[thread()] = from[0];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < items - 1; ++k)
      to[k] = op(from[k], from[k + 1]);
    to[items - 1] = thread() + 1 == threads ? static_cast<To>(from[items - 1])
                                            : static_cast<To>(op(from[items - 1], shared.first[thread() + 1]));
  }
};

template <class T, int x, int y = 1, int z = 1, int = 0> struct BlockDiscontinuity {
  static constexpr int threads = x * y * z;
  struct TempStorage {
    T first[threads], last[threads];
  };
  TempStorage& shared;
  __device__ explicit BlockDiscontinuity(TempStorage& storage) : shared(storage) {}
  __device__ static int thread() { return fw_linear_thread<y, z>(); }

  template <int items, class Flag, class Op> __device__ void FlagHeads(Flag (&heads)[items], T (&from)[items], Op op) {
    shared.last[thread()] = from[items - 1];
    __syncthreads();
#pragma unroll
    for (int k = items - 1; k > 0; --k)
      heads[k] = op(from[k - 1], from[k]);
    heads[0] = thread() == 0 ? 1 : op(shared.last[thread() - 1], from[0]);
  }
  template <int items, class Flag, class Op> __device__ void FlagTails(Flag (&tails)[items], T (&from)[items], Op op) {
    shared.first[thread()] = from[0];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < items - 1; ++k)
      tails[k] = op(from[k], from[k + 1]);
    tails[items - 1] = thread() + 1 == threads ? 1 : op(from[items - 1], shared.first[thread() + 1]);
  }
};

} // namespace cub
